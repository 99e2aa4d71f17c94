import { HOURS_CLASSES } from '../../contract/sunlight-shapes.ts';
import { type Html, html, isolate } from '../markup.ts';
import { HOURS_SCALE } from '../scale.ts';
import { drawing, tenth } from './svg.ts';

/** Words of the chart. */
interface HistogramWords {
  title: string;
  description: string;
  axis: string;
}

const WIDTH = 440;
const HEIGHT = 190;
const LEFT = 8;
const BAR_TOP = 22;
const BAR_BOTTOM = HEIGHT - 42;
/** End of the axis, hours: the last class has no upper limit, and is drawn as wide as the one before. */
const AXIS_END = 10;
const PER_HOUR = (WIDTH - 2 * LEFT) / AXIS_END;

/**
 * A bar chart of the number of buildings in each class of the colour scale. Classes differ in width, so the area of a
 * bar, not its height, shows the number of its buildings.
 */
export function histogram(counts: readonly number[], words: HistogramWords): Html {
  const hoursIn = (i: number): number => (HOURS_CLASSES[i + 1] ?? AXIS_END) - HOURS_CLASSES[i];
  const most = Math.max(1, ...counts.map((count, i) => count / hoursIn(i)));
  const bars = counts.map((count, i) => {
    const height = (count / hoursIn(i) / most) * (BAR_BOTTOM - BAR_TOP);
    const x = LEFT + HOURS_CLASSES[i] * PER_HOUR;
    const width = hoursIn(i) * PER_HOUR;
    const middle = tenth(x + width / 2);
    return html`<g data-class="${i}" data-count="${count}">
<rect class="bar h${i}" x="${tenth(x + 2)}" y="${tenth(BAR_BOTTOM - height)}" width="${tenth(width - 4)}" height="${tenth(height)}"/>
<text class="value middle" x="${middle}" y="${tenth(BAR_BOTTOM - height - 5)}">${count}</text>
<text class="axis middle" x="${middle}" y="${BAR_BOTTOM + 16}">${classLabel(i)}</text></g>`;
  });
  return drawing(
    { id: 'distribution', width: WIDTH, height: HEIGHT, title: words.title, description: words.description },
    [
      html`<line class="grid" x1="${LEFT}" x2="${WIDTH - LEFT}" y1="${BAR_BOTTOM}" y2="${BAR_BOTTOM}"/>`,
      bars,
      html`<text class="small middle" x="${WIDTH / 2}" y="${HEIGHT - 8}">${words.axis}</text>`,
    ],
  );
}

/** The hours of a class, such as `2–3`; the last class has no upper bound, so it has the label of the colour scale. */
function classLabel(index: number): string {
  const next = HOURS_CLASSES[index + 1];
  return next === undefined ? HOURS_SCALE[index].label : `${HOURS_CLASSES[index]}–${next}`;
}

/** A facility of the plot. */
interface StripValue {
  id: string;
  name: string;
  yen: number;
  /** Drawn larger. */
  marked: boolean;
}

/** Words of the plot. */
interface StripWords {
  title: string;
  description: string;
  axis: string;
  yen: (yen: number) => string;
  tick: (yen: number) => string;
}

/** Space on the left and right for half a label, number of bins across the plot, and radius of a dot. */
const SIDE = 34;
const BINS = 56;
const DOT = 3.4;
/** The axis begins and ends at a multiple of this amount. */
const AXIS_STEP_YEN = 10_000;
/** Height of the tallest pile. With many equal costs the dots of a pile overlap. */
const PILE = 170;
/** Space above the tallest pile, pixels. */
const ABOVE = 16;

/** Monthly costs of a municipality, one dot each; the dots of a bin form a pile. */
export function stripPlot(values: readonly StripValue[], words: StripWords): Html {
  const yens = values.map(({ yen }) => yen);
  const low = Math.floor(Math.min(...yens) / AXIS_STEP_YEN) * AXIS_STEP_YEN;
  const high = Math.max(low + AXIS_STEP_YEN, Math.ceil(Math.max(...yens) / AXIS_STEP_YEN) * AXIS_STEP_YEN);
  /** The position of an amount on the axis, 0 to 1. */
  const share = (yen: number): number => (yen - low) / (high - low);
  const x = (yen: number): number => SIDE + share(yen) * (WIDTH - 2 * SIDE);
  const dotsInBin = new Map<number, number>();
  const sorted = values.toSorted((a, b) => a.yen - b.yen);
  const stacked = sorted.map((value) => {
    const bin = Math.round(share(value.yen) * BINS);
    const dotsBelow = dotsInBin.get(bin) ?? 0;
    dotsInBin.set(bin, dotsBelow + 1);
    return { value, dotsBelow };
  });
  const tallest = Math.max(...dotsInBin.values());
  /** From a dot of a pile up to the next one. */
  const rise = Math.min(DOT * 2, PILE / tallest);
  const base = tenth(ABOVE + DOT * 2 + (tallest - 1) * rise);
  const dots = stacked.map(
    ({ value, dotsBelow }) =>
      html`<circle class="dot${value.marked ? ' chosen' : ''}" data-id="${value.id}" data-yen="${value.yen}" cx="${tenth(x(value.yen))}" cy="${tenth(base - DOT - dotsBelow * rise)}" r="${value.marked ? 6 : DOT}"><title>${isolate(value.name)}: ${words.yen(value.yen)}</title></circle>`,
  );
  const ticks = [low, (low + high) / 2, high].map(
    (yen) =>
      html`<line class="grid" x1="${tenth(x(yen))}" x2="${tenth(x(yen))}" y1="${base}" y2="${base + 5}"/><text class="axis middle" x="${tenth(x(yen))}" y="${base + 18}">${words.tick(yen)}</text>`,
  );
  return drawing(
    { id: 'costs', width: WIDTH, height: tenth(base + 42), title: words.title, description: words.description },
    [
      html`<line class="grid" x1="${SIDE}" x2="${WIDTH - SIDE}" y1="${base}" y2="${base}"/>`,
      ticks,
      dots,
      html`<text class="small middle" x="${WIDTH / 2}" y="${tenth(base + 36)}">${words.axis}</text>`,
    ],
  );
}
