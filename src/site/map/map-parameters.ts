import type { Parameter } from '../../contract/parameter.ts';
import { Type } from '../../contract/schema.ts';
import { FACES, FLOORS } from './choices.ts';

const query = (name: string, schema: Parameter['schema'], description: string, example: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema,
  description,
  example,
});
const position = (name: string, least: number, most: number, example: string): Parameter => ({
  ...query(name, Type.Number({ minimum: least, maximum: most }), 'A place in Japan, degrees.', example),
  isPrivate: true,
});

/** What the address of the map may hold. */
export const MAP_PARAMETERS: readonly Parameter[] = [
  query('month', Type.Integer({ minimum: 1, maximum: 12 }), 'The month.', '12'),
  query('floor', Type.Enum([...FLOORS], { type: 'string' }), 'The floor.', 'top'),
  query('face', Type.Enum(['best', ...FACES], { type: 'string' }), 'The face; best: the sunniest.', 'best'),
  query('relief', Type.Enum(['1'], { type: 'string' }), 'Buildings in relief.', '1'),
  query('clock', Type.Integer({ minimum: 0, maximum: 1439 }), 'When shadows fall, minutes after midnight.', '720'),
  position('lat', 20, 46, '35.6937884'),
  position('lon', 122, 154, '139.7679135'),
];
