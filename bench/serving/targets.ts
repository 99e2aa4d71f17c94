import { decodeSquare } from '../../src/city/square-file.ts';
import { parseSquareIndex, SQUARES_INDEX, squareFileName } from '../../src/city/square-summary.ts';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { sunlightBuilding } from '../../src/contract/operations/sunlight-building.ts';
import { sunlightBuildingFloor } from '../../src/contract/operations/sunlight-building-floor.ts';
import { sunlightBuildingSky } from '../../src/contract/operations/sunlight-building-sky.ts';
import { sunlightPoint } from '../../src/contract/operations/sunlight-position.ts';
import { fillPath } from '../../src/contract/parameter.ts';
import { openNewest } from '../../src/dataset/open.ts';
import type { SunlightAnswers } from '../../src/dataset/sunlight.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../../src/dataset/sunlight-store.ts';
import { textAt } from '../../src/formats/column-file.ts';
import { openFiles } from '../../src/snapshot/dataset-files.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

/** The requests of an operation, in turn. */
export interface Series {
  /** The operation ID of the contract. */
  operation: string;
  paths: string[];
}

export interface Place {
  lat: number;
  lon: number;
}

/** More summaries than the server caches. Larger answers need fewer. */
const MOST = { buildings: 20_000, answers: 2_000 };
/** Radius of `near`, metres: in Tokyo most such circles contain more than the limit of 50 buildings. */
export const NEAR_RADIUS = 100;

/** Requests for every operation with the values of a dataset, in a random order that is always the same. */
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
    return [{ operation: operation.id, paths: values.map((value) => fillPath(operation.path, value)) }];
  });
  return { series, places };
}

/** Requests in one grid square that the server has not used, one per building; all of one kind are different. */
export interface SquareTargets {
  floors: string[];
  /** The same floors with their intervals. */
  intervals: string[];
  points: string[];
  skies: string[];
  /** Look-ups of the same buildings. */
  summaries: string[];
}

/**
 * Floors (one of each building, random), points (11 m north of each building, 1.5 m above the ground) and skies of at
 * most `squares` grid squares of a dataset. The choice is random, every building has the same probability, and each run
 * makes the same choice. Only these squares are read.
 * @param buildings number in all squares together, divided equally among them where possible
 */
export async function computedTargets(data: string, squares: number, buildings: number): Promise<SquareTargets[]> {
  const { dataset, refused } = await openNewest(data);
  if (dataset === null || dataset.sunlight === null) {
    throw new Error([`${data}: no dataset with buildings`, ...refused].join('; '));
  }
  const { files, sunlight } = dataset;
  const served = parseSquareIndex(await files.read(SQUARES_INDEX)).filter((square) => square.served > 0);
  const draw = chance();
  const drawn = served
    .map(({ square, served: weight }) => ({ square, turn: Math.log(draw()) / weight }))
    .sort((a, b) => b.turn - a.turn)
    .slice(0, squares);
  const targets: SquareTargets[] = [];
  for (const { square } of drawn) {
    const ids = idsIn(await files.read(squareFileName(square)), square);
    targets.push(targetsOf(sunlight, ids, Math.ceil(buildings / drawn.length)));
  }
  await dataset.close();
  return targets;
}

/** The building IDs of a grid square in random order. */
function idsIn(bytes: Uint8Array, name: string): string[] {
  const { square } = decodeSquare(bytes, name, { isChecked: true });
  return shuffled(Array.from({ length: square.count }, (_, row) => textAt(square.ids, row) ?? []).flat());
}

function targetsOf(sunlight: SunlightAnswers, ids: readonly string[], most: number): SquareTargets {
  const targets: SquareTargets = { floors: [], intervals: [], points: [], skies: [], summaries: [] };
  for (const [i, building_id] of ids.entries()) {
    const summary = sunlight.summary(building_id)?.toJSON();
    if (summary === undefined) continue;
    const { lat, lon, storeys } = summary;
    const floor = `${1 + ((i * 7919) % storeys)}`;
    targets.floors.push(fillPath(sunlightBuildingFloor.path, { building_id, floor }));
    targets.intervals.push(fillPath(sunlightBuildingFloor.path, { building_id, floor, interval: 'true' }));
    targets.points.push(fillPath(sunlightPoint.path, { lat: `${lat + 0.0001}`, lon: `${lon}`, height_m: '1.5' }));
    targets.summaries.push(fillPath(sunlightBuilding.path, { building_id }));
    const face = summary.december_top_best?.face;
    if (face !== undefined) targets.skies.push(fillPath(sunlightBuildingSky.path, { building_id, face, floor }));
    if (targets.floors.length === most) break;
  }
  return targets;
}

async function buildingIds(folder: string): Promise<string[]> {
  const files = await openFiles(folder);
  try {
    return [...new SunlightStore(files.open(SUNLIGHT_STORE)).records('')].map(({ buildingId }) => buildingId);
  } finally {
    files.close();
  }
}

/** Random numbers between 0 and 1, always the same. */
function chance(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** The list in a random order that is always the same. */
export function shuffled<T>(list: T[]): T[] {
  const draw = chance();
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}
