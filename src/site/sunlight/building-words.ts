import type { SkyChartWords } from '../charts/sky-chart.ts';
import type { SunChartWords } from '../charts/sun-chart.ts';
import { type Html, withBold } from '../markup.ts';
import type { Texts } from '../texts/texts.ts';
import { type Choice, monthsOf } from './choice.ts';
import { bestFace, hoursIn } from './floors.ts';

/** The answer in one sentence, with its hours in bold. */
export function answerOf(texts: Texts, choice: Choice): Html {
  const hours = texts.frame.hoursExact(monthsOf(choice)[choice.month - 1].direct_sun_hours);
  return withBold(sentenceOf(texts, choice), [hours]);
}

/** The answer in one sentence, as text. */
export function sentenceOf({ frame, sunlight }: Texts, choice: Choice): string {
  const { month, floor, face, spot } = choice;
  const answer = monthsOf(choice)[month - 1];
  const words = {
    month: frame.month(month),
    floor: frame.floor(floor.floor),
    face: frame.faces[face.face],
    hours: frame.hoursExact(answer.direct_sun_hours),
    windows: answer.sunlit_windows.map(([from, to]) => `${from}–${to}`).join(frame.name === 'Hidamari' ? ', ' : '、'),
    unshaded: frame.hoursExact(answer.unshaded_hours),
  };
  if (spot !== null) return sunlight.spotSentence({ ...words, spot: spot.receptor, spots: face.receptors });
  return answer.direct_sun_hours === 0 ? sunlight.noSun(words) : sunlight.sentence(words);
}

/** What to say of the sunniest wall where it is another one. */
export function betterFace({ frame, sunlight }: Texts, { month, floor, face, spot }: Choice): string | null {
  if (spot !== null) return null;
  const best = bestFace(floor, month) ?? face;
  if (hoursIn(best, month) <= hoursIn(face, month)) return null;
  return sunlight.bestFace(frame.faces[best.face], frame.hoursExact(hoursIn(best, month)));
}

/** What the widths of the chart's bars mean. */
export function chartNote({ sunlight }: Texts, { face, spot }: Choice): string {
  if (spot !== null) return sunlight.chartNoteSpot;
  return face.months[0].lit_share === undefined ? sunlight.chartNoteWindows : sunlight.chartNoteShare;
}

/** Words of the month × clock chart. */
export function sunWords(
  { frame, sunlight }: Texts,
  { floor, face }: Choice,
  buildingId: string,
  credit: string,
): SunChartWords {
  return {
    title: sunlight.chartTitle(frame.floor(floor.floor), frame.faces[face.face]),
    description: sunlight.chartDescription,
    lit: sunlight.lit,
    shaded: sunlight.shaded,
    behind: sunlight.behind,
    hours: frame.hours,
    credit: [buildingId, credit],
    month: frame.month,
  };
}

/** Words of the view of the sky. */
export function skyWords({ frame, sunlight }: Texts, { floor, face }: Choice): SkyChartWords {
  return {
    title: sunlight.skyTitle(frame.floor(floor.floor), frame.faces[face.face]),
    description: sunlight.skyDescription,
    lit: sunlight.lit,
    hidden: sunlight.skyHidden,
    buildings: sunlight.skyBuildings,
    note: sunlight.skyNote,
    directions: frame.faces,
    month: frame.month,
  };
}
