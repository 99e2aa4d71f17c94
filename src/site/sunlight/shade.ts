import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { BuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import type { SunDay } from '../charts/sun-days.ts';
import { minutesOf } from '../charts/svg.ts';

type FaceShade = NonNullable<BuildingFloor['faces'][number]['shade']>[number];
type Steps = readonly (readonly [time: string, share: number])[];

/** A building that takes sun from the chosen wall; the letter names it in the sentence, the tables and the drawings. */
export type Shader = FaceShade['sources'][number] & {
  /** Null for the building's own walls and for those that take little. */
  letter: string | null;
  /** The direction in which it stands before the sun: of a large building another one than that of its middle. */
  seen_deg: number;
};

/** Who takes the sun from the chosen wall on the chosen day. */
export interface WallShade extends Omit<FaceShade, 'sources'> {
  shaders: readonly Shader[];
}

const LETTERS = 'ABCDE';
/** A building that takes less has no letter, hours a day. */
const LEAST_HOURS = 0.05;

/** Gives letters to the buildings that shade a wall longest, and says in which direction they do. */
export function withLetters({ sources, ...day }: FaceShade, sun: SunDay): WallShade {
  const lettered = sources.filter(
    ({ kind, is_own, shaded_hours }) => kind === 'building' && !is_own && shaded_hours >= LEAST_HOURS,
  );
  const shaders = sources.map((source) => ({
    ...source,
    letter: LETTERS[lettered.indexOf(source)] ?? null,
    seen_deg: source.kind === 'terrain' ? source.azimuth_deg : sun.at(middleOf(source.shade_share)).azimuthDeg,
  }));
  return { ...day, shaders };
}

/** The middle of the longest time without a step to 0, minutes after midnight. */
function middleOf(steps: Steps): number {
  let [from, to] = [0, 0];
  let start = Number.NaN;
  for (const [time, share] of steps) {
    const minute = minutesOf(time);
    if (Number.isNaN(start)) start = minute;
    if (share > 0) continue;
    if (minute - start > to - from) [from, to] = [start, minute];
    start = Number.NaN;
  }
  return (from + to) / 2;
}

/** The letter of each building that has one, by its ID. */
export const lettersOf = (shade: WallShade | null): ReadonlyMap<string, string> =>
  new Map(
    shade?.shaders.flatMap(({ building_id, letter }) =>
      building_id === null || letter === null ? [] : [[building_id, letter]],
    ),
  );

const ALL_LETTERS = 'ABCDEFGHIJ';
/** Letters of one view of the sky, at most. */
const MOST_SKY_LETTERS = 8;

/** The letters of a view of the sky: of the buildings that shade the wall, then of those that take most of the view. */
export function skyLettersOf({ skyline }: BuildingSky, shade: WallShade | null): ReadonlyMap<string, string> {
  const letters = new Map(lettersOf(shade));
  const sizes = new Map<string, number>();
  for (const { building_id: id, points } of skyline) {
    const size = points.reduce((sum, [, altitude]) => sum + Math.max(0, altitude), 0);
    if (id !== null && size > 0) sizes.set(id, (sizes.get(id) ?? 0) + size);
  }
  const free = [...ALL_LETTERS].filter((letter) => ![...letters.values()].includes(letter));
  for (const [id] of [...sizes].sort(([, a], [, b]) => b - a)) {
    if (letters.size >= MOST_SKY_LETTERS) break;
    if (!letters.has(id)) letters.set(id, free.shift() ?? '');
  }
  return letters;
}

/** A time in which one building keeps most of the wall in its shade. */
interface ShadeSpell {
  shader: Shader;
  /** Minutes after midnight. */
  from: number;
  to: number;
  /** Whether the sun comes before the wall as it begins, and leaves it as it ends. */
  isFirst: boolean;
  isLast: boolean;
}

/** Shorter spells are not worth a sentence, minutes. */
const LEAST_SPELL = 10;
/** A sentence names so many. */
const MOST_SPELLS = 3;

/** The longest spells of a day in which less than half of a wall is lit, in order of time: of each the building that shades most of it. */
export function shadeSpells({ shaders }: WallShade, litShare: Steps): ShadeSpell[] {
  const lit = byMinute(litShare);
  const shades = shaders.map((shader) => ({ shader, share: byMinute(shader.shade_share) }));
  const isBefore = (minute: number): boolean => lit[minute] > 0 || shades.some(({ share }) => share[minute] > 0);
  const spells: ShadeSpell[] = [];
  for (let minute = 0; minute < lit.length; minute++) {
    if (lit[minute] >= 0.5 || !isBefore(minute)) continue;
    const { shader } = shades.reduce((most, one) => (one.share[minute] > most.share[minute] ? one : most));
    const last = spells.at(-1);
    if (last?.to === minute && last.shader === shader) last.to = minute + 1;
    else spells.push({ shader, from: minute, to: minute + 1, isFirst: !isBefore(minute - 1), isLast: false });
    const spell = spells[spells.length - 1];
    spell.isLast = !isBefore(minute + 1);
  }
  return spells
    .filter(({ from, to }) => to - from >= LEAST_SPELL)
    .sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
    .slice(0, MOST_SPELLS)
    .sort((a, b) => a.from - b.from);
}

const MINUTES = 24 * 60;

/** The share that steps give each minute of a day. */
function byMinute(steps: Steps): Float64Array {
  const shares = new Float64Array(MINUTES);
  for (const [time, share] of steps) shares.fill(share, minutesOf(time));
  return shares;
}
