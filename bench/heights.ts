/**
 * What the published city models say of heights and storeys, and how well the rules of this program follow them.
 *
 *   npm run bench:heights [-- --part methods|storeys|roofs]
 *
 *   methods  how each file found its heights, and how many buildings are placeholders
 *   storeys  errors of the estimated storeys by class (the constants of src/sunlight/storeys.ts) and by city; rules fitted to one
 *            city and tried on the others
 *   roofs    LOD1 tops and measured heights beside the roofs of LOD2
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { Building } from '../src/plateau/building.ts';
import { BuildingReader } from '../src/plateau/reader.ts';
import { STOREYS_RULES, type StoreysClass, storeysClass, storeysOf } from '../src/sunlight/storeys.ts';
import { sharedData } from '../test/support/shared-data.ts';
import { quantile } from './serving/output.ts';

/** A city, or a file with a part of one. */
interface Source {
  name: string;
  buildings: Building[];
}

const FOLDERS = ['osaka', 'sagamihara', 'lod2', 'versions'];
/** Cities whose files are all read together. */
const WHOLE = new Set(['osaka', 'sagamihara']);
/** Least number of buildings for the error of a class. */
export const LEAST_BUILDINGS = 30;

function readFile(path: string): Building[] {
  const buildings: Building[] = [];
  const reader = new BuildingReader(basename(path), { building: (one) => buildings.push(one), issue: () => {} });
  reader.feed(readFileSync(path));
  reader.end();
  return buildings;
}

const filesIn = (folder: string): string[] => {
  const path = sharedData(`plateau/${folder}`);
  if (path === null) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith('.gml'))
    .map((name) => `${path}/${name}`);
};

/** The published files. */
export function readSources(): Source[] {
  return FOLDERS.flatMap((folder) => {
    const files = filesIn(folder).map((path) => ({ name: basename(path, '.gml'), buildings: readFile(path) }));
    return WHOLE.has(folder) ? [{ name: folder, buildings: files.flatMap(({ buildings }) => buildings) }] : files;
  });
}

const heightOf = ({ baseM, topM }: Building): number => topM - baseM;
const isPlaceholder = ({ heightMethod }: Building): boolean => heightMethod === '0';
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const spreadOf = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`.padStart(5);
const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(2)}`;

function methods(sources: readonly Source[]): void {
  console.log('How LOD1 heights were found (code of lod1HeightType: buildings)');
  for (const { name, buildings } of sources) {
    const by = Map.groupBy(buildings, ({ heightMethod }) => heightMethod ?? 'none');
    const counts = [...by].sort().map(([code, list]) => `${code}: ${list.length}`);
    const boxes = buildings.filter(isPlaceholder);
    const withStoreys = boxes.filter(({ storeys }) => storeys !== null).length;
    const about = boxes.length > 0 ? `; placeholders with published storeys: ${withStoreys}` : '';
    console.log(`  ${name.padEnd(32)} ${buildings.length} buildings; ${counts.join(', ')}${about}`);
  }
}

/** Buildings with known height and storeys. */
const known = ({ buildings }: Source): Building[] =>
  buildings.filter((building) => building.storeys !== null && !isPlaceholder(building));

const errorsOf = (buildings: readonly Building[], estimate: (building: Building) => number): number[] =>
  buildings.map((building) => estimate(building) - (building.storeys ?? 0));

function errorText(errors: readonly number[]): string {
  const share = (of: (error: number) => boolean): string => percent(errors.filter(of).length / errors.length);
  const exact = share((error) => error === 0);
  const near = share((error) => Math.abs(error) <= 1);
  return `n ${String(errors.length).padStart(4)}  exact ${exact}  within 1 ${near}  bias ${signed(mean(errors))}  spread ${spreadOf(errors).toFixed(2)}`;
}

const byRule = (building: Building): number => storeysOf(null, heightOf(building), building.usageCode).storeys;
const withoutUse = (building: Building): number => storeysOf(null, heightOf(building), null).storeys;
const byThreeMetres = (building: Building): number => Math.max(1, Math.round(heightOf(building) / 3));

/**
 * Prints the errors of each class of the rule. For the class without a use, it ignores the use of buildings that have
 * one, but leaves out halls: a port has many of them, a town few.
 */
export function classErrors(sources: readonly Source[]): Map<StoreysClass, number[]> {
  const all = sources.flatMap(known);
  const errors = new Map<StoreysClass, number[]>();
  for (const building of all) {
    const isHall = classOf(building).startsWith('hall');
    for (const usageCode of isHall ? [building.usageCode] : [building.usageCode, null]) {
      const estimate = storeysOf(null, heightOf(building), usageCode).storeys;
      const name = storeysClass(heightOf(building), usageCode);
      const list = errors.get(name) ?? [];
      list.push(estimate - (building.storeys ?? 0));
      errors.set(name, list);
    }
  }
  return errors;
}

function storeys(sources: readonly Source[]): void {
  const pairs = sources.map((source) => ({ name: source.name, buildings: known(source) }));
  const large = pairs.filter(({ buildings }) => buildings.length >= LEAST_BUILDINGS);
  console.log('\nEstimated less published storeys, by class');
  const errors = classErrors(sources);
  for (const [name, { metresPerStorey }] of Object.entries(STOREYS_RULES)) {
    const list = errors.get(name as StoreysClass) ?? [];
    const text = list.length >= LEAST_BUILDINGS ? errorText(list) : `n ${String(list.length).padStart(4)}  too few`;
    console.log(`  ${name.padEnd(14)} ${metresPerStorey} m a storey  ${text}`);
  }
  console.log('\nBy city: this rule, this rule without the use, 3 m a storey');
  for (const { name, buildings } of large) {
    for (const [what, estimate] of Object.entries({ rule: byRule, 'no use': withoutUse, '3 m': byThreeMetres })) {
      console.log(`  ${name.padEnd(32)} ${what.padEnd(8)} ${errorText(errorsOf(buildings, estimate))}`);
    }
  }
  crossValidation(large);
}

/** Tried values of metres per storey. */
const TRIED = Array.from({ length: 71 }, (_, i) => 2.5 + i / 10);

/** For the buildings of one class: the metres per storey with the least mean error; among equal ones the middle one. */
function fitted(buildings: readonly Building[]): number {
  const tries = TRIED.map((metres) => ({
    metres,
    error: mean(errorsOf(buildings, (one) => Math.max(1, Math.round(heightOf(one) / metres))).map(Math.abs)),
  }));
  const least = Math.min(...tries.map(({ error }) => error));
  const best = tries.filter(({ error }) => error <= least + 1e-9);
  return best[best.length >> 1]?.metres ?? Number.NaN;
}

const classOf = (building: Building): StoreysClass => storeysClass(heightOf(building), building.usageCode);

function crossValidation(cities: readonly Source[]): void {
  console.log('\nMetres a storey fitted to one city, and the mean error (storeys) there and in the others');
  for (const name of Object.keys(STOREYS_RULES) as StoreysClass[]) {
    const inClass = cities
      .map((city) => ({ name: city.name, buildings: city.buildings.filter((one) => classOf(one) === name) }))
      .filter(({ buildings }) => buildings.length >= LEAST_BUILDINGS);
    for (const city of inClass) {
      const metres = fitted(city.buildings);
      const tried = inClass.map((other) => {
        const error = (rule: number): string =>
          mean(errorsOf(other.buildings, (one) => Math.max(1, Math.round(heightOf(one) / rule))).map(Math.abs)).toFixed(
            2,
          );
        return `${other.name.slice(0, 14)} ${error(metres)} (rule ${error(STOREYS_RULES[name].metresPerStorey)}, 3 m ${error(3)})`;
      });
      console.log(
        `  ${name.padEnd(12)} ${city.name.slice(0, 14).padEnd(14)} ${metres.toFixed(1)} m: ${tried.join('; ')}`,
      );
    }
  }
}

const BUILDING = /<bldg:Building .*?<\/bldg:Building>/gs;
const ROOF = /<bldg:RoofSurface.*?<\/bldg:RoofSurface>/gs;
const RING = /<gml:exterior>\s*<gml:LinearRing[^>]*>\s*<gml:posList[^>]*>([^<]*)</gs;

/** Area seen from above, and mean height, of a ring `lat lon z …`. */
function ringFromAbove(text: string): { area: number; z: number; high: number } {
  const numbers = text.trim().split(/\s+/).map(Number);
  const points = Array.from(
    { length: numbers.length / 3 },
    (_, i) => numbers.slice(3 * i, 3 * i + 3) as [number, number, number],
  );
  const [lat0, lon0] = points[0] ?? [0, 0];
  const flat = points.map(([lat, lon, z]) => ({
    x: (lon - lon0) * 111_320 * Math.cos((lat0 * Math.PI) / 180),
    y: (lat - lat0) * 110_950,
    z,
  }));
  let [area, moment] = [0, 0];
  for (let i = 1; i + 1 < flat.length; i++) {
    const [a, b, c] = [flat[0]!, flat[i]!, flat[i + 1]!];
    const twice = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    area += twice / 2;
    moment += ((twice / 2) * (a.z + b.z + c.z)) / 3;
  }
  const high = Math.max(...flat.map(({ z }) => z));
  return { area: Math.abs(area), z: area === 0 ? high : moment / area, high };
}

/** Compares LOD1 tops, measured heights and LOD2 roofs of the buildings that publish all three. */
function roofs(): void {
  console.log('\nHeights of buildings with LOD1 and LOD2, less the mean height of the LOD2 roof seen from above (m)');
  for (const path of [...filesIn('lod2'), ...filesIn('versions')]) {
    const text = readFileSync(path, 'utf8');
    const byId = new Map(readFile(path).map((building) => [building.gmlId, building]));
    const found = [...text.matchAll(BUILDING)].flatMap(([element]) => {
      const id = /gml:id="([^"]*)"/.exec(element)?.[1] ?? '';
      const building = byId.get(id);
      const rings = [...element.matchAll(ROOF)].flatMap(([roof]) =>
        [...roof.matchAll(RING)].map(([, ring = '']) => ringFromAbove(ring)),
      );
      const area = rings.reduce((sum, ring) => sum + ring.area, 0);
      if (
        building === undefined ||
        building.lod !== 1 ||
        building.measuredHeightM === null ||
        isPlaceholder(building) ||
        !(area > 0)
      )
        return [];
      const roof = rings.reduce((sum, ring) => sum + ring.area * ring.z, 0) / area;
      const high = Math.max(...rings.map((ring) => ring.high));
      const measured = building.baseM + building.measuredHeightM;
      return [
        {
          solid: building.topM - roof,
          measured: measured - roof,
          highest: high - roof,
          solidBelow: building.topM - high,
          measuredBelow: measured - high,
        },
      ];
    });
    if (found.length === 0) continue;
    console.log(`  ${basename(path, '.gml')}: ${found.length} buildings`);
    const line = (name: string, of: (one: (typeof found)[number]) => number): void => {
      const values = found.map(of);
      const [low, middle, up] = [0.1, 0.5, 0.9].map((share) => signed(quantile(values, share)));
      console.log(
        `    ${name.padEnd(28)} mean ${signed(mean(values))}  mean |…| ${mean(values.map(Math.abs)).toFixed(2)}  p10 ${low}  median ${middle}  p90 ${up}`,
      );
    };
    line('LOD1 top', ({ solid }) => solid);
    line('base + measuredHeight', ({ measured }) => measured);
    line('highest point of LOD2', ({ highest }) => highest);
    line('measuredHeight less highest', ({ measuredBelow }) => measuredBelow);
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { part: { type: 'string' } } });
  const isAsked = (part: string): boolean => values.part === undefined || values.part === part;
  const sources = readSources();
  if (sources.length === 0) console.log('real data not here: ../shared/data/plateau');
  else {
    if (isAsked('methods')) methods(sources);
    if (isAsked('storeys')) storeys(sources);
    if (isAsked('roofs')) roofs();
  }
}
