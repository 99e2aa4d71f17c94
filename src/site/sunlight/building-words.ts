import type { SunChartWords } from '../charts/sun-chart.ts';
import type { Texts } from '../texts/texts.ts';
import type { Choice } from './choice.ts';
import { bestFace, hoursIn } from './floors.ts';

/** The answer in one sentence, as text. */
export function sentenceOf({ frame, sunlight }: Texts, { month, floor, face }: Choice): string {
  const answer = face.months[month - 1]!;
  const words = {
    month: frame.month(month),
    floor: frame.floor(floor.floor),
    face: frame.faces[face.face]!,
    hours: frame.hoursExact(answer.direct_sun_hours),
    windows: answer.sunlit_windows.map(([from, to]) => `${from}–${to}`).join(frame.name === 'Hidamari' ? ', ' : '、'),
    unshaded: frame.hoursExact(answer.unshaded_hours),
  };
  return answer.direct_sun_hours === 0 ? sunlight.noSun(words) : sunlight.sentence(words);
}

/** What to say of the sunniest wall where it is another one. */
export function betterFace({ frame, sunlight }: Texts, { month, floor, face }: Choice): string | null {
  const best = bestFace(floor, month)!;
  if (hoursIn(best, month) <= hoursIn(face, month)) return null;
  return sunlight.bestFace(frame.faces[best.face]!, frame.hoursExact(hoursIn(best, month)));
}

/** What the widths of the chart's bars mean. */
export const chartNote = ({ sunlight }: Texts, { face }: Choice): string =>
  face.months[0]!.lit_share === undefined ? sunlight.chartNoteWindows : sunlight.chartNoteShare;

/** Words of the month × clock chart. */
export function sunWords(
  { frame, sunlight }: Texts,
  { floor, face }: Choice,
  buildingId: string,
  credit: string,
): SunChartWords {
  return {
    title: sunlight.chartTitle(frame.floor(floor.floor), frame.faces[face.face]!),
    description: sunlight.chartDescription,
    lit: sunlight.lit,
    shaded: sunlight.shaded,
    behind: sunlight.behind,
    hours: frame.hours,
    credit: `${buildingId} · ${credit}`,
    month: frame.month,
  };
}
