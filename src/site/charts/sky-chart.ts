import { DIRECTIONS, turnBetween } from '../../geo/compass.ts';
import { type DayPath, sunAt } from '../../solar/day-path.ts';
import { type Fragment, type Html, html } from '../markup.ts';
import { BADGE, badge, drawing, Labels, minutesOf, type Point, tenth, wrapped } from './svg.ts';

/** A building of the skyline as drawn: its upper edge from left to right in pixels; it reaches down to the horizon. */
interface Silhouette {
  /** Null: it has none. */
  id: string | null;
  edge: readonly Point[];
}

/** A part of the skyline and its building; null: none, or a building without ID. */
interface SkylineStretch {
  building_id: string | null;
  /** Azimuth and altitude of its edge from left to right, degrees. */
  points: readonly (readonly [azimuthDeg: number, altitudeDeg: number])[];
}

/** The view of an eye in front of a wall. */
interface SkyView {
  /** Of the wall, clockwise from true north. */
  azimuthDeg: number;
  skyline: readonly SkylineStretch[];
  /** The lower edge of the balcony that hides the sky, from left to right; empty without one. */
  balconyEdge: SkylineStretch['points'];
  /** ID of the building of the wall. */
  own: string;
  /** Letters of other buildings, by ID. */
  letters: ReadonlyMap<string, string>;
  /** Times when the spot is sunlit, each from `HH:MM` to `HH:MM`, by month (1–12). */
  windows: ReadonlyMap<number, readonly (readonly string[])[]>;
}

/** Words of the chart. */
export interface SkyChartWords {
  title: string;
  description: string;
  lit: string;
  hidden: string;
  buildings: string;
  own: string;
  balcony: string;
  note: string;
  directions: Readonly<Record<string, string>>;
  month: (month: number) => string;
}

const WIDTH = 380;
const LEFT = 30;
const RIGHT = WIDTH - 6;
const TOP = 14;
const PLOT = 240;
const BOTTOM = TOP + PLOT;
/** Distance from the bottom of the sky to the first line of the note, and between lines. */
const NOTE = 69;
const LINE = 15;
/** Space below the last line of the note. */
const BELOW_NOTE = 3;
/** Degrees on each side of the wall's own direction, including a little of the sky behind the wall. */
const HALF_VIEW = 96;
const PIXELS_PER_DEGREE = (RIGHT - LEFT) / (2 * HALF_VIEW);
const SHOWN_MONTHS = [6, 3, 12];

/**
 * The sky as seen from a spot of a wall, with the buildings in it and the paths of the sun in June, March and December.
 */
export function skyChart(view: SkyView, days: readonly DayPath[], words: SkyChartWords): Html {
  const frame = new Frame(view.azimuthDeg);
  const note = wrapped(words.note, RIGHT - LEFT);
  const height = BOTTOM + NOTE + LINE * (note.length - 1) + BELOW_NOTE;
  const silhouettes = view.skyline.flatMap((part) => silhouette(part, frame) ?? []);
  return drawing({ id: 'sky', width: WIDTH, height, title: words.title, description: words.description }, [
    html`<rect class="sky" x="${LEFT}" y="${TOP}" width="${RIGHT - LEFT}" height="${PLOT}"/>`,
    altitudes(),
    html`<g class="neighbours">${silhouettes.map((one) => neighbour(one, view, words))}</g>`,
    behindWall(),
    balconyAbove(view.balconyEdge, frame, words),
    SHOWN_MONTHS.map((month) => sunWay(month, days[month - 1], view, frame, words)),
    badges(silhouettes, view.letters, height),
    directions(frame, words),
    legend(words),
    note.map((line, i) => html`<text class="small" x="${LEFT}" y="${BOTTOM + NOTE + LINE * i}">${line}</text>`),
  ]);
}

/** Converts azimuth and altitude to positions of the drawing. */
class Frame {
  readonly #centre: number;

  constructor(centreDeg: number) {
    this.#centre = centreDeg;
  }

  /** Degrees from the wall's own direction, −180 to 180. */
  offset(azimuthDeg: number): number {
    return turnBetween(this.#centre, azimuthDeg);
  }

  x(offsetDeg: number): number {
    return tenth(LEFT + (offsetDeg + HALF_VIEW) * PIXELS_PER_DEGREE);
  }
}

/** The height of an altitude above the horizon in the drawing. */
const y = (altitudeDeg: number): number => tenth(BOTTOM - (altitudeDeg / 90) * PLOT);

/** Lines at some altitudes, each with its degrees. */
function altitudes(): Fragment {
  return [0, 30, 60, 90].map(
    (altitude) =>
      html`<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${y(altitude)}" y2="${y(altitude)}"/><text class="axis end" x="${LEFT - 4}" y="${y(altitude) + 4}">${altitude}°</text>`,
  );
}

/** Half of the step between two directions of the skyline, degrees. */
const HALF_STEP = 0.125;

/**
 * The visible part of a building; null when nothing rises over the horizon. Each of its points stands for a step of
 * azimuth, so its ends are half a step beyond the first and the last point.
 */
function silhouette({ building_id, points }: SkylineStretch, frame: Frame): Silhouette | null {
  const edge = points.map(([azimuth, altitude]) => [frame.offset(azimuth), y(Math.max(0, altitude))] as const);
  if (edge.every(([, height]) => height === BOTTOM)) return null;
  const [firstOffset, firstHeight] = edge[0];
  const [lastOffset, lastHeight] = edge[edge.length - 1];
  // A point between two points of its height would not change the line.
  const bends = edge.filter(([, height], i) => height !== edge[i - 1]?.[1] || height !== edge[i + 1]?.[1]);
  const from: Point = [frame.x(firstOffset - HALF_STEP), firstHeight];
  const to: Point = [frame.x(lastOffset + HALF_STEP), lastHeight];
  return {
    id: building_id,
    edge: [from, ...bends.map(([offset, height]) => [frame.x(offset), height] as const), to],
  };
}

/**
 * The drawn shape of a building. Its title is its letter and ID; the building of the view has its own words. A building
 * without an ID has no title.
 */
function neighbour({ id, edge }: Silhouette, { own, letters }: SkyView, words: SkyChartWords): Fragment {
  const [left, leftTop] = edge[0];
  const [right, rightTop] = edge[edge.length - 1];
  const between = edge.slice(1, -1).map(([x, top]) => `${x} ${top}`);
  const d = `M${left} ${BOTTOM}V${leftTop}L${between.join(' ')}L${right} ${rightTop}V${BOTTOM}z`;
  const letter = letters.get(id ?? '');
  const letteredClass = letter === undefined ? null : html` class="lettered"`;
  const letterAndId = letter === undefined ? id : `${letter} ${id}`;
  const title = id === null ? null : html`<title>${id === own ? words.own : letterAndId}</title>`;
  return html`<path${letteredClass} d="${d}">${title}</path>`;
}

/** The area of the drawing under an edge, square pixels. */
const sizeOf = (edge: readonly Point[]): number =>
  edge.reduce((sum, [x, height], i) => sum + (BOTTOM - height) * (x - (edge[i - 1]?.[0] ?? x)), 0);

/** Step between the positions along a building's edge that are tried for its badge. */
const BADGE_STEP = 4;

/**
 * A badge for each building with a letter, on or just above the largest piece of it that the skyline shows, or higher
 * with a line to it. Where there is no room the badge is left out: the list below the drawing describes the building.
 */
function badges(silhouettes: readonly Silhouette[], letters: ReadonlyMap<string, string>, height: number): Fragment {
  const labels = new Labels(WIDTH, height);
  return [...letters]
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
    .map(([id, letter]) => {
      const pieces = silhouettes.filter((one) => one.id === id).map(({ edge }) => edge);
      const [edge] = pieces.sort((a, b) => sizeOf(b) - sizeOf(a));
      if (edge === undefined) return null;
      for (const lift of LIFTS) {
        const place = labels.place(placesAlong(edge, lift), [2 * BADGE + 1, 2 * BADGE + 1]);
        if (place === null) continue;
        const leader = html`<path class="leader" d="M${tenth(place[0])} ${tenth(place[1])}v${lift + BADGE}"/>`;
        return html`${lift > 0 ? leader : null}${badge(letter, place, `${letter} ${id}`)}`;
      }
      return null;
    });
}

/** Space between a badge and the edge of its building, or another badge, pixels. */
const BADGE_GAP = 3;

/** By how much a badge is moved up where others take its place, pixels: a little more than the size of a badge each. */
const LIFTS = [0, 1, 2, 3, 4, 5].map((badges) => badges * (2 * BADGE + BADGE_GAP));

/**
 * Positions for a badge along a building's upper edge, those near its middle first. Where the building is high enough
 * the badge is inside it, below the edge; otherwise it is above the edge.
 * @param lift by how much the badge is moved up, pixels
 */
function placesAlong(edge: readonly Point[], lift: number): Point[] {
  const [from, to] = [edge[0][0], edge[edge.length - 1][0]];
  const middle = (from + to) / 2;
  const places: Point[] = [];
  // A building narrower than a step gets a position on each side too.
  for (let aside = 0; aside <= Math.max(BADGE_STEP, (to - from) / 2); aside += BADGE_STEP) {
    for (const edgeX of [middle - aside, middle + aside]) {
      // The whole badge stays inside the drawing.
      const x = Math.min(RIGHT - BADGE, Math.max(LEFT + BADGE, edgeX));
      const top = edge.findLast(([pointX]) => pointX <= edgeX)?.[1] ?? edge[0][1];
      const isHigh = BOTTOM - top >= 2 * BADGE + 4;
      places.push([x, (isHigh ? top + BADGE + BADGE_GAP : top - BADGE - BADGE_GAP) - lift]);
    }
  }
  return places;
}

/**
 * The part of the sky that a balcony hides, from its lower edge up, in the style of `behindWall`; null without a
 * balcony.
 */
function balconyAbove(edge: SkyView['balconyEdge'], frame: Frame, words: SkyChartWords): Fragment {
  if (edge.length === 0) return null;
  const places = edge.map(([azimuth, altitude]) => `${frame.x(frame.offset(azimuth))} ${y(altitude)}`);
  // The sky in front of the wall: 90° to each side of its direction.
  const [left, right] = [tenth(frame.x(-90)), tenth(frame.x(90))];
  return html`<path class="own-wall" d="M${left} ${TOP}L${places.join(' ')}L${right} ${TOP}z"><title>${words.balcony}</title></path>`;
}

/** The left and right parts of the view, more than 90° from the wall's direction, where the wall itself hides the sky. */
function behindWall(): Fragment {
  const width = tenth((HALF_VIEW - 90) * PIXELS_PER_DEGREE);
  return [LEFT, RIGHT - width].map(
    (x) => html`<rect class="own-wall" x="${tenth(x)}" y="${TOP}" width="${width}" height="${PLOT}"/>`,
  );
}

/** Step between the drawn positions of the sun, minutes. */
const STEP = 6;

/** The path of the sun on a month's day, its sunlit parts emphasized, with marks of the hours and the month's name. */
function sunWay(month: number, day: DayPath, view: SkyView, frame: Frame, words: SkyChartWords): Fragment {
  const windows = (view.windows.get(month) ?? []).map(([from, to]) => [minutesOf(from), minutesOf(to)] as const);
  /** The sun's path between two times, minutes after midnight, as path data; only what the view shows. */
  const way = (from: number, to: number): string => {
    let d = '';
    for (let minute = from; ; minute = Math.min(to, minute + STEP)) {
      const { azimuthDeg, altitudeDeg } = sunAt(day, minute);
      const offset = frame.offset(azimuthDeg);
      if (Math.abs(offset) <= HALF_VIEW)
        d += `${d === '' ? 'M' : 'L'}${frame.x(offset)} ${y(Math.max(0, altitudeDeg))}`;
      if (minute >= to) return d;
    }
  };
  const hours = hoursInView(day, frame);
  return html`<g data-month="${month}"><path class="way hidden" d="${way(day.sunrise, day.sunset)}"/>
${windows.map(([from, to]) => html`<path class="way lit" d="${way(from, to)}"/>`)}${hours.map(hourMark)}${monthName(words.month(month), hours)}</g>`;
}

/** A full hour at which the sun is up and before the wall, and the position of the sun in the drawing. */
interface HourInView {
  hour: number;
  place: Point;
}

/** The full hours of a day at which the sun is up and before the wall. */
function hoursInView(day: DayPath, frame: Frame): HourInView[] {
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  return hours.flatMap((hour) => {
    const { azimuthDeg, altitudeDeg } = sunAt(day, hour * 60);
    const offset = frame.offset(azimuthDeg);
    const isUp = hour * 60 > day.sunrise && hour * 60 < day.sunset;
    return isUp && Math.abs(offset) < 90 ? [{ hour, place: [frame.x(offset), y(altitudeDeg)] }] : [];
  });
}

/** A dot at the sun's position at a full hour; even hours have their number above. */
const hourMark = ({ hour, place: [x, y] }: HourInView): Html =>
  html`<circle class="hour" cx="${x}" cy="${y}" r="2"/>${hour % 2 === 0 ? html`<text class="halo middle" x="${x}" y="${tenth(y - 5)}">${hour}</text>` : null}`;

/**
 * The month's name at the highest odd hour in view: odd hours have no number that it could cover. Null when no odd hour
 * is in view.
 */
function monthName(name: string, hours: readonly HourInView[]): Fragment {
  const odd = hours.filter(({ hour }) => hour % 2 === 1);
  const [highest] = odd.sort((a, b) => a.place[1] - b.place[1]);
  if (highest === undefined) return null;
  const [x, y] = highest.place;
  return html`<text class="halo strong middle" x="${x}" y="${tenth(y - 7)}">${name}</text>`;
}

/** The names of the compass directions in view, below the sky. */
function directions(frame: Frame, words: SkyChartWords): Fragment {
  return DIRECTIONS.map((name, i) => ({ name, offset: frame.offset(i * 45) }))
    .filter(({ offset }) => Math.abs(offset) <= 90)
    .map(
      ({ name, offset }) =>
        html`<text class="axis middle" x="${frame.x(offset)}" y="${BOTTOM + 16}">${words.directions[name]}</text>`,
    );
}

/** The meaning of the lines and of the buildings' colour. */
function legend({ lit, hidden, buildings }: SkyChartWords): Fragment {
  const [line1, line2, column2] = [BOTTOM + 32, BOTTOM + 50, LEFT + 165];
  return html`<path class="way lit" d="M${LEFT} ${line1}h20"/><text class="small" x="${LEFT + 26}" y="${line1 + 4}">${lit}</text>
<path class="way hidden" d="M${column2} ${line1}h20"/><text class="small" x="${column2 + 26}" y="${line1 + 4}">${hidden}</text>
<g class="neighbours"><path d="M${LEFT + 3} ${line2 - 6}h14v12h-14z"/></g><text class="small" x="${LEFT + 26}" y="${line2 + 4}">${buildings}</text>`;
}
