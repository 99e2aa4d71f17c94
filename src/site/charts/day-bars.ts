import { type Html, html } from '../markup.ts';
import { at, drawing } from './svg.ts';

/** One of the compared flats: its sunlit times on a day. */
interface DayBar {
  /** Its letter, as in the table beside the chart. */
  letter: string;
  /** Hours as text. */
  hours: string;
  /** Minutes after midnight. */
  lit: readonly (readonly [from: number, to: number])[];
}

const WIDTH = 380;
const LEFT = 24;
const RIGHT = 76;
const ROW = 30;
const TOP = 8;
/** The longest day in Japan is within these, minutes after midnight. */
const [FROM, TO] = [4 * 60, 20 * 60];
const MARKS = [6, 9, 12, 15, 18];

/** Days one below the other on a common clock, with their sunlit times. */
export function dayBars(bars: readonly DayBar[], words: { title: string; description: string }): Html {
  const bottom = TOP + ROW * bars.length;
  const x = (minute: number): number => at(LEFT + ((minute - FROM) / (TO - FROM)) * (WIDTH - LEFT - RIGHT));
  const row = ({ letter, hours, lit }: DayBar, i: number): Html => {
    const y = TOP + ROW * i;
    return html`<text class="value" x="4" y="${y + 19}">${letter}</text><rect class="behind" x="${x(FROM)}" y="${y + 4}" width="${at(x(TO) - x(FROM))}" height="${ROW - 8}"/>${lit.map(([from, to]) => html`<rect class="lit" x="${x(from)}" y="${y + 4}" width="${at(x(to) - x(from))}" height="${ROW - 8}"/>`)}<text class="value end" x="${WIDTH - 2}" y="${y + 19}">${hours}</text>`;
  };
  const marks = MARKS.map(
    (hour) =>
      html`<line class="grid" x1="${x(hour * 60)}" x2="${x(hour * 60)}" y1="${TOP}" y2="${bottom}"/><text class="axis middle" x="${x(hour * 60)}" y="${bottom + 16}">${hour}:00</text>`,
  );
  return drawing({ id: 'day', width: WIDTH, height: bottom + 24, ...words }, [bars.map(row), marks]);
}
