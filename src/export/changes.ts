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
import { fileMetadata } from './geoparquet.ts';

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

/** Receives each building and facility of the two datasets, also those without changes. */
interface Counter {
  /** Counts the changes of a building that is in one dataset or in both. */
  building(pair: Pair<BuildingContents>): void;
  /** Counts the changes of a facility. */
  facility(pair: Pair<FacilityContents>): void;
}

/** All differences in order of ID, buildings first. */
export function* changesBetween(old: DatasetContents, now: DatasetContents, counter?: Counter): Generator<Change> {
  const countBuilding = (pair: Pair<BuildingContents>) => counter?.building(pair);
  const countFacility = (pair: Pair<FacilityContents>) => counter?.facility(pair);
  yield* changesOfKind('building', old.buildings(), now.buildings(), buildingChanges, countBuilding);
  yield* changesOfKind('facility', old.facilities(), now.facilities(), facilityChanges, countFacility);
}

/** The changed values of a facility. */
const facilityChanges = (a: FacilityContents, b: FacilityContents): Iterable<ValueChange> =>
  a.json.equals(b.json) ? [] : jsonChanges(a.answer(), b.answer(), '');

/** The old and the new value of one member. */
type ValueChange = Pick<Change, 'old' | 'new'> & { member: string };

/**
 * The differences between two lists of buildings or facilities, both in order of ID.
 * @param compare the changed values of a thing that is in both lists
 * @param count called with each thing, also without changes
 */
function* changesOfKind<T extends { id: string }>(
  kind: Change['kind'],
  old: Iterator<T>,
  now: Iterator<T>,
  compare: (a: T, b: T) => Iterable<ValueChange>,
  count: (pair: Pair<T>) => void,
): Generator<Change> {
  let [a, b] = [old.next(), now.next()];
  const noValue = { member: null, old: null, new: null };
  while (!a.done || !b.done) {
    // The thing with the smaller ID comes next. Equal IDs are one thing in both lists.
    const order = idOrder(a, b);
    const before: T | null = order <= 0 ? a.value : null;
    const after: T | null = order >= 0 ? b.value : null;
    const changes: Change[] = [];
    if (before !== null && after !== null)
      for (const value of compare(before, after)) changes.push({ kind, id: before.id, change: 'changed', ...value });
    else if (before !== null) changes.push({ kind, id: before.id, change: 'removed', ...noValue });
    else if (after !== null) changes.push({ kind, id: after.id, change: 'added', ...noValue });
    count({ old: before, new: after, changes });
    yield* changes;
    if (order <= 0) a = old.next();
    if (order >= 0) b = now.next();
  }
}

/** Negative: the next ID of `old` is smaller; positive: that of `now`; 0: they are equal. A list that has ended is last. */
function idOrder(old: IteratorResult<{ id: string }>, now: IteratorResult<{ id: string }>): number {
  if (old.done) return 1;
  return now.done ? -1 : byCodeUnits(old.value.id, now.value.id);
}

/**
 * The changed values of a building. The values of its summary are given one by one; footprint, shading sources and list
 * of faces as a whole; of hours and of windows, only the month with the largest change.
 */
function* buildingChanges(a: BuildingContents, b: BuildingContents): Generator<ValueChange> {
  if (areEqual(a.record, b.record) && areEqual(a.packedSummary, b.packedSummary)) return;
  const [oldHead, newHead] = [a.head(), b.head()];
  yield* jsonChanges(propertiesOf(a.summary(oldHead)), propertiesOf(b.summary(newHead)), '');
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
  yield* sunChanges(oldBody, newBody);
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * The changes of the sun of a building: faces that were added or removed, and the month of a face and floor class that
 * changed most, for hours and for windows.
 */
function* sunChanges(old: BuildingBody, now: BuildingBody): Generator<ValueChange> {
  const names = [old, now].map(({ faces }) => faces.map(({ face }) => DIRECTIONS[face]));
  if (names[0].join() !== names[1].join()) yield { member: 'faces', old: names[0], new: names[1] };
  let [mostHours, mostMinutes] = [0, 0];
  let hoursChange: ValueChange | null = null;
  let windowsChange: ValueChange | null = null;
  for (const a of old.faces) {
    const b = now.faces.find(({ face }) => face === a.face);
    if (b === undefined) continue;
    // The values of a face lie by floor class, then by month.
    for (let i = 0; i < FLOOR_CLASSES.length * MONTHS; i++) {
      const [before, after] = [hundredthHours(a.sunMinutes[i]), hundredthHours(b.sunMinutes[i])];
      if (Math.abs(after - before) > mostHours) {
        mostHours = Math.abs(after - before);
        hoursChange = { member: memberName(a, i, 'direct_sun_hours'), old: hoursOf(before), new: hoursOf(after) };
      }
      const minutes = minutesInOnlyOne(a.windows[i], b.windows[i]);
      if (minutes > mostMinutes) {
        mostMinutes = minutes;
        const texts = [a, b].map(({ windows }) => windowTexts(windows[i]));
        windowsChange = { member: memberName(a, i, 'sunlit_windows'), old: texts[0], new: texts[1] };
      }
    }
  }
  if (hoursChange !== null) yield hoursChange;
  if (windowsChange !== null) yield windowsChange;
}

/** The path of a value in the full answer: `faces.S.first.12.direct_sun_hours`. */
const memberName = ({ face }: FaceSunlight, index: number, name: string): string =>
  `faces.${DIRECTIONS[face]}.${FLOOR_CLASSES[Math.floor(index / MONTHS)]}.${(index % MONTHS) + 1}.${name}`;

/** Windows as texts `10:00-12:30`. @param ends beginning and end of each window, minutes of the day */
const windowTexts = (ends: readonly number[]): string[] =>
  Array.from({ length: ends.length / 2 }, (_, i) => `${timeOfDay(ends[2 * i])}-${timeOfDay(ends[2 * i + 1])}`);

/**
 * The number of minutes that are in a window of only one of two lists.
 * @param a beginning and end of each window, minutes of the day
 */
function minutesInOnlyOne(a: readonly number[], b: readonly number[]): number {
  const times = [...a, ...b].sort((x, y) => x - y);
  let minutes = 0;
  for (let i = 0; i + 1 < times.length; i++) {
    // The first time of a list begins a window, the second one ends it: after an odd number of times, a window is open.
    const isOpen = (list: readonly number[]): boolean => list.filter((time) => time <= times[i]).length % 2 === 1;
    if (isOpen(a) !== isOpen(b)) minutes += times[i + 1] - times[i];
  }
  return minutes;
}

/**
 * The members in which two JSON values differ.
 * @param path of the two values: names with dots between them, as `membersOf` gives them; empty for a whole answer
 */
function* jsonChanges(a: unknown, b: unknown, path: string): Generator<ValueChange> {
  if (JSON.stringify(a) === JSON.stringify(b)) return;
  const [oldMembers, newMembers] = [membersOf(a), membersOf(b)];
  if (oldMembers === null || newMembers === null) {
    yield { member: path, old: a ?? null, new: b ?? null };
    return;
  }
  for (const name of new Set([...oldMembers.keys(), ...newMembers.keys()])) {
    yield* jsonChanges(oldMembers.get(name), newMembers.get(name), path === '' ? name : `${path}.${name}`);
  }
}

/**
 * The members of an object, or the items of a list of objects; null for other values. Services are named by their code,
 * other items by their kind where they have one, otherwise by their index.
 */
function membersOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  if (value.some((one) => typeof one !== 'object' || one === null)) return null;
  return new Map(value.map((one, i) => [String(one.service_code ?? one.kind ?? i), one]));
}

/** A changed value as one text: JSON unless it is a text; null when there is no value. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

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
    value: (change) => valueText(change.old),
  },
  { name: 'new', description: 'The value after, likewise.', type: VARCHAR, value: (change) => valueText(change.new) },
];

/**
 * Writes changes as a Parquet file.
 * @param about facts for the metadata of the file
 * @returns the number of changes
 * @throws {Error} When DuckDB cannot write the file.
 */
export function writeChanges(path: string, changes: Iterable<Change>, about: Record<string, string>): Promise<number> {
  return writeParquet(path, CHANGE_COLUMNS, changes, fileMetadata(about, CHANGE_COLUMNS));
}
