import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A row by the names of its columns, with its place: line 1 holds the names. */
export type PlainRow = Record<string, string> & { file: string; line: string };

/** A table read without any of our code: no value in the real ones holds a line break or an escaped quote. */
export function plainTable(path: string): PlainRow[] {
  const lines = readFileSync(path, 'utf8')
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/);
  const cells = (line: string) =>
    [...line.matchAll(/("([^"]*)"|[^,]*)(,|$)/g)].map(([, raw, quoted]) => quoted ?? raw!);
  const header = cells(lines[0]!);
  return lines.slice(1).map((line, i) => {
    const values = cells(line);
    const row = Object.fromEntries(header.map((column, n) => [column, values[n] ?? '']));
    return { ...row, file: basename(path), line: String(i + 2) };
  });
}

/** The rows of the office lists of a folder, each with its service. */
export function plainLists(folder: string): PlainRow[] {
  return readdirSync(folder).flatMap((name) =>
    plainTable(join(folder, name)).map((row): PlainRow => ({ ...row, service: name.slice(9, 12) })),
  );
}
