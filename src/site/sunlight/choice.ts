import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { MonthSunlight } from '../../contract/sunlight-shapes.ts';
import type { StatedShape } from '../../dataset/sunlight.ts';
import type { Direction } from '../../geo/compass.ts';
import type { DayPath } from '../../solar/day-path.ts';
import { MONTHS, REFERENCE_YEAR } from '../../solar/solar-day.ts';
import { type Html, html } from '../markup.ts';
import type { Texts } from '../texts/texts.ts';
import { type PageAsk, textsOf } from '../view.ts';
import { type WallShade, withLetters } from './shade.ts';

/** One wall direction of one floor. */
export interface FaceSight {
  face: BuildingFull['faces'][number]['face'];
  azimuth_deg: number;
  wall_length_m: number;
  /** False for a short wall, which does not count for the building. */
  headline: boolean;
  receptors: number;
  months: readonly MonthSight[];
  /** The measuring points, for a computed floor. */
  spots?: readonly Spot[];
  /** The buildings that take its sun in the chosen month, for a computed floor. */
  shade?: WallShade | null;
  /** Hours of sunshine in a normal year with its weather, for a computed floor of a dataset with normals. */
  expected_year_hours?: number | null;
  /** True when these hours follow from normals for each hour of the day. */
  expected_by_hour?: boolean | null;
}

/** One month of a wall. The lit share and the hours of the sun above the horizon are known for a computed floor. */
export type MonthSight = MonthSunlight & {
  lit_share?: readonly (readonly [string, number])[];
  sun_up_hours?: number;
  expected_hours?: number | null;
  interval?: MonthInterval;
};

/** The interval of a month's hours within the error of the model. */
export type MonthInterval = { p10_hours: number; p90_hours: number } | null | undefined;

/** A measuring point in front of a wall. */
interface Spot {
  receptor: number;
  lat: number;
  lon: number;
  months: readonly MonthSight[];
}

/** One floor of a building, for the pages. */
export interface FloorSight {
  floor: number;
  faces: readonly FaceSight[];
}

/** The floors that a dataset stores for each building. */
const CLASSES = ['first', 'middle', 'top'] as const;
type Level = (typeof CLASSES)[number];

/** The floors of the full answer, from below. Each stands once: the middle floor of two storeys is also another one. */
export function storedFloors({ faces }: BuildingFull): FloorSight[] {
  const floors = new Map<number, FaceSight[]>();
  for (const { floors: byClass, ...wall } of faces) {
    for (const { floor, months } of CLASSES.map((name) => byClass[name])) {
      const sights = floors.get(floor) ?? [];
      if (!sights.some(({ face }) => face === wall.face)) sights.push({ ...wall, months });
      floors.set(floor, sights);
    }
  }
  return [...floors].sort(([a], [b]) => a - b).map(([floor, sights]) => ({ floor, faces: sights }));
}

/** The number of the lowest, middle or top floor of a building; null when it has no walls. */
export const floorAt = ({ faces: [first] }: BuildingFull, level: Level): number | null =>
  first?.floors[level].floor ?? null;

/**
 * A floor from its computed answer, with letters for the buildings that shade its walls.
 * @param sun path of the sun on the one day of which the answer has the shade
 */
export function computedFloor({ floor, faces }: BuildingFloor, sun: DayPath): FloorSight {
  const sights = faces.map(({ receptor_details, months, shade, ...face }) => {
    const [shadeOfDay = null] = shade ?? [];
    const spots = (receptor_details ?? []).map(({ months: ofSpot, ...spot }) => ({ ...spot, months: ofSpot ?? [] }));
    return { ...face, months: months ?? [], shade: shadeOfDay && withLetters(shadeOfDay, sun), spots };
  });
  return { floor, faces: sights };
}

/** Some floors with one added, or put in place of the one with its number; from below. */
export const withFloor = (floors: readonly FloorSight[], one: FloorSight): FloorSight[] =>
  [...floors.filter(({ floor }) => floor !== one.floor), one].sort((a, b) => a.floor - b.floor);

/** The hours of a month (1–12) of a wall, or of a measuring point. */
export const hoursIn = (sight: Pick<FaceSight, 'months'>, month: number): number =>
  sight.months[month - 1].direct_sun_hours;

/**
 * The wall of a floor with the most sun in a month, among those that are long enough for headlines (`headline`); of equal
 * ones, the one that would have the most without obstacles. Undefined when the floor has none.
 */
export function bestFace({ faces }: FloorSight, month: number): FaceSight | undefined {
  const unshaded = ({ months }: FaceSight): number => months[month - 1].unshaded_hours;
  return faces
    .filter(({ headline }) => headline)
    .sort((a, b) => hoursIn(b, month) - hoursIn(a, month) || unshaded(b) - unshaded(a))
    .at(0);
}

/** The choices of a reader of a building page. */
export interface Choice {
  month: number;
  floor: FloorSight;
  face: FaceSight;
  /** A measuring point of the wall; null: the whole wall. */
  spot: Spot | null;
  /** The user's facts about the building. */
  stated: StatedShape;
  /** The requested direction, when the wall only replaces it. */
  askedFace: Direction | null;
  /** True when floors are counted by estimated storeys. */
  isEstimated: boolean;
  /** True when the floor is behind a balcony. */
  balcony: boolean;
  /** Days shown beside the 15ths, YYYY-MM-DD in order. */
  dates: readonly string[];
}

/** The months of the choice: of the measuring point, or of the wall. */
export const monthsOf = ({ face, spot }: Choice): readonly MonthSight[] => (spot ?? face).months;

/** What a query asks for; null when it does not say. */
export interface Asked {
  floor: number | null;
  /** The lowest, middle or top floor, if no floor is given. */
  level?: Level | null;
  face: string | null;
  month: number | null;
  receptor: number | null;
  balcony: boolean;
  /** Days beside the 15ths; absent: none. */
  dates?: readonly string[];
  /** The user's facts about the building; absent: none. */
  stated?: StatedShape;
}

/** The balcony of the pages: the slab above has the depth of most Japanese flats, a storey above the floor. */
export const USUAL_BALCONY = { overhangM: 1.8, overhangHeightM: null, sideM: 0, sideDistanceM: 3, setbackM: 0 };

/** The longest and the shortest day of the reference year. */
export const SOLSTICES: readonly string[] = [`${REFERENCE_YEAR}-06-21`, `${REFERENCE_YEAR}-12-22`];

/** The months, from January. */
export const MONTH_NUMBERS: readonly number[] = Array.from({ length: MONTHS }, (_, i) => i + 1);

/** The default month. */
export const DECEMBER = 12;

/** The value of the query for a floor behind a balcony. */
const BALCONY = '1';

/** True when the query requests floors behind a balcony. */
export const asksForBalcony = (query: URLSearchParams): boolean => query.get('balcony') === BALCONY;

/** What a validated query asks for. */
export function askedIn(query: URLSearchParams): Asked {
  const number = (name: string): number | null => (query.get(name) ? Number(query.get(name)) : null);
  return {
    floor: number('floor'),
    level: CLASSES.find((name) => name === query.get('level')) ?? null,
    face: query.get('face') || null,
    month: number('month'),
    receptor: number('receptor'),
    balcony: asksForBalcony(query),
    // Each date once, in order.
    dates: [...new Set((query.get('date') ?? '').split(','))].filter((date) => date !== '').sort(),
    stated: { storeys: number('storeys') ?? undefined, heightM: number('height_m') ?? undefined },
  };
}

/** True when the user states storeys or a height. */
export const isStated = ({ storeys, heightM }: StatedShape): boolean => storeys !== undefined || heightM !== undefined;

/**
 * What to show: the requested month, floor, wall and measuring point. Without a request they are December, the top
 * floor, its sunniest wall, and the whole wall. Null when the building has no such floor or wall.
 */
export function choose(floors: readonly FloorSight[], asked: Asked): Omit<Choice, 'askedFace' | 'isEstimated'> | null {
  const month = asked.month ?? DECEMBER;
  const floor = asked.floor === null ? floors.at(-1) : floors.find((one) => one.floor === asked.floor);
  if (floor === undefined) return null;
  const face = asked.face === null ? bestFace(floor, month) : floor.faces.find((one) => one.face === asked.face);
  if (face === undefined) return null;
  const spot = face.spots?.find(({ receptor }) => receptor === asked.receptor) ?? null;
  const { balcony, dates = [], stated = {} } = asked;
  return { month, floor, face, spot, balcony, dates, stated };
}

/** The values of a query for pages of a building. Null: the parameter is absent. */
interface QueryValues {
  floor?: number | null;
  face?: string | null;
  month?: number | null;
  receptor?: number | null;
  balcony?: boolean;
  dates?: readonly string[];
  stated?: StatedShape;
}

/** The query of a choice with some values replaced. */
export const queryOf = (
  { floor, face, month, spot, balcony, dates, stated }: Choice,
  replaced: QueryValues = {},
): string =>
  choiceQuery({
    floor: floor.floor,
    face: face.face,
    month,
    receptor: spot?.receptor ?? null,
    balcony,
    dates,
    stated,
    ...replaced,
  });

/** A query with these values; empty when it has none. */
export function choiceQuery({ stated = {}, balcony = false, dates = [], ...values }: QueryValues): string {
  const date = dates.length === 0 ? null : dates.join();
  const all = { ...values, balcony: balcony ? BALCONY : null, date, storeys: stated.storeys, height_m: stated.heightM };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) {
    if (value !== null && value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** The path of a building's page with the choices in the query of another page of the building. */
export function buildingPath(id: string, query: URLSearchParams): string {
  const { floor, face, month, balcony, dates, stated } = askedIn(query);
  return `/sunlight/building/${id}/${choiceQuery({ floor, face, month, balcony, dates, stated })}`;
}

/**
 * A function that gives the path of another building's page.
 * @param query of this page: the path keeps the month or the dates that are chosen in it
 */
export function neighbourPaths(query: URLSearchParams): (id: string) => string {
  const { month, dates } = askedIn(query);
  const day = choiceQuery({ month, dates });
  return (id) => `/sunlight/building/${id}/${day}`;
}

/** The day that a page shows: the 15th of a month, or a date. */
export interface ShownDay {
  month: number;
  /** YYYY-MM-DD; null: the 15th. */
  date: string | null;
  /** The day in words. */
  name: string;
}

/** The day that a query requests: its date, otherwise the 15th of its month, otherwise 15 December. */
export function shownDay(ask: PageAsk): ShownDay {
  const texts = textsOf(ask);
  const date = ask.query.get('date') || null;
  if (date !== null) return { month: Number(date.slice(5, 7)), date, name: dateName(texts, date) };
  const month = Number(ask.query.get('month') ?? DECEMBER);
  return { month, date, name: fifteenth(texts, month) };
}

/** The 15th of a month in words. */
export const fifteenth = ({ frame }: Pick<Texts, 'frame'>, month: number): string => frame.day(frame.month(month), 15);

/** A date in words. */
export function dateName({ frame }: Pick<Texts, 'frame'>, date: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return frame.date(year, frame.day(frame.month(month), day));
}

/** The field of a form with a day other than the 15th; empty: none. */
export const dateField = (ask: PageAsk, date: string | null, label = textsOf(ask).sunlight.dateLabel): Html =>
  html`<label>${label}<input type="date" name="date" min="2000-01-01" max="2099-12-31" value="${date ?? ''}"></label>`;
