import { HOURS_CLASSES } from '../../contract/sunlight-shapes.ts';
import { type Html, html } from '../markup.ts';
import { HOURS_SCALE } from '../scale.ts';
import { at, drawing } from './svg.ts';

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
const STEP = (WIDTH - 2 * LEFT) / HOURS_SCALE.length;

/** How many buildings lie in each class of the colour scale. */
export function histogram(counts: readonly number[], words: HistogramWords): Html {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, i) => {
    const height = (count / most) * (BAR_BOTTOM - BAR_TOP);
    const x = LEFT + i * STEP;
    const middle = at(x + STEP / 2);
    return html`<g data-class="${i}" data-count="${count}"><rect class="bar h${i}" x="${at(x + 2)}" y="${at(BAR_BOTTOM - height)}" width="${at(STEP - 4)}" height="${at(height)}"/><text class="value middle" x="${middle}" y="${at(BAR_BOTTOM - height - 5)}">${count}</text><text class="axis middle" x="${middle}" y="${BAR_BOTTOM + 16}">${classLabel(i)}</text></g>`;
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

function classLabel(index: number): string {
  const next = HOURS_CLASSES[index + 1];
  return next === undefined ? HOURS_SCALE[index].label : `${HOURS_CLASSES[index]}–${next}`;
}
