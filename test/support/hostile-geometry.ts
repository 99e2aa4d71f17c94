import { cityGml, type House, LAT, LAT_M, LON, LON_M } from './small-city.ts';

/**
 * City models that try to waste time or memory: buildings of LOD0 in the city of `small-city.ts`, metres from its
 * corner.
 */

export const atPlace = (east: number, north: number): string =>
  `${(LAT + north / LAT_M).toFixed(9)} ${(LON + east / LON_M).toFixed(9)} 0`;

export const closed = (points: readonly string[]): string => [...points, points[0]].join(' ');

export const square = (east: number, north: number, side: number): string =>
  closed([
    atPlace(east, north),
    atPlace(east + side, north),
    atPlace(east + side, north + side),
    atPlace(east, north + side),
  ]);

/** The first ring is the outer one. */
export function polygon(rings: readonly string[]): string {
  const ringOf = (ring: string, i: number): string => {
    const name = i === 0 ? 'gml:exterior' : 'gml:interior';
    return `<${name}><gml:LinearRing><gml:posList>${ring}</gml:posList></gml:LinearRing></${name}>`;
  };
  return `<gml:surfaceMember><gml:Polygon>${rings.map(ringOf).join('')}</gml:Polygon></gml:surfaceMember>`;
}

/** A building with these polygons as LOD0, and further members. */
export function building(number: number, polygons: string, more = '', { height = 8, body = '' } = {}): string {
  const id = `<uro:buildingID>13101-bldg-${number}</uro:buildingID>${body && `<uro:branchID>${body}</uro:branchID>`}`;
  return `<core:cityObjectMember><bldg:Building gml:id="h${number}${body}"><bldg:measuredHeight uom="m">${height}</bldg:measuredHeight>
${polygons && `<bldg:lod0FootPrint><gml:MultiSurface>${polygons}</gml:MultiSurface></bldg:lod0FootPrint>`}${more}
<uro:buildingIDAttribute><uro:BuildingIDAttribute>${id}</uro:BuildingIDAttribute></uro:buildingIDAttribute></bldg:Building></core:cityObjectMember>
`;
}

/** A city model with these members and some houses. */
export const cityOf = (members: string, houses: readonly House[]): string =>
  cityGml(houses).replace('</core:CityModel>', () => `${members}</core:CityModel>`);

/**
 * A ring around the origin, metres, whose corners jump at random, so that it crosses itself at nearly every second
 * edge.
 */
export function jaggedRing(corners: number): number[] {
  let seed = 3;
  const chance = (): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * (i + 6 * chance())) / corners;
    const radius = 60 + 20 * chance();
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  }).flat();
}

const places = (xy: readonly number[], east: number, north: number): string =>
  closed(Array.from({ length: xy.length / 2 }, (_, i) => atPlace(east + xy[2 * i]!, north + xy[2 * i + 1]!)));

const list = (count: number, of: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join('');

interface Hostile {
  /** The members of a city model. */
  gml: string;
  /** The reason under which the report names the building; null when it is served. */
  reason: string | null;
  /** The ID of the named building. */
  id?: string;
  /** The number of buildings left out, when it is not one. */
  count?: number;
  /** The number of served buildings. */
  served?: number;
}

/** Each is one file, by its name. */
export const HOSTILE: Record<string, Hostile> = {
  'jagged-40000': {
    gml: building(9001, polygon([places(jaggedRing(40_000), 500, 500)])),
    reason: 'too_large',
    id: '13101-bldg-9001',
  },
  'jagged-8000': {
    gml: building(9002, polygon([places(jaggedRing(8000), 500, 500)])),
    reason: 'left_out_too_complex',
    id: '13101-bldg-9002',
  },
  wide: { gml: building(9003, polygon([square(0, 0, 300_000)])), reason: 'too_large', id: '13101-bldg-9003' },
  holes: {
    gml: building(
      9004,
      polygon([
        square(0, 0, 900),
        ...Array.from({ length: 2000 }, (_, i) => square(2 + 20 * (i % 44), 2 + 15 * Math.floor(i / 44), 1)),
      ]),
    ),
    reason: null,
    served: 1,
  },
  surfaces: {
    gml: building(
      9005,
      '',
      `<bldg:lod1MultiSurface><gml:MultiSurface>${list(4000, (i) => polygon([square(2 * (i % 64), 2 * Math.floor(i / 64), 1)]))}</gml:MultiSurface></bldg:lod1MultiSurface>`,
    ),
    reason: 'too_large',
    id: '13101-bldg-9005',
  },
  'one-point': {
    gml: building(9006, polygon([list(50_000, () => `${atPlace(1, 1)} `)])),
    reason: 'too_large',
    id: '13101-bldg-9006',
  },
  line: {
    gml: building(9007, polygon([closed(Array.from({ length: 5000 }, (_, i) => atPlace(i / 10, 0)))])),
    reason: 'left_out_no_area',
    id: '13101-bldg-9007',
  },
  millimetres: {
    gml: building(
      9008,
      polygon([
        places(
          Array.from({ length: 9000 }, (_, i) => [
            2 * Math.cos((2 * Math.PI * i) / 9000),
            2 * Math.sin((2 * Math.PI * i) / 9000),
          ]).flat(),
          700,
          500,
        ),
      ]),
    ),
    reason: null,
    served: 1,
  },
  spot: {
    gml: list(150, (i) =>
      building(9100 + i, polygon([places([0, 0, 10 + i / 1000, 0, 10 + i / 1000, 10, 0, 10], 1000, 700)]), '', {
        height: 5 + i / 10,
      }),
    ),
    reason: 'left_out_on_one_spot',
    id: '13101-bldg-9200',
    count: 50,
    served: 100,
  },
  overlapping: {
    gml: list(110, (i) =>
      building(9300 + i, polygon([square(920 + 1.5 * (i % 25), 100 + Math.floor(i / 25), 90)]), '', {
        height: 8 + (i % 70),
      }),
    ),
    reason: 'left_out_on_one_spot',
    id: '13101-bldg-9400',
    count: 10,
    served: 100,
  },
  'far-body': {
    gml: [0, 100, 200_000]
      .map((east, i) => building(9009, polygon([square(east, 800, 10)]), '', { body: `${i + 1}` }))
      .join(''),
    reason: 'left_out_far_body',
    id: '13101-bldg-9009',
    served: 1,
  },
};
