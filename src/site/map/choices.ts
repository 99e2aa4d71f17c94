import type { Parameter } from '../../contract/parameter.ts';
import { Type } from '../../contract/schema.ts';
import { DIRECTIONS, type Direction } from '../../geo/compass.ts';
import { inQuery } from '../view.ts';

/** The choices of a map, a part of its URL. */
export interface MapChoices {
  /** 1–12. */
  month: number;
  floor: (typeof FLOORS)[number];
  face: 'best' | Direction;
  /** True shows buildings in relief. */
  relief: boolean;
  /** True shows care homes with their prices. */
  homes: boolean;
  /** Minutes after midnight of the shadows; null: no shadows. */
  clock: number | null;
}

export const FLOORS = ['first', 'middle', 'top'] as const;

/** December is when sun is scarcest. */
export const FIRST_CHOICES: MapChoices = {
  month: 12,
  floor: 'top',
  face: 'best',
  relief: false,
  homes: false,
  clock: null,
};

/** The choices in a URL; absent ones have their defaults. `wrong` names invalid ones. */
export function readChoices(query: URLSearchParams): { choices: MapChoices; wrong: string | null } {
  const choices = { ...FIRST_CHOICES };
  const [month, clock] = [whole(query.get('month'), 1, 12), whole(query.get('clock'), 0, 1439)];
  const floor = FLOORS.find((name) => name === query.get('floor'));
  const face = (['best', ...DIRECTIONS] as const).find((name) => name === query.get('face'));
  const relief = query.get('relief');
  if (month === undefined) return { choices, wrong: 'month is a whole number from 1 to 12.' };
  if (clock === undefined) return { choices, wrong: 'clock is a whole number of minutes after midnight, 0 to 1439.' };
  if (query.has('floor') && floor === undefined) return { choices, wrong: `floor is one of ${FLOORS.join(', ')}.` };
  if (query.has('face') && face === undefined)
    return { choices, wrong: `face is best or one of ${DIRECTIONS.join(', ')}.` };
  if (relief !== null && relief !== '1') return { choices, wrong: 'relief is 1 or is not given.' };
  const homes = query.get('homes');
  if (homes !== null && homes !== '1') return { choices, wrong: 'homes is 1 or is not given.' };
  return {
    choices: {
      month: month ?? FIRST_CHOICES.month,
      floor: floor ?? FIRST_CHOICES.floor,
      face: face ?? FIRST_CHOICES.face,
      relief: relief === '1',
      homes: homes === '1',
      clock,
    },
    wrong: null,
  };
}

/** Null: absent; undefined: not a whole number within these bounds. */
function whole(text: string | null, least: number, most: number): number | null | undefined {
  if (text === null) return null;
  const value = Number(text);
  return /^\d{1,4}$/.test(text) && value >= least && value <= most ? value : undefined;
}

const position = (name: string, least: number, most: number, example: string): Parameter => ({
  ...inQuery(name, Type.Number({ minimum: least, maximum: most }), 'A place in Japan, degrees.', example),
  isPrivate: true,
});

/** The parameters of the map page. */
export const MAP_PARAMETERS: readonly Parameter[] = [
  inQuery('month', Type.Integer({ minimum: 1, maximum: 12 }), 'The month.', '12'),
  inQuery('floor', Type.Enum([...FLOORS], { type: 'string' }), 'The floor.', 'top'),
  inQuery('face', Type.Enum(['best', ...DIRECTIONS], { type: 'string' }), 'The face; best: the sunniest.', 'best'),
  inQuery('relief', Type.Enum(['1'], { type: 'string' }), 'Buildings in relief.', '1'),
  inQuery('homes', Type.Enum(['1'], { type: 'string' }), 'Care homes.', '1'),
  inQuery('clock', Type.Integer({ minimum: 0, maximum: 1439 }), 'When shadows fall, minutes after midnight.', '720'),
  position('lat', 20, 46, '35.6937884'),
  position('lon', 122, 154, '139.7679135'),
  inQuery('zoom', Type.Number({ minimum: 8, maximum: 19 }), 'How near, with `lat` and `lon`.', '17'),
  inQuery(
    'pick',
    Type.String({ maxLength: 40 }),
    'The building or the town that is picked, by its ID.',
    '$building_id',
  ),
];
