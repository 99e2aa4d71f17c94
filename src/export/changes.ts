import { VARCHAR } from '@duckdb/node-api';
import { propertiesOf } from '../contract/geojson.ts';
import type { BuildingContents, DatasetContents, FacilityContents } from '../dataset/contents.ts';
import { byCodeUnits } from '../formats/files.ts';
import { type ParquetColumn, writeParquet } from '../formats/parquet.ts';
import { DIRECTIONS } from '../geo/compass.ts';
import { multiPolygonOf, timeOfDay } from '../record/answers.ts';
import type { BuildingBody } from '../record/building-record.ts';
import { hoursOf, hundredthHours } from '../record/units.ts';
import { type FaceSunlight, FLOOR_CLASSES, MONTHS } from '../sunlight/result.ts';
import { hidamariKey } from './geoparquet.ts';

/** A difference between two datasets: a thing that was added or removed, or one value that changed. */
export interface Change {
  kind: 'building' | 'facility';
  id: string;
  change: 'added' | 'removed' | 'changed';
  /** The value that changed, by its name in the answers; null for things that were added or removed. */
  member: string | null;
  old: unknown;
  new: unknown;
}

/** A thing in the two datasets; null in the dataset that does not have it. */
export interface Pair<T> {
  old: T | null;
  new: T | null;
  changes: readonly Change[];
}

/** Receives every thing, changed or not. */
interface Counter {
  building(pair: Pair<BuildingContents>): void;
  facility(pair: Pair<FacilityContents>): void;
}

/** All differences in order of ID, buildings first. */
export function* changesBetween(old: DatasetContents, now: DatasetContents, counter?: Counter): Generator<Change> {
  const [building, facility] = [counter?.building.bind(counter), counter?.facility.bind(counter)];
  yield* pairs('building', old.buildings(), now.buildings(), buildingValues, building);
  yield* pairs('facility', old.facilities(), now.facilities(), facilityValues, facility);
}

const facilityValues = (a: FacilityContents, b: FacilityContents): Iterable<Value> =>
  a.json.equals(b.json) ? [] : jsonValues(a.answer(), b.answer(), '');

/** One changed value. */
type Value = Pick<Change, 'old' | 'new'> & { member: string };

/** Walks two lists, both in order of ID, side by side. */
function* pairs<T extends { id: string }>(
  kind: Change['kind'],
  old: Iterator<T>,
  now: Iterator<T>,
  compare: (a: T, b: T) => Iterable<Value>,
  count?: (pair: Pair<T>) => void,
): Generator<Change> {
  let [a, b] = [old.next(), now.next()];
  const whole = { member: null, old: null, new: null };
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : byCodeUnits(a.value.id, b.value.id);
    const before: T | null = order <= 0 ? a.value : null;
    const after: T | null = order >= 0 ? b.value : null;
    const changes: Change[] = [];
    if (before !== null && after !== null)
      for (const value of compare(before, after)) changes.push({ kind, id: before.id, change: 'changed', ...value });
    else if (before !== null) changes.push({ kind, id: before.id, change: 'removed', ...whole });
    else if (after !== null) changes.push({ kind, id: after.id, change: 'added', ...whole });
    count?.({ old: before, new: after, changes });
    yield* changes;
    if (order <= 0) a = old.next();
    if (order >= 0) b = now.next();
  }
}

/**
 * The changed values of a building. Short values are compared one by one. Of hours and of windows, only the month with
 * the largest change is given.
 */
function* buildingValues(a: BuildingContents, b: BuildingContents): Generator<Value> {
  if (same(a.bytes, b.bytes) && same(a.kept, b.kept)) return;
  const [oldHead, newHead] = [a.head(), b.head()];
  yield* jsonValues(propertiesOf(a.summary(oldHead)), propertiesOf(b.summary(newHead)), '');
  const shapes = [oldHead, newHead].map(({ footprints }) => multiPolygonOf(footprints));
  if (JSON.stringify(shapes[0]) !== JSON.stringify(shapes[1])) {
    yield { member: 'footprint', old: shapes[0], new: shapes[1] };
  }
  const [oldBody, newBody] = [a.body(), b.body()];
  const sources = [oldBody, newBody].map(({ shadingSources }) =>
    shadingSources.map(({ kind, buildingId }) => (kind === 'terrain' ? kind : buildingId)),
  );
  if (sources[0].join() !== sources[1].join()) {
    yield { member: 'shading_sources', old: sources[0], new: sources[1] };
  }
  yield* sunValues(oldBody, newBody);
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * The changes of the sun of a building: faces that were added or removed, and the month of a face and floor class that
 * changed most, for hours and for windows.
 */
function* sunValues(old: BuildingBody, now: BuildingBody): Generator<Value> {
  const names = [old, now].map(({ faces }) => faces.map(({ face }) => DIRECTIONS[face]));
  if (names[0].join() !== names[1].join()) yield { member: 'faces', old: names[0], new: names[1] };
  let [mostHours, mostMinutes]: [most: number, most: number] = [0, 0];
  let [hours, windows]: (Value | null)[] = [null, null];
  for (const a of old.faces) {
    const b = now.faces.find(({ face }) => face === a.face);
    if (b === undefined) continue;
    for (let at = 0; at < FLOOR_CLASSES.length * MONTHS; at++) {
      const [before, after] = [hundredthHours(a.sunMinutes[at]), hundredthHours(b.sunMinutes[at])];
      if (Math.abs(after - before) > mostHours) {
        mostHours = Math.abs(after - before);
        hours = { member: valueName(a, at, 'direct_sun_hours'), old: hoursOf(before), new: hoursOf(after) };
      }
      const moved = windowShift(a.windows[at], b.windows[at]);
      if (moved > mostMinutes) {
        mostMinutes = moved;
        const texts = [a, b].map(({ windows }) => windowTexts(windows[at]));
        windows = { member: valueName(a, at, 'sunlit_windows'), old: texts[0], new: texts[1] };
      }
    }
  }
  if (hours !== null) yield hours;
  if (windows !== null) yield windows;
}

const valueName = ({ face }: FaceSunlight, at: number, name: string): string =>
  `faces.${DIRECTIONS[face]}.${FLOOR_CLASSES[Math.floor(at / MONTHS)]}.${(at % MONTHS) + 1}.${name}`;

const windowTexts = (ends: readonly number[]): string[] =>
  Array.from({ length: ends.length / 2 }, (_, i) => `${timeOfDay(ends[2 * i])}-${timeOfDay(ends[2 * i + 1])}`);

/** The minutes of the day that are in exactly one of two lists of windows. */
function windowShift(a: readonly number[], b: readonly number[]): number {
  // Between two neighbouring ends, a list is inside a window when an odd number of its own ends lie before.
  const ends = [...a, ...b].sort((x, y) => x - y);
  let minutes = 0;
  for (let i = 0; i + 1 < ends.length; i++) {
    const inside = (list: readonly number[]): boolean => list.filter((end) => end <= ends[i]).length % 2 === 1;
    if (inside(a) !== inside(b)) minutes += ends[i + 1] - ends[i];
  }
  return minutes;
}

/** The values in which two JSON values differ, by their path. The path names things in lists by their code. */
function* jsonValues(a: unknown, b: unknown, path: string): Generator<Value> {
  if (JSON.stringify(a) === JSON.stringify(b)) return;
  const [left, right] = [membersOf(a), membersOf(b)];
  if (left === null || right === null) {
    yield { member: path, old: a ?? null, new: b ?? null };
    return;
  }
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    yield* jsonValues(left.get(name), right.get(name), path === '' ? name : `${path}.${name}`);
  }
}

/** The members of an object or of a list of objects; null for other values. */
function membersOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  if (value.some((one) => typeof one !== 'object' || one === null)) return null;
  return new Map(value.map((one, i) => [String(one.service_code ?? one.kind ?? i), one]));
}

/** A changed value as one text. */
export const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);

const CHANGE_COLUMNS: readonly ParquetColumn<Change>[] = [
  { name: 'kind', description: 'building or facility.', type: VARCHAR, value: ({ kind }) => kind },
  { name: 'id', description: 'Building ID or office number.', type: VARCHAR, value: ({ id }) => id },
  { name: 'change', description: 'added, removed or changed.', type: VARCHAR, value: ({ change }) => change },
  {
    name: 'member',
    description: 'The value that changed, by the names of the answers; null: the whole came or went.',
    type: VARCHAR,
    value: ({ member }) => member,
  },
  {
    name: 'old',
    description: 'The value before, as JSON unless it is a text; null: unknown or none.',
    type: VARCHAR,
    value: (change) => textOf(change.old),
  },
  { name: 'new', description: 'The value after, likewise.', type: VARCHAR, value: (change) => textOf(change.new) },
];

/** Writes changes as a Parquet file. Returns their number. Throws like `writeParquet`. */
export function writeChanges(path: string, changes: Iterable<Change>, about: Record<string, string>): Promise<number> {
  return writeParquet(path, CHANGE_COLUMNS, changes, hidamariKey(about, CHANGE_COLUMNS));
}
