import type { Command } from 'commander';

/** The last second that RFC 3339 can write. */
const LATEST = Date.UTC(10_000, 0) / 1000 - 1;

/**
 * When a build says it was made, RFC 3339 to the second: now, or the time of SOURCE_DATE_EPOCH, "an ASCII
 * representation of an integer" of seconds since 1970 (https://reproducible-builds.org/specs/source-date-epoch/). An empty
 * variable counts as none; one that is malformed ends the command as wrong usage.
 */
export function buildTime(command: Command, epoch = process.env.SOURCE_DATE_EPOCH, now = new Date()): string {
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
