import type { Parameter } from '../../contract/parameter.ts';

import { Type } from '../../contract/schema.ts';
import { inQuery } from '../view.ts';

import { FACES, FLOORS } from './choices.ts';

const position = (name: string, least: number, most: number, example: string): Parameter => ({
  ...inQuery(name, Type.Number({ minimum: least, maximum: most }), 'A place in Japan, degrees.', example),
  isPrivate: true,
});

/** What the address of the map may hold. */
export const MAP_PARAMETERS: readonly Parameter[] = [
  inQuery('month', Type.Integer({ minimum: 1, maximum: 12 }), 'The month.', '12'),
  inQuery('floor', Type.Enum([...FLOORS], { type: 'string' }), 'The floor.', 'top'),
  inQuery('face', Type.Enum(['best', ...FACES], { type: 'string' }), 'The face; best: the sunniest.', 'best'),
  inQuery('relief', Type.Enum(['1'], { type: 'string' }), 'Buildings in relief.', '1'),
  inQuery('clock', Type.Integer({ minimum: 0, maximum: 1439 }), 'When shadows fall, minutes after midnight.', '720'),
  position('lat', 20, 46, '35.6937884'),
  position('lon', 122, 154, '139.7679135'),
];
