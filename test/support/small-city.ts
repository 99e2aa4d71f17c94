import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A house of a test city, as a box in metres from the city's corner. */
export interface House {
  /** Number in its ID; null: no ID. */
  id: string | null;
  east: number;
  north: number;
  /** Lengths of the sides along east and north. */
  width: number;
  depth: number;
  height: number;
  base?: number;
  storeys?: number;
  /** Height of a ridge from west to east above the top. With it the house has a gabled roof in LOD2. */
  ridge?: number;
}

/** South-west corner of the test cities: the corner of grid square 53394611, Chiyoda. */
export const LAT = 35.675;
export const LON = 139.7625;
/** Metres of a degree there. */
export const LAT_M = 110_950;
export const LON_M = 90_500;

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/2.0">
`;

/** A CityGML file of houses, LOD1, uro 2.0. */
export const cityGml = (houses: readonly House[]): string => `${HEAD}${houses.map(member).join('')}</core:CityModel>\n`;

/** Writes files below a folder and makes the folders for them. */
export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** A town of `count` houses in rows, whose heights follow from their numbers. */
export function rowsOfHouses(count: number, { east = 0, north = 0, first = 1, perRow = 10 } = {}): House[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `13101-bldg-${first + i}`,
    east: east + (i % perRow) * 14,
    north: north + Math.floor(i / perRow) * 16,
    width: 9 + ((i * 7) % 4),
    depth: 8 + ((i * 5) % 3),
    height: 5 + ((i * 13) % 17),
  }));
}

/** A number of grid squares, three in a row, with a town of `count` houses in each. */
export const townsInSquares = (squares: number, count: number): House[][] =>
  Array.from({ length: squares }, (_, i) =>
    rowsOfHouses(count, { east: 100 + (i % 3) * 1130, north: 100 + Math.floor(i / 3) * 925, first: 1 + 1000 * i }),
  );

function member({ id, east, north, width, depth, height, base = 0, storeys, ridge }: House, index: number): string {
  const [south, west] = [LAT + north / LAT_M, LON + east / LON_M];
  const [top, right] = [south + depth / LAT_M, west + width / LON_M];
  const ring = [
    [south, west],
    [south, right],
    [top, right],
    [top, west],
    [south, west],
  ] as const;
  const at = (z: number, points: readonly (readonly [number, number])[]): string =>
    points.map(([lat, lon]) => `${lat.toFixed(9)} ${lon.toFixed(9)} ${z}`).join(' ');
  const face = (positions: string): string =>
    `<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>${positions}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>`;
  const walls = ring.slice(1).map((to, i) => {
    const from = ring[i]!;
    return face(`${at(base, [from, to])} ${at(base + height, [to, from])} ${at(base, [from])}`);
  });
  const faces = [face(at(base, [...ring].reverse())), ...walls, face(at(base + height, ring))].join('\n');
  const roof = ridge === undefined ? '' : gable([south, west, top, right], base, base + height, ridge);
  const attribute =
    id === null
      ? ''
      : `<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>${id}</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>`;
  return `<core:cityObjectMember><bldg:Building gml:id="b${id ?? `-${index}`}">
<core:creationDate>2021-03-31</core:creationDate>
<bldg:usage>411</bldg:usage>
<bldg:measuredHeight uom="m">${height}</bldg:measuredHeight>
${storeys === undefined ? '' : `<bldg:storeysAboveGround>${storeys}</bldg:storeysAboveGround>`}
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
${faces}
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
${roof}
${attribute}
</bldg:Building></core:cityObjectMember>
`;
}

/** The surfaces of a gabled house in LOD2: closed, each seen from outside. */
function gable([south, west, north, east]: readonly number[], base: number, eaves: number, ridge: number): string {
  const middle = (south! + north!) / 2;
  const [sw, se, ne, nw] = [
    [south, west],
    [south, east],
    [north, east],
    [north, west],
  ];
  const up = (place: readonly unknown[] | undefined, z: number) => [...place!, z];
  const [ridgeWest, ridgeEast] = [
    [middle, west, eaves + ridge],
    [middle, east, eaves + ridge],
  ];
  const surfaces: [string, unknown[][]][] = [
    ['GroundSurface', [up(sw, base), up(nw, base), up(ne, base), up(se, base)]],
    ['RoofSurface', [up(sw, eaves), up(se, eaves), ridgeEast!, ridgeWest!]],
    ['RoofSurface', [ridgeWest!, ridgeEast!, up(ne, eaves), up(nw, eaves)]],
    ['WallSurface', [up(sw, base), up(se, base), up(se, eaves), up(sw, eaves)]],
    ['WallSurface', [up(ne, base), up(nw, base), up(nw, eaves), up(ne, eaves)]],
    ['WallSurface', [up(se, base), up(ne, base), up(ne, eaves), ridgeEast!, up(se, eaves)]],
    ['WallSurface', [up(nw, base), up(sw, base), up(sw, eaves), ridgeWest!, up(nw, eaves)]],
  ];
  return surfaces
    .map(([kind, points]) => {
      const positions = [...points, points[0]!].map((point) => point.join(' ')).join(' ');
      return `<bldg:boundedBy><bldg:${kind}><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>${positions}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod2MultiSurface></bldg:${kind}></bldg:boundedBy>`;
    })
    .join('\n');
}
