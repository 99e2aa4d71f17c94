import { RADIANS } from '../../geo/degree.ts';
import { type DayPath, sunAt } from '../../solar/day-path.ts';
import { type Fragment, type Html, html } from '../markup.ts';
import { drawing, minutesOf, tenth, wrapped } from './svg.ts';

/** A month of the month × clock chart, as in the answers of `full` and of a floor. */
interface ChartMonth {
  month: number;
  direct_sun_hours: number;
  sunlit_windows: readonly (readonly string[])[];
  /** The share of the wall in the sun from a time of day on; absent when unknown. */
  lit_share?: readonly (readonly [string, number])[];
}

/** Words of the chart. */
export interface SunChartWords {
  title: string;
  description: string;
  lit: string;
  shaded: string;
  behind: string;
  hours: string;
  /** Lines. */
  credit: readonly string[];
  month: (month: number) => string;
}

const WIDTH = 380;
const LEFT = 46;
const TOP = 62;
/** The longest day in Japan is within these, minutes after midnight. */
const CLOCK_TOP = 4 * 60;
const CLOCK_END = 20 * 60;
const PIXELS_PER_MINUTE = 300 / (CLOCK_END - CLOCK_TOP);
const BOTTOM = TOP + 300;
const LINE = 15;
const COLUMN = (WIDTH - LEFT - 6) / 12;
const BAR = COLUMN - 4;

/**
 * The month × clock chart: for the 15th of each month the times when the sun is up, when it is in front of the wall,
 * and the lit share of the wall as the width of the bar.
 */
export function sunChart(
  months: readonly ChartMonth[],
  days: readonly DayPath[],
  azimuthDeg: number,
  words: SunChartWords,
): Html {
  const credit = words.credit.flatMap((line) => wrapped(line, WIDTH - 8));
  const height = BOTTOM + 50 + LINE * credit.length;
  return drawing({ id: 'sun', width: WIDTH, height, title: words.title, description: words.description }, [
    legend(words),
    clock(),
    months.map((month, i) => column(month, days[i], azimuthDeg, words)),
    html`<text x="${LEFT - 6}" y="${BOTTOM + 36}" class="axis end">${words.hours}</text>`,
    credit.map((line, i) => html`<text x="4" y="${BOTTOM + 56 + LINE * i}" class="small">${line}</text>`),
  ]);
}

/** The height in the chart of a time of day, minutes after midnight. Times outside of the clock are at its ends. */
const y = (minute: number): number =>
  tenth(TOP + (Math.min(CLOCK_END, Math.max(CLOCK_TOP, minute)) - CLOCK_TOP) * PIXELS_PER_MINUTE);

/** The meaning of the colours. */
function legend({ lit, shaded, behind }: SunChartWords): Fragment {
  // Kind, label, and pixels to the right and down.
  const entries = [
    ['lit', lit, 0, 0],
    ['shaded', shaded, 150, 0],
    ['behind', behind, 0, 20],
  ] as const;
  return entries.map(
    ([kind, label, right, down]) =>
      html`<rect class="${kind}" x="${LEFT + right}" y="${down + 8}" width="13" height="13"/><text class="small" x="${LEFT + right + 19}" y="${down + 19}">${label}</text>`,
  );
}

/** The lines of the hours. */
function clock(): Fragment {
  const hours = [4, 6, 8, 10, 12, 14, 16, 18, 20];
  return hours.map(
    (hour) =>
      html`<line class="grid" x1="${LEFT}" x2="${WIDTH - 4}" y1="${y(hour * 60)}" y2="${y(hour * 60)}"/><text class="axis end" x="${LEFT - 6}" y="${y(hour * 60) + 4}">${hour}:00</text>`,
  );
}

/**
 * The bar of a month, with its number below and its hours. The parts of the bar cover each other: the whole day, the
 * times with the sun in front of the wall, and the lit times.
 */
function column(month: ChartMonth, day: DayPath, azimuthDeg: number, words: SunChartWords): Html {
  const x = tenth(LEFT + 2 + (month.month - 1) * COLUMN);
  const middle = tenth(x + BAR / 2);
  const hours = month.direct_sun_hours.toFixed(1);
  /** A part of the bar at full width, between two times of day in minutes after midnight. */
  const rect = (kind: string, [from, to]: readonly [number, number]): Html =>
    html`<rect class="${kind}" x="${x}" y="${y(from)}" width="${tenth(BAR)}" height="${tenth(y(to) - y(from))}"/>`;
  const windows = month.sunlit_windows.map((window) => window.join('-')).join(' ');
  // Hours from 10.0 are wider than a column.
  const squeezed = hours.length > 3 ? html` textLength="${tenth(COLUMN - 3)}" lengthAdjust="spacingAndGlyphs"` : null;
  return html`<g data-month="${month.month}" data-hours="${month.direct_sun_hours}" data-windows="${windows}">
<title>${words.month(month.month)}: ${month.direct_sun_hours} ${words.hours}</title>
${rect('behind', [day.sunrise, day.sunset])}${partsInFront(day, azimuthDeg).map((part) => rect('shaded', part))}${litPart(month, x, rect)}
<text class="axis middle" x="${middle}" y="${BOTTOM + 18}">${month.month}</text>
<text class="value middle" x="${middle}" y="${BOTTOM + 36}"${squeezed}>${hours}</text></g>`;
}

/** The sunlit part of a bar: as wide as the share of the wall in the sun, or at full width where shares are unknown. */
function litPart(
  month: ChartMonth,
  x: number,
  rect: (kind: string, window: readonly [number, number]) => Html,
): Fragment {
  const shares = month.lit_share;
  if (shares === undefined) {
    return month.sunlit_windows.map(([from, to]) => rect('lit', [minutesOf(from), minutesOf(to)]));
  }
  const steps = shares.map(([time, share]) => ({ minute: minutesOf(time), share }));
  // Each share holds until the time of the next one; the last one only says where the sun ends.
  const bars = steps.slice(0, -1).flatMap(({ minute, share }, i) => {
    const end = steps[i + 1].minute;
    return share === 0 ? [] : [`M${x} ${y(minute)}h${tenth(share * BAR)}V${y(end)}h${-tenth(share * BAR)}z`];
  });
  return html`<path class="lit" d="${bars.join('')}"/>`;
}

/** Step between the times at which the sun's direction is tested, minutes. */
const STEP = 5;

/** The times when the sun is up and in front of a wall with this azimuth, minutes after midnight. */
function partsInFront(path: DayPath, azimuthDeg: number): [from: number, to: number][] {
  const isInFront = (minute: number): boolean => Math.cos((sunAt(path, minute).azimuthDeg - azimuthDeg) * RADIANS) > 0;
  const parts: [from: number, to: number][] = [];
  /** The beginning of the part that is not yet complete; null while the sun is behind the wall. */
  let start = isInFront(path.sunrise) ? path.sunrise : null;
  for (let minute = path.sunrise; minute < path.sunset; minute += STEP) {
    const next = Math.min(minute + STEP, path.sunset);
    const wasInFront = start !== null;
    if (isInFront(next) === wasInFront) continue;
    const turn = turningPoint(isInFront, minute, next);
    if (start === null) start = turn;
    else {
      parts.push([start, turn]);
      start = null;
    }
  }
  if (start !== null) parts.push([start, path.sunset]);
  return parts;
}

/** The minute between `from` and `to` at which the sun passes the plane of the wall, exact to a second. */
function turningPoint(isInFront: (minute: number) => boolean, from: number, to: number): number {
  const wasInFront = isInFront(from);
  let [low, high] = [from, to];
  while (high - low > 1 / 60) {
    const middle = (low + high) / 2;
    if (isInFront(middle) === wasInFront) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** One of the compared flats: its sunlit times on a day. */
interface DayBar {
  /** Its letter, as in the table beside the chart. */
  letter: string;
  /** Hours as text. */
  hours: string;
  /** Minutes after midnight. */
  lit: readonly (readonly [from: number, to: number])[];
}

/**
 * Space for letters on the left, for hours on the right and above the bars; the height of a row, the gap above and below
 * its bar, and the baseline of its texts below its top; pixels.
 */
const BARS = { left: 24, right: 76, top: 8, row: 30, gap: 4, baseline: 19 } as const;
/** Hours of the day with a line. */
const MARKS = [6, 9, 12, 15, 18];

/**
 * A chart of the compared flats: one bar each, one below the other on a common clock, with the sunlit times over the
 * whole day.
 */
export function dayBars(bars: readonly DayBar[], words: { title: string; description: string }): Html {
  const { left, right, top, row: height } = BARS;
  const bottom = top + height * bars.length;
  const x = (minute: number): number =>
    tenth(left + ((minute - CLOCK_TOP) / (CLOCK_END - CLOCK_TOP)) * (WIDTH - left - right));
  const row = ({ letter, hours, lit }: DayBar, i: number): Html => {
    const y = top + height * i;
    const baseline = y + BARS.baseline;
    const bar = (kind: string, from: number, to: number): Html =>
      html`<rect class="${kind}" x="${x(from)}" y="${y + BARS.gap}" width="${tenth(x(to) - x(from))}" height="${height - 2 * BARS.gap}"/>`;
    return html`<text class="value" x="4" y="${baseline}">${letter}</text>
${bar('behind', CLOCK_TOP, CLOCK_END)}${lit.map(([from, to]) => bar('lit', from, to))}
<text class="value end" x="${WIDTH - 2}" y="${baseline}">${hours}</text>`;
  };
  const marks = MARKS.map(
    (hour) =>
      html`<line class="grid" x1="${x(hour * 60)}" x2="${x(hour * 60)}" y1="${top}" y2="${bottom}"/><text class="axis middle" x="${x(hour * 60)}" y="${bottom + 16}">${hour}:00</text>`,
  );
  return drawing({ id: 'day', width: WIDTH, height: bottom + 24, ...words }, [bars.map(row), marks]);
}
