import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { Refused } from '../../contract/outcome.ts';
import { type Html, html } from '../markup.ts';
import type { Texts } from '../texts/texts.ts';
import { type PageAsk, type SunlightAsk, textsOf } from '../view.ts';
import { type Choice, DECEMBER, USUAL_BALCONY } from './choice.ts';

/** The day that a page shows: the 15th of a month, or a date. */
export interface ShownDay {
  month: number;
  /** YYYY-MM-DD; null: the 15th. */
  date: string | null;
  /** The day in words. */
  name: string;
}

/** The requested day. */
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

/** A wall, or all walls of a floor, on some days. */
export const floorOn = (
  ask: SunlightAsk,
  buildingId: string,
  { floor, face, balcony, said }: Pick<Choice, 'balcony' | 'said'> & { floor: number; face?: Choice['face']['face'] },
  dates: readonly string[],
): Promise<BuildingFloor | Refused> =>
  ask.compute<'floor'>({
    kind: 'floor',
    buildingId,
    floor,
    face,
    ...said,
    dates,
    balcony: balcony ? USUAL_BALCONY : undefined,
    receptors: true,
  });
