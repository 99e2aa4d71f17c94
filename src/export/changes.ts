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

/** What differs between two datasets: a change for each thing that came or went, and for each value that is another. */
export interface Change {
  kind: 'building' | 'facility';
  id: string;
  change: 'added' | 'removed' | 'changed';
  /** The value that changed, by the names of the answers; null for things that came or went. */
  member: string | null;
  old: unknown;
  new: unknown;
}

/** A thing as it is in the two datasets; null where it is not there. */
export interface Pair<T> {
  old: T | null;
  new: T | null;
  changes: readonly Change[];
}

/** Is told of each thing, also of those that did not change. */
interface Counter {
  building(pair: Pair<BuildingContents>): void;
  facility(pair: Pair<FacilityContents>): void;
}

/** Every difference, buildings first, in order of ID. */
export function* changesBetween(old: DatasetContents, now: DatasetContents, counter?: Counter): Generator<Change> {
  const [building, facility] = [counter?.building.bind(counter), counter?.facility.bind(counter)];
  yield* merged('building', old.buildings(), now.buildings(), buildingValues, building);
  yield* merged('facility', old.facilities(), now.facilities(), facilityValues, facility);
}

const facilityValues = (a: FacilityContents, b: FacilityContents): Iterable<Value> =>
  a.json.equals(b.json) ? [] : jsonValues(a.answer(), b.answer(), '');

/** A value that is another. */
type Value = Pick<Change, 'old' | 'new'> & { member: string };

/** Goes through two lists in order of ID side by side. */
function* merged<T extends { id: string }>(
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

/** What of a building is another: short values one by one; of hours and windows the month that changed most. */
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

/** Of hours and of windows the month of a face and floor that changed most; faces that came or went. */
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
        hours = { member: placeOf(a, at, 'direct_sun_hours'), old: hoursOf(before), new: hoursOf(after) };
      }
      const moved = windowShift(a.windows[at], b.windows[at]);
      if (moved > mostMinutes) {
        mostMinutes = moved;
        const texts = [a, b].map(({ windows }) => windowTexts(windows[at]));
        windows = { member: placeOf(a, at, 'sunlit_windows'), old: texts[0], new: texts[1] };
      }
    }
  }
  if (hours !== null) yield hours;
  if (windows !== null) yield windows;
}

const placeOf = ({ face }: FaceSunlight, at: number, name: string): string =>
  `faces.${DIRECTIONS[face]}.${FLOOR_CLASSES[Math.floor(at / MONTHS)]}.${(at % MONTHS) + 1}.${name}`;

const windowTexts = (ends: readonly number[]): string[] =>
  Array.from({ length: ends.length / 2 }, (_, i) => `${timeOfDay(ends[2 * i])}-${timeOfDay(ends[2 * i + 1])}`);

/** Minutes of the day that are in one of two lists of windows and not in the other. */
function windowShift(a: readonly number[], b: readonly number[]): number {
  // Between two neighbouring ends a list is inside a window when it has passed an odd number of its own ends.
  const ends = [...a, ...b].sort((x, y) => x - y);
  let minutes = 0;
  for (let i = 0; i + 1 < ends.length; i++) {
    const inside = (list: readonly number[]): boolean => list.filter((end) => end <= ends[i]).length % 2 === 1;
    if (inside(a) !== inside(b)) minutes += ends[i + 1] - ends[i];
  }
  return minutes;
}

/** The leaves of two JSON values that differ, by their path; things in lists go by their own code. */
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

/** The members of an object or list; null for plain values and lists of them. */
function membersOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  if (value.some((one) => typeof one !== 'object' || one === null)) return null;
  return new Map(value.map((one, i) => [String(one.service_code ?? one.kind ?? i), one]));
}

/** A value of a change as one text. */
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

/** Writes changes as a Parquet file; gives their number. Throws as `writeParquet`. */
export function writeChanges(path: string, changes: Iterable<Change>, about: Record<string, string>): Promise<number> {
  return writeParquet(path, CHANGE_COLUMNS, changes, hidamariKey(about, CHANGE_COLUMNS));
}
