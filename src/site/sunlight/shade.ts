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
const LEAST_HOURS = 0.05;

/** Gives letters to the buildings that shade a wall longest, and finds their directions. */
export function withLetters({ sources, ...day }: FaceShade, sun: DayPath): WallShade {
  const lettered = sources.filter(
    ({ kind, is_own, shaded_hours }) => kind === 'building' && !is_own && shaded_hours >= LEAST_HOURS,
  );
  const shaders = sources.map((source) => ({
    ...source,
    letter: LETTERS[lettered.indexOf(source)] ?? null,
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
 * The letters of a view of the sky: first the buildings that shade the wall, then those that cover most of the view.
 */
export function skyLettersOf({ skyline }: BuildingSky, shade: WallShade | null): ReadonlyMap<string, string> {
  const letters = new Map(lettersOf(shade));
  const sizes = new Map<string, number>();
  for (const { building_id: id, points } of skyline) {
    const size = points.reduce((sum, [, altitude]) => sum + Math.max(0, altitude), 0);
    const isSeen = points.some(([, altitude]) => altitude >= LEAST_ALTITUDE);
    if (id !== null && isSeen) sizes.set(id, (sizes.get(id) ?? 0) + size);
  }
  const free = [...ALL_LETTERS].filter((letter) => ![...letters.values()].includes(letter));
  for (const [id] of [...sizes].sort(([, a], [, b]) => b - a)) {
    if (letters.size >= MOST_SKY_LETTERS) break;
    if (!letters.has(id)) letters.set(id, free.shift() ?? '');
  }
  return letters;
}

/** An interval in which one building shades most of the wall. */
interface ShadeSpell {
  shader: Shader;
  /** Minutes after midnight. */
  from: number;
  to: number;
  /** `isFirst`: the sun comes in front of the wall when the interval begins; `isLast`: it leaves when it ends. */
  isFirst: boolean;
  isLast: boolean;
}

/** Shorter intervals get no sentence, minutes. */
const LEAST_SPELL = 10;
/** Limit of the intervals in a sentence. */
const MOST_SPELLS = 3;

/**
 * The longest intervals of a day in which less than half of a wall is lit, in order of time, each with the building
 * that shades most of it.
 */
export function shadeSpells({ shaders }: WallShade, litShare: Steps): ShadeSpell[] {
  const lit = byMinute(litShare);
  const shades = shaders.map((shader) => ({ shader, share: byMinute(shader.shade_share) }));
  /** True while the sun is in front of the wall: then the wall is lit, or something shades it. */
  const isInFront = (minute: number): boolean => lit[minute] > 0 || shades.some(({ share }) => share[minute] > 0);
  const spells: ShadeSpell[] = [];
  for (let minute = 0; minute < lit.length; minute++) {
    if (lit[minute] >= 0.5 || !isInFront(minute)) continue;
    const { shader } = shades.reduce((most, one) => (one.share[minute] > most.share[minute] ? one : most));
    const last = spells.at(-1);
    if (last?.to === minute && last.shader === shader) last.to = minute + 1;
    else spells.push({ shader, from: minute, to: minute + 1, isFirst: !isInFront(minute - 1), isLast: false });
    const spell = spells[spells.length - 1];
    spell.isLast = !isInFront(minute + 1);
  }
  // The longest ones, then in order of time.
  return spells
    .filter(({ from, to }) => to - from >= LEAST_SPELL)
    .sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
    .slice(0, MOST_SPELLS)
    .sort((a, b) => a.from - b.from);
}

const MINUTES = 24 * 60;

/** The share of the wall in each minute of a day: each share of the steps holds until the next step. */
function byMinute(steps: Steps): Float64Array {
  const shares = new Float64Array(MINUTES);
  for (const [time, share] of steps) shares.fill(share, minutesOf(time));
  return shares;
}
