import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvRecords } from '../src/kaigo/lists/csv.ts';
import { SERVICES } from '../src/kaigo/services.ts';

/** One office of a service in this number also stands in the list of the next, as in the published lists. */
const SHARED_EVERY = 4;

/**
 * Writes office lists of all 35 services with about as many rows as the whole country has, by repeating real rows
 * under new office numbers: for measuring. Returns the number of rows.
 * @param real folder of office lists as published
 */
export function writeNationalLists(real: string, folder: string, rows: number): number {
  const originals = readdirSync(real)
    .filter((name) => /^jigyosho_\d{3}.*\.csv$/.test(name))
    .flatMap((name) => [...csvRecords([readFileSync(join(real, name), 'utf8').replace(/^\ufeff/, '')])].slice(1));
  const header = readFileSync(join(real, readdirSync(real).sort()[0]), 'utf8').split('\r\n', 1)[0];
  const perService = Math.ceil(rows / SERVICES.length);
  mkdirSync(folder, { recursive: true });
  let written = 0;
  SERVICES.forEach(({ service_code, name }, s) => {
    const path = join(folder, `jigyosho_${service_code}.csv`);
    writeFileSync(path, `${header}\r\n`);
    const lines: string[] = [];
    for (let i = 0; i < perService && written < rows; i++, written++) {
      // Pairs of services share the office; every other office is of its service alone.
      const group = i % SHARED_EVERY === 0 ? s >> 1 : s + SERVICES.length;
      const values = [...originals[(i * 7 + group * 1009) % originals.length].values!];
      const number = i + group * perService;
      const id = `${values[0].slice(0, 2)}${String(number).padStart(8, '0')}`;
      values[1] = id;
      values[15] = id;
      values[6] = name;
      lines.push(values.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','));
    }
    if (lines.length > 0) appendFileSync(path, `${lines.join('\r\n')}\r\n`);
  });
  return written;
}
