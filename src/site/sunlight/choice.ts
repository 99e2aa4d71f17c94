import type { FaceSight, FloorSight, MonthSight, Spot } from './floors.ts';
import { bestFace } from './floors.ts';

/** What the reader of a building page has chosen. */
export interface Choice {
  month: number;
  floor: FloorSight;
  face: FaceSight;
  /** A measuring point of the wall; null: the whole wall. */
  spot: Spot | null;
}

/** The months of what was chosen: of the measuring point, or of the wall. */
export const monthsOf = ({ face, spot }: Choice): readonly MonthSight[] => (spot ?? face).months;

/** What the query asks for; null where it says nothing. */
export interface Wish {
  floor: number | null;
  face: string | null;
  month: number | null;
  receptor: number | null;
}

const FACES = new Set(['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW']);
const DECEMBER = 12;

/** What the query asks for, or a line that says what is wrong with it. */
export function readWish(query: URLSearchParams): Wish | string {
  const floor = wholeNumber(query, 'floor', 1, 300);
  const month = wholeNumber(query, 'month', 1, 12);
  const receptor = wholeNumber(query, 'receptor', 1, 8);
  for (const value of [floor, month, receptor]) if (typeof value === 'string') return value;
  const face = query.get('face') || null;
  if (face !== null && !FACES.has(face))
    return `face must be one of ${[...FACES].join(' ')}, but is ${JSON.stringify(face)}.`;
  return { floor, face, month, receptor } as Wish;
}

function wholeNumber(query: URLSearchParams, name: string, low: number, high: number): number | null | string {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const value = Number(text);
  if (/^\d{1,4}$/.test(text) && value >= low && value <= high) return value;
  return `${name} must be a whole number from ${low} to ${high}, but is ${JSON.stringify(text)}.`;
}

/**
 * The floor, wall, measuring point and month to show: what was asked for, else the top floor, its sunniest wall, the whole of
 * it, and December. Null where the building has no such floor or wall.
 */
export function choose(floors: readonly FloorSight[], wish: Wish): Choice | null {
  const month = wish.month ?? DECEMBER;
  const floor = wish.floor === null ? floors.at(-1) : floors.find((one) => one.floor === wish.floor);
  if (floor === undefined) return null;
  const face = wish.face === null ? bestFace(floor, month) : floor.faces.find((one) => one.face === wish.face);
  if (face === undefined) return null;
  const spot = face.spots?.find(({ receptor }) => receptor === wish.receptor) ?? null;
  return { month, floor, face, spot };
}

/** The query of a choice; what is null is left out. */
export function choiceQuery(
  choice: Partial<Record<'floor' | 'face' | 'month' | 'receptor', string | number | null>>,
): string {
  const kept = Object.entries(choice).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  return kept.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(kept))}`;
}
