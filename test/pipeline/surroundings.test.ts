import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { DatasetScenes } from '../../src/city/scenes-on-demand.ts';
import { SquareBuilder, type SquareBuildings } from '../../src/city/square-file.ts';
import { type Census, emptyPartsOf, gapsAround, landOf, surroundingsAt } from '../../src/city/surroundings.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { fifthOrderSquares, gridSquareBounds, gridSquareCentre, gridSquareOf } from '../../src/geo/grid-square.ts';
import { ONLY_LOD1 } from '../support/attributes.ts';
import { cityGml, type House, LAT, LAT_M, LON, LON_M, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { built } from './run-build.ts';

/** Sides of a third-order grid square at the test cities, metres. */
const [WIDTH, HEIGHT] = [1131.25, 924.58];
const SIDE = 5;

const house = (number: number, east: number, north: number): House => ({
  id: `27125-bldg-${number}`,
  east,
  north,
  width: 8,
  depth: 8,
  height: 6,
});

/** A house in the middle of every fifth-order square of a city of five by five squares, by columns and rows of those. */
const QUARTERS = Array.from({ length: (4 * SIDE) ** 2 }, (_, i) => {
  const [column, row] = [i % (4 * SIDE), Math.floor(i / (4 * SIDE))];
  return house(10_000 + 100 * column + row, (column + 0.5) * (WIDTH / 4), (row + 0.5) * (HEIGHT / 4));
});

/** Metres from a house to the edge of what lies west of a column of fifth-order squares. */
const toEdge = ({ east, north }: House, columns = 4 * SIDE): number =>
  Math.min(east, (columns / 4) * WIDTH - east, north, SIDE * HEIGHT - north);

const numbers = (houses: Iterable<House>): number[] => [...houses].map(({ id }) => Number(id?.slice(11)));

/** Where a house stands: the middle of its footprint, degrees. */
const placeOf = ({ east, north, width, depth }: House) => ({
  lat: LAT + (north + depth / 2) / LAT_M,
  lon: LON + (east + width / 2) / LON_M,
});

const NO_CENSUS: Census = { townAt: () => null, hasIdOfItsTown: () => true };

/** Numbers of the houses that are open, as the rules have it for a city of houses without census areas. */
function openAmong(houses: readonly House[]): number[] {
  const squares = Map.groupBy(houses, (one) => gridSquareOf(placeOf(one).lat, placeOf(one).lon));
  const lands = [...squares].map(([code, there]) => landOf(code, squareOf(there.map(placeOf)), NO_CENSUS));
  const empty = emptyPartsOf(lands);
  const parts = new Map([...squares.keys()].map((code, i) => [code, empty[i]!]));
  const open = [...squares].flatMap(([code, there]) => {
    const gaps = gapsAround(code, (other) => parts.get(other) ?? null).map(gridSquareBounds);
    return there.filter((one) => surroundingsAt(placeOf(one).lat, placeOf(one).lon, gaps) === 'open');
  });
  return numbers(houses.filter((one) => open.includes(one)));
}

/** Buildings of a metre at places. */
function squareOf(places: readonly { lat: number; lon: number; townCode?: string }[]): SquareBuildings {
  const builder = new SquareBuilder();
  for (const { lat, lon, townCode = null } of places) {
    const ring = Float64Array.of(lat, lon, lat, lon + 1e-5, lat + 1e-5, lon + 1e-5);
    builder.add({
      buildingId: '13101-bldg-1',
      footprints: [{ rings: [ring] }],
      lat,
      lon,
      townCode,
      ...ONLY_LOD1,
      baseM: 0,
      topM: 6,
    });
  }
  return builder.finish();
}

it('of a city without census areas, houses near its edge and near an empty square in it are open', () => {
  const all = [
    ...QUARTERS,
    house(900, 2.5 * WIDTH, HEIGHT + 30), // 955 m from the southern edge of the city
    house(901, 2.5 * WIDTH, HEIGHT + 130), // 1,055 m
    house(902, WIDTH + 30, 2.5 * HEIGHT), // 1,161 m from the western edge, 1,101 m from the square in the middle
  ];
  assert.deepEqual(openAmong(all), numbers(all.filter((one) => toEdge(one) < 1000)));
  const inMiddle = ({ east, north }: House): boolean =>
    Math.floor(east / WIDTH) === 2 && Math.floor(north / HEIGHT) === 2;
  const holed = all.filter((one) => !inMiddle(one));
  const open = new Set(openAmong(holed));
  const complete = numbers(holed).filter((number) => !open.has(number));
  assert.ok(complete.includes(902) && !complete.includes(901));
});

it('where the border of what was loaded crosses grid squares, a dataset says so of every house within 1 km of it', async (t) => {
  // East of 3.5 squares nothing was loaded, and in the middle of a square lies a lake.
  const [border, lake] = [14, 10_606];
  const houses = QUARTERS.filter((one) => toEdge(one, border) > 0 && numbers([one])[0] !== lake);
  const expected = numbers(houses.filter((one) => toEdge(one, border) < 1000));
  assert.deepEqual(openAmong(houses), expected);

  const folder = tempFolder(t);
  await writeFiles(join(folder, 'model'), { 'city.gml': cityGml(houses) });
  const { dataset } = await built({ out: join(folder, 'data'), citygml: [join(folder, 'model')] });
  const opened = await openDataset(dataset);
  const ofRecord = ({ id }: House) => opened.sunlight?.summary(id ?? '')?.toJSON().quality.surroundings;
  assert.deepEqual(numbers(houses.filter((one) => ofRecord(one) === 'open')), expected);
  await opened.close();
  const scenes = DatasetScenes.open(dataset, (name) => readFileSync(join(dataset, name)));
  const ofPoint = (one: House) => scenes.surroundingsAt(placeOf(one).lat, placeOf(one).lon);
  assert.deepEqual(numbers(houses.filter((one) => ofPoint(one) === 'open')), expected);
});

it('land of a town with households and no building of its own is missing; parks, water and offices are not', () => {
  const code = '53394611';
  const { south, north, west, east } = gridSquareBounds(code);
  const parts = fifthOrderSquares(code);
  const square = (...places: [part: number, townCode: string][]) =>
    squareOf(places.map(([part, townCode]) => ({ ...gridSquareCentre(parts[part] ?? ''), townCode })));
  /** The south is a town of 13101, the north one of 13102, but for the westernmost quarter of it, which is sea. */
  const census = (households: number | null, hasIdOfItsTown: Census['hasIdOfItsTown'] = () => true): Census => ({
    townAt(lat, lon) {
      if (lat < (south + north) / 2) return { townCode: '131010010', households: 10 };
      return lon < west + (east - west) / 4 ? null : { townCode: '131020010', households };
    },
    hasIdOfItsTown,
  });
  const emptyParts = (own: SquareBuildings, asked: Census = census(20)) => emptyPartsOf([landOf(code, own, asked)])[0]!;
  const sea = (1 << 8) | (1 << 12);
  const northern = 0xff00 & ~sea;
  const own: [number, string][] = [[0, '131010010']];
  assert.deepEqual(emptyParts(square(...own)), { unknown: sea, missing: northern });
  // One house anywhere in a town shows that it was loaded, in whichever square it stands.
  assert.deepEqual(emptyParts(square(...own, [9, '131020010'])), { unknown: sea, missing: 0 });
  const lands = [square(...own), square([9, '131020010'])].map((one) => landOf(code, one, census(20)));
  assert.equal(emptyPartsOf(lands)[0]!.missing, 0);
  // A park or an office district, where nobody lives, and a town of which the census says nothing.
  assert.deepEqual(emptyParts(square(...own), census(0)), { unknown: sea, missing: 0 });
  assert.deepEqual(emptyParts(square(...own), census(null)), { unknown: sea, missing: northern });
  // A house of the neighbours that stands beyond the border does not show that the town was loaded.
  const stray = square(...own, [9, '131020010']);
  assert.deepEqual(
    emptyParts(
      stray,
      census(20, (row) => row !== 1),
    ),
    { unknown: sea, missing: northern },
  );
  const noCensus = emptyParts(squareOf([gridSquareCentre(parts[0] ?? '')]), NO_CENSUS);
  assert.deepEqual(noCensus, { unknown: 0xfffe, missing: 0 });
});
