import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';

/**
 * Printed output and written files of commands. Results go to standard output so that they can be piped; progress,
 * remarks and errors go to standard error. Colours appear only on a terminal; NO_COLOR and FORCE_COLOR apply.
 */

/** Prints a line of the result. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line about the work, on standard error. */
export function remark(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** From now on no printed text ends the process, even without room or without a reader. */
export function outlivePrintErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => {});
}

/** Least number of characters of a piece. */
const PIECE = 1 << 16;

/** Joins texts into pieces, because a system call for each text would be slow. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Prints a long result at the speed of its reader. */
export async function sayAll(texts: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(inPieces(texts)), process.stdout, { end: false });
}

/** Prints a value as JSON, indented by two. */
export function sayJson(value: unknown): void {
  say(JSON.stringify(value, null, 2));
}

/** `text` in a style when `stream` is a terminal, otherwise without change. */
export function styled(
  style: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return styleText(style, text, { stream, validateStream: true });
}

/** A whole number with thousands separators: `182,325`. */
export const countText = (n: number): string => n.toLocaleString('en-US');

/** Bytes in a fitting unit: `12.3 MB` (powers of 1000). */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`;
}

/** A duration in a fitting unit: `840 ms`, `12.3 s`, `2 min 05 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  // From here on, one decimal would say 60.0 s.
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/**
 * Rows as aligned columns, two spaces apart, as lines. A column in which every cell after the first row is a number,
 * with or without a unit (or `–`), is aligned to the right. The first row is the heading.
 */
export function table(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths: number[] = [];
  const isRightAligned: boolean[] = [];
  for (let c = 0; c < columns; c++) {
    widths.push(Math.max(...rows.map((row) => displayWidth(row[c] ?? ''))));
    const body = rows.slice(1).map((row) => row[c] ?? '');
    isRightAligned.push(
      body.length > 0 && body.every((cell) => /^[-+]?[\d,.]+( ?(%|[a-zA-Z]{1,3}))?$|^–?$/.test(cell)),
    );
  }
  return rows.map((row) =>
    row
      .map((cell, c) => {
        const space = ' '.repeat(widths[c] - displayWidth(cell));
        return isRightAligned[c] ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Prints a table with its heading in bold. */
export function sayTable(rows: readonly (readonly string[])[]): void {
  const [heading = '', ...lines] = table(rows);
  say(styled('bold', heading));
  for (const line of lines) say(line);
}

/** East Asian wide and full-width characters, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{3fffd}]/u;

/**
 * Number of columns of a text on a terminal: East Asian wide and full-width characters have two, combining marks none.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) if (!/\p{Mark}|\p{Cf}/u.test(char)) width += WIDE.test(char) ? 2 : 1;
  return width;
}

/**
 * Writes a file under a temporary name and renames it when it is complete. A device or a pipe is written directly.
 * @throws Error naming the file when it cannot be written
 */
export async function wholeFile<T>(path: string, write: (part: string) => Promise<T>): Promise<T> {
  const target = await stat(path).catch(() => null);
  if (target?.isDirectory()) throw new Error(`${path}: is a folder: expected the name of a file to write`);
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory())
    throw new Error(`${path}: cannot be written: there is no folder ${dirname(path)}; make it first`);
  const isPlain = target === null || target.isFile();
  const part = isPlain ? `${path}.part` : path;
  try {
    const written = await write(part);
    if (isPlain) await rename(part, path);
    return written;
  } catch (error) {
    if (isPlain) await rm(part, { force: true });
    throw new Error(`${path}: cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
