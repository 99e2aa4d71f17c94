import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { BuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import { type DayPath, sunAt } from '../../solar/day-path.ts';
import { minutesOf } from '../charts/svg.ts';

type FaceShade = NonNullable<BuildingFloor['faces'][number]['shade']>[number];
type Steps = readonly (readonly [time: string, share: number])[];

/** A building that takes sun from the chosen wall. Its letter names it in the sentence, the tables and the drawings. */
export type Shader = FaceShade['sources'][number] & {
  /** Null for hills, for the building's own walls, and for buildings that take little or have no letter left. */
  letter: string | null;
  /** Its direction when it hides the sun. For a large building this differs from the direction of its middle. */
  seen_deg: number;
};

/** What takes the sun from the chosen wall on the chosen day, the longest first. */
export interface WallShade extends Omit<FaceShade, 'sources'> {
  shaders: readonly Shader[];
}

const LETTERS = 'ABCDE';
/** Least sun that a building with a letter takes, hours a day. */
export const LEAST_HOURS = 0.05;

/**
 * Adds letters and directions to what shades a wall on a day. The letters A, B, … go to the other buildings that take at
 * least `LEAST_HOURS`, while there are letters; the list begins with the longest shade. The direction of a building is
 * that of the sun in the middle of its shade.
 */
export function withLetters({ sources, ...day }: FaceShade, sun: DayPath): WallShade {
  const lettered = sources
    .filter(({ kind, is_own, shaded_hours }) => kind === 'building' && !is_own && shaded_hours >= LEAST_HOURS)
    .slice(0, LETTERS.length);
  const shaders = sources.map((source) => ({
    ...source,
    letter: lettered.includes(source) ? LETTERS[lettered.indexOf(source)] : null,
    seen_deg: source.kind === 'terrain' ? source.azimuth_deg : sunAt(sun, middleOf(source.shade_share)).azimuthDeg,
  }));
  return { ...day, shaders };
}

/**
 * The middle of the longest interval in which the shaded share is at least half of its maximum, minutes after midnight.
 * The share of the last step is 0, so every interval ends.
 */
function middleOf(steps: Steps): number {
  const least = Math.max(...steps.map(([, share]) => share)) / 2;
  let [from, to] = [0, 0];
  /** Where the present interval began; null: the share is less. */
  let start: number | null = null;
  for (const [time, share] of steps) {
    const minute = minutesOf(time);
    if (share >= least) {
      start ??= minute;
      continue;
    }
    if (start !== null && minute - start > to - from) [from, to] = [start, minute];
    start = null;
  }
  return (from + to) / 2;
}

/** The letters of the buildings that shade a wall, by ID; empty when the shade is unknown. */
export const lettersOf = (shade: WallShade | null): ReadonlyMap<string, string> =>
  new Map(
    shade?.shaders.flatMap(({ building_id, letter }) =>
      building_id === null || letter === null ? [] : [[building_id, letter]],
    ),
  );

const ALL_LETTERS = 'ABCDEFGHIJ';
/** Least altitude of a building with a letter in a view of the sky, degrees. */
const LEAST_ALTITUDE = 0.5;
/** Limit of the letters in a view of the sky. */
const MOST_SKY_LETTERS = 8;

/**
 * The letters of a view of the sky: first the buildings that shade the wall, then those that cover most of the view. The
 * building of the wall has none, although its other walls may be in the view.
 */
export function skyLettersOf(
  { building_id: own, skyline }: BuildingSky,
  shade: WallShade | null,
): ReadonlyMap<string, string> {
  const letters = new Map(lettersOf(shade));
  const sizes = new Map<string, number>();
  for (const { building_id: id, points } of skyline) {
    const size = points.reduce((sum, [, altitude]) => sum + Math.max(0, altitude), 0);
    const isSeen = points.some(([, altitude]) => altitude >= LEAST_ALTITUDE);
    if (id !== null && id !== own && isSeen) sizes.set(id, (sizes.get(id) ?? 0) + size);
  }
  const free = [...ALL_LETTERS].filter((letter) => ![...letters.values()].includes(letter));
  for (const [id] of [...sizes].sort(([, a], [, b]) => b - a)) {
    if (letters.size >= MOST_SKY_LETTERS) break;
    if (!letters.has(id)) letters.set(id, free.shift() ?? '');
  }
  return letters;
}

/** The shade of a wall with the letters of its view of the sky: they are given to more buildings. */
export const withSkyLetters = (shade: WallShade, letters: ReadonlyMap<string, string>): WallShade => ({
  ...shade,
  shaders: shade.shaders.map((shader) => ({
    ...shader,
    letter: shader.is_own ? null : (letters.get(shader.building_id ?? '') ?? null),
  })),
});

/**
 * The letters of a view of the sky with those that follow for other buildings.
 * @param ids in the order in which they receive letters
 * @param most limit of all letters: at least the number of `skyLetters`, at most 26
 */
export function withMoreLetters(
  skyLetters: ReadonlyMap<string, string>,
  ids: readonly string[],
  most: number,
): ReadonlyMap<string, string> {
  const letters = new Map(skyLetters);
  const taken = new Set(skyLetters.values());
  const free = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((letter) => !taken.has(letter)).slice(0, most - letters.size);
  const others = ids.filter((id) => !letters.has(id));
  for (const [i, letter] of free.entries()) if (i < others.length) letters.set(others[i], letter);
  return letters;
}

/** An interval of a day in which less than half of a wall is lit. */
interface ShadeSpell {
  /** What shades the wall, in order of time; none: the sun is behind the wall. */
  shaders: readonly Shader[];
  /** True when these take most of the sun, but other buildings shade some of the wall, too. */
  isMainly: boolean;
  /** Minutes after midnight. */
  from: number;
  to: number;
}

/** A shorter interval before or after all sun is left out, and a building that shades for less is not named. Minutes. */
const LEAST_SPELL = 10;
/** Most intervals of one building each that touch, and most buildings of the one interval in their place. */
const [MOST_TOUCHING, MOST_SHADERS] = [2, 3];

/**
 * The intervals of a day in which less than half of a wall is lit, in order of time: all between the times when the wall
 * is lit, and the long ones before and after. An interval is told in parts when one building alone shades the wall in each
 * of them; otherwise as one, with the buildings that take most of the sun.
 */
export function shadeSpells({ shaders }: WallShade, litShare: Steps): ShadeSpell[] {
  const isLit = byMinute(litShare).map((share) => (share >= 0.5 ? 1 : 0));
  const [firstLit, lastLit] = [isLit.indexOf(1), isLit.lastIndexOf(1)];
  const hasLight = firstLit >= 0;
  const isBetween = ({ from, to }: Span): boolean => hasLight && from > firstLit && to <= lastLit;
  const strongest = strongestByMinute(shaders, isLit);
  const alone = aloneByMinute(shaders);
  const stateAt = (minute: number): 'lit' | 'behind' | 'shade' => {
    if (isLit[minute]) return 'lit';
    return strongest[minute] === null ? 'behind' : 'shade';
  };
  return runsOf(0, MINUTES, stateAt).flatMap((run): ShadeSpell[] => {
    const { value: state, from, to } = run;
    if (state === 'lit') return [];
    // The sun is behind the wall.
    if (state === 'behind') return isBetween(run) ? [{ shaders: [], isMainly: false, from, to }] : [];
    if (!isBetween(run) && to - from < LEAST_SPELL) return [];
    const allParts = runsOf(from, to, (minute) => alone[minute]);
    // Before and after the lit times, short parts at the ends say little. On a day without lit times all parts count.
    const parts = hasLight && !isBetween(run) ? withoutShortEnds(allParts) : allParts;
    const mostly = { shaders: longest(strongest.slice(from, to)), isMainly: true, from, to };
    return singleSpells(parts) ?? [mostly];
  });
}

/** Intervals in each of which one building alone shades a wall; null when they are many, or in one no building does. */
function singleSpells(parts: readonly ShadePart[]): ShadeSpell[] | null {
  if (parts.length > MOST_TOUCHING) return null;
  const spells = parts.flatMap(({ value: shader, from, to }) =>
    shader === null ? [] : [{ shaders: [shader], isMainly: false, from, to }],
  );
  return spells.length < parts.length ? null : spells;
}

/** The shader that takes most sun in each minute of a day; null: the wall is lit, or the sun is behind it. */
function strongestByMinute(shaders: readonly Shader[], isLit: ArrayLike<number>): (Shader | null)[] {
  const shades = shaders.map((shader) => ({ shader, share: byMinute(shader.shade_share) }));
  return Array.from(isLit, (lit, minute) => {
    if (lit || shades.length === 0) return null;
    const most = shades.reduce((best, one) => (one.share[minute] > best.share[minute] ? one : best));
    return most.share[minute] > 0 ? most.shader : null;
  });
}

/** Some minutes of a day, from `from` up to `to`. */
interface Span {
  from: number;
  to: number;
}

/** Some minutes, and the building that shades more than half of the wall alone; null: no building does. */
type ShadePart = Span & { value: Shader | null };

/** The longest intervals of minutes with the same value. */
function runsOf<Value>(from: number, to: number, valueAt: (minute: number) => Value): (Span & { value: Value })[] {
  const runs: (Span & { value: Value })[] = [];
  for (let minute = from; minute < to; minute++) {
    const value = valueAt(minute);
    const last = runs.at(-1);
    if (last !== undefined && last.value === value) last.to = minute + 1;
    else runs.push({ value, from: minute, to: minute + 1 });
  }
  return runs;
}

/**
 * The shader whose shade alone covers more than half of the wall (its `shaded_windows`), for each minute of a day;
 * null: there is none.
 */
function aloneByMinute(shaders: readonly Shader[]): (Shader | null)[] {
  const alone: (Shader | null)[] = Array.from({ length: MINUTES }, () => null);
  for (const shader of shaders)
    for (const [from, to] of shader.shaded_windows) alone.fill(shader, minutesOf(from), minutesOf(to));
  return alone;
}

/** The parts without the short ones at both ends; all of them when all are short. */
function withoutShortEnds<Part extends Span>(parts: readonly Part[]): readonly Part[] {
  const isLong = ({ from, to }: Part): boolean => to - from >= LEAST_SPELL;
  const first = parts.findIndex(isLong);
  return first < 0 ? parts : parts.slice(first, parts.findLastIndex(isLong) + 1);
}

/**
 * The shaders with the most minutes, at most `MOST_SHADERS`, in order of time. All but the longest have at least
 * `LEAST_SPELL` minutes.
 * @param minutes the shader that takes most sun in each minute
 */
function longest(minutes: readonly (Shader | null)[]): Shader[] {
  const total = new Map<Shader, number>();
  for (const shader of minutes) if (shader !== null) total.set(shader, (total.get(shader) ?? 0) + 1);
  return [...total]
    .sort(([, a], [, b]) => b - a)
    .filter(([, length], i) => i === 0 || length >= LEAST_SPELL)
    .slice(0, MOST_SHADERS)
    .map(([shader]) => shader)
    .sort((a, b) => minutes.indexOf(a) - minutes.indexOf(b));
}

const MINUTES = 24 * 60;

/** The share of the wall in each minute of a day: each share of the steps holds until the next step. */
function byMinute(steps: Steps): Float64Array {
  const shares = new Float64Array(MINUTES);
  for (const [time, share] of steps) shares.fill(share, minutesOf(time));
  return shares;
}
