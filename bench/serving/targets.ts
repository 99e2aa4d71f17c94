import { requestTarget } from '../../src/contract/operation.ts';
import { sunlightBuildingFloor } from '../../src/contract/operations/sunlight-building-floor.ts';
import { sunlightPoint } from '../../src/contract/operations/sunlight-position.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { openNewest } from '../../src/dataset/open.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../../src/dataset/sunlight-store.ts';
import { gridSquareOf } from '../../src/geo/grid-square.ts';
import { openFiles } from '../../src/snapshot/dataset-files.ts';

/** What is asked of an operation, in turn. */
export interface Series {
  /** As in the contract. */
  operation: string;
  paths: string[];
}

export interface Place {
  lat: number;
  lon: number;
}

/** More summaries than the server keeps in memory; of the larger answers, fewer are as much. */
const MOST = { buildings: 20_000, answers: 2_000 };
/** Radius of `near`, metres: in Tokyo most such circles hold more than the 50 buildings that are given. */
export const NEAR_RADIUS = 100;

/** Requests for every operation, with the things that a dataset holds, in an order of chance that is always the same. */
export async function everySeries(data: string): Promise<{ series: Series[]; places: Place[] }> {
  const { dataset, refused } = await openNewest(data);
  if (dataset === null) throw new Error([`${data}: no dataset`, ...refused].join('; '));
  const asked: Record<string, Record<string, string>[]> = {};
  const places: Place[] = [];
  const { sunlight, kaigo, folder } = dataset;
  if (sunlight !== null) {
    const ids = shuffled(await buildingIds(folder)).slice(0, MOST.buildings);
    for (const id of ids.slice(0, MOST.answers)) {
      const { lat, lon } = sunlight.summary(id)!.toJSON();
      places.push({ lat, lon });
    }
    const towns = sunlight.towns().filter(({ town_code }) => sunlight.town(town_code, 1, 1)?.toJSON().total);
    const few = ids.slice(0, MOST.answers).map((building_id) => ({ building_id }));
    asked['sunlight-building'] = ids.map((building_id) => ({ building_id }));
    asked['sunlight-building-full'] = few;
    asked['sunlight-near'] = places.map(({ lat, lon }) => ({ lat: `${lat}`, lon: `${lon}`, r: `${NEAR_RADIUS}` }));
    asked['sunlight-town-buildings'] = towns.map(({ town_code }) => ({ town_code }));
    asked['sunlight-bulk'] = [...new Set(ids.map((id) => id.slice(0, 5)))].map((ward_code) => ({ ward_code }));
    asked['sunlight-towns'] = [{}];
  }
  if (kaigo !== null) {
    const tables = kaigo
      .municipalities()
      .flatMap(({ municipality_code, services }) =>
        services.map(({ service_code }) => ({ municipality_code, service_code })),
      );
    const few = shuffled(tables).slice(0, MOST.answers);
    const facilities = few.flatMap(({ municipality_code, service_code }) => {
      const found = kaigo.municipality(municipality_code, service_code, 'id', 1, 100);
      return found?.toJSON().facilities ?? [];
    });
    asked['kaigo-facility'] = facilities.slice(0, MOST.buildings).map(({ facility_id }) => ({ facility_id }));
    asked['kaigo-municipality'] = few;
    const placed = facilities.filter(({ lat }) => lat !== null).slice(0, MOST.answers);
    asked['kaigo-near'] = placed.map(({ lat, lon }) => ({ lat: `${lat}`, lon: `${lon}` }));
    const prefectures = new Set(kaigo.municipalities().map((one) => one.prefecture_code));
    asked['kaigo-bulk'] = [...prefectures].map((prefecture_code) => ({ prefecture_code }));
    asked['kaigo-municipalities'] = [{}];
  }
  asked.openapi = [{}];
  await dataset.close();
  const series = OPERATIONS.flatMap((operation) => {
    const values = asked[operation.id] ?? [];
    if (values.length === 0) return [];
    return [{ operation: operation.id, paths: values.map((value) => requestTarget(operation, value)) }];
  });
  return { series, places };
}

/** What is asked of one grid square of which nothing is known yet. */
export interface SquareTargets {
  floors: string[];
  points: string[];
}

/**
 * Floors (one of each building, by chance) and points (11 m north of each building, 1.5 m above the ground) of every grid
 * square of a dataset, at most `most` of each square, in an order of chance that is always the same.
 */
export async function computedTargets(data: string, most: number): Promise<SquareTargets[]> {
  const { dataset, refused } = await openNewest(data);
  if (dataset === null || dataset.sunlight === null) {
    throw new Error([`${data}: no dataset with buildings`, ...refused].join('; '));
  }
  const squares = new Map<string, SquareTargets>();
  for (const [i, building_id] of shuffled(await buildingIds(dataset.folder)).entries()) {
    const { lat, lon, storeys } = dataset.sunlight.summary(building_id)!.toJSON();
    const code = gridSquareOf(lat, lon);
    const square = squares.get(code) ?? { floors: [], points: [] };
    squares.set(code, square);
    if (square.floors.length >= most) continue;
    square.floors.push(requestTarget(sunlightBuildingFloor, { building_id, floor: `${1 + ((i * 7919) % storeys)}` }));
    square.points.push(requestTarget(sunlightPoint, { lat: `${lat + 0.0001}`, lon: `${lon}`, height_m: '1.5' }));
  }
  await dataset.close();
  return shuffled([...squares.values()]);
}

async function buildingIds(folder: string): Promise<string[]> {
  const files = await openFiles(folder);
  try {
    return [...new SunlightStore(files.open(SUNLIGHT_STORE)).records('')].map(({ buildingId }) => buildingId);
  } finally {
    files.close();
  }
}

function shuffled<T>(list: T[]): T[] {
  let state = 1;
  for (let i = list.length - 1; i > 0; i--) {
    state = (state * 48271) % 0x7fffffff;
    const j = state % (i + 1);
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}
