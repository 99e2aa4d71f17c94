import { type Command, InvalidArgumentError } from 'commander';

/** The last second that RFC 3339 can write. */
const LATEST = Date.UTC(10_000, 0) / 1000 - 1;

/**
 * When a build says it was made, RFC 3339 to the second: now, or the time of SOURCE_DATE_EPOCH, "an ASCII
 * representation of an integer" of seconds since 1970 (https://reproducible-builds.org/specs/source-date-epoch/). An empty
 * variable counts as none; one that is malformed ends the command as wrong usage.
 */
export function timeOfBuild(command: Command, epoch = process.env.SOURCE_DATE_EPOCH, now = new Date()): string {
  if (epoch === undefined || epoch === '') return toTheSecond(now);
  if (!/^\d+$/.test(epoch) || Number(epoch) > LATEST) {
    const problem = `SOURCE_DATE_EPOCH is ${JSON.stringify(epoch)}: expected whole seconds since 1970, such as 1767225600`;
    return command.error(`error: ${problem}`, { exitCode: 2 });
  }
  return toTheSecond(new Date(Number(epoch) * 1000));
}

function toTheSecond(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

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
