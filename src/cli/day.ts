import { InvalidArgumentError } from 'commander';

/** Whether a text is a day of the calendar, YYYY-MM-DD. `Date.parse` takes 31 February for 3 March. */
export function isDay(text: string): boolean {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/** The day that a flag gives. Throws `InvalidArgumentError`. */
export function dayFlag(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('Expected a day as YYYY-MM-DD.');
  return text;
}

/** The day that a moment falls on in Japan, YYYY-MM-DD: price lists change there. */
export function dayInJapan(moment: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(moment);
}
