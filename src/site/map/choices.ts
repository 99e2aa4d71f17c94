import type { Parameter } from '../../contract/parameter.ts';
import { Type } from '../../contract/schema.ts';
import { MOST_STOREYS } from '../../contract/sunlight-shapes.ts';
import { DIRECTIONS, type Direction } from '../../geo/compass.ts';
import { HOMES } from '../kaigo/services.ts';
import { inQuery } from '../view.ts';

/** What a visitor chooses on the map: it is the query of the map's URL. */
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

/** The choices of a map that is opened without a query. December is the month with the least sun. */
export const FIRST_CHOICES: MapChoices = {
  month: 12,
  floor: 'top',
  face: 'best',
  relief: false,
  homes: false,
  clock: null,
};

/** The choices in a query whose values are validated; absent ones have the values of `FIRST_CHOICES`. */
export function choicesIn(query: URLSearchParams): MapChoices {
  const { month, floor, face } = FIRST_CHOICES;
  return {
    month: Number(query.get('month') ?? month),
    floor: FLOORS.find((name) => name === query.get('floor')) ?? floor,
    face: DIRECTIONS.find((name) => name === query.get('face')) ?? face,
    relief: query.has('relief'),
    homes: query.has('homes'),
    clock: query.has('clock') ? Number(query.get('clock')) : null,
  };
}

/** A parameter for a latitude or longitude. The place of a visitor is private. */
const position = (name: string, least: number, most: number, example: string): Parameter => ({
  ...inQuery(name, Type.Number({ minimum: least, maximum: most }), 'A place in Japan, degrees.', example),
  isPrivate: true,
});

/** The query of a tile and of the map: only homes of this service. */
export const PIN_SERVICE = inQuery(
  'service',
  Type.Enum([...HOMES], { type: 'string' }),
  'The service of homes.',
  '510',
);

/** The parameters of the map page. */
export const MAP_PARAMETERS: readonly Parameter[] = [
  inQuery('month', Type.Integer({ minimum: 1, maximum: 12 }), 'The month.', '12'),
  inQuery('floor', Type.Enum([...FLOORS], { type: 'string' }), 'The floor.', 'top'),
  inQuery('face', Type.Enum(['best', ...DIRECTIONS], { type: 'string' }), 'The face; best: the sunniest.', 'best'),
  inQuery('relief', Type.Enum(['1'], { type: 'string' }), 'Buildings in relief.', '1'),
  inQuery('homes', Type.Enum(['1'], { type: 'string' }), 'Care homes.', '1'),
  PIN_SERVICE,
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
  inQuery(
    'storey',
    Type.Integer({ minimum: 1, maximum: MOST_STOREYS }),
    'The chosen floor of the picked building.',
    '7',
  ),
];
