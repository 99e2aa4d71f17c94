/**
 * Speed and memory of the CityGML reader, against saxes on the same real file in the same run.
 *
 *   npm run bench:reader [FILE…]
 *
 * The file is held in memory and fed in chunks of 256 KiB, so that the disk has no part in it. Each round runs every
 * contender once; the median of the rounds counts. Time is CPU time of this process.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SaxesParser } from 'saxes';
import { BuildingReader } from '../src/plateau/reader.ts';
import { saxesBuildings } from '../test/plateau/saxes-reader.ts';
import { quantile } from './serving/output.ts';

const CHUNK = 256 * 1024;
const ROUNDS = 9;
const WARM_UP = 3;
const SHARED = fileURLToPath(new URL('../../shared/data/plateau/', import.meta.url));
const REAL_FILES = ['osaka/51357346_bldg_6697_op.gml', 'sagamihara/53393137_bldg_6697_op.gml'];

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += CHUNK) yield bytes.subarray(from, from + CHUNK);
}

function* textOf(bytes: Buffer): Generator<string> {
  const decoder = new TextDecoder();
  for (const chunk of chunksOf(bytes)) yield decoder.decode(chunk, { stream: true });
}

/** Each reader returns the number of buildings that it found in the bytes. */
const CONTENDERS: Record<string, (bytes: Buffer) => number> = {
  hidamari: (bytes) => {
    let buildings = 0;
    const reader = new BuildingReader('bench', { building: () => buildings++, issue: () => {} });
    for (const chunk of chunksOf(bytes)) reader.feed(chunk);
    reader.end();
    return buildings;
  },
  'saxes, the same job': (bytes) => saxesBuildings(textOf(bytes)).length,
  'saxes, tags only': (bytes) => {
    let buildings = 0;
    const parser = new SaxesParser({ xmlns: true });
    parser.on('opentag', (tag) => {
      if (tag.local === 'Building') buildings++;
    });
    for (const text of textOf(bytes)) parser.write(text);
    parser.close();
    return buildings;
  },
};

/** CPU seconds of one call. */
function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function speed(file: string): void {
  const bytes = readFileSync(file);
  const times = Object.fromEntries(Object.keys(CONTENDERS).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const [name, read] of Object.entries(CONTENDERS)) {
      const seconds = cpuSeconds(() => read(bytes));
      if (round >= WARM_UP) times[name].push(seconds);
    }
  }
  const counts = Object.values(CONTENDERS).map((read) => read(bytes));
  if (new Set(counts).size > 1) throw new Error(`the readers disagree about ${file}: ${counts.join(', ')} buildings`);
  console.log(`${basename(file)}: ${(bytes.length / 1e6).toFixed(1)} MB, ${counts[0]} buildings`);
  const ours = quantile(times.hidamari, 0.5);
  for (const [name, list] of Object.entries(times)) {
    const seconds = quantile(list, 0.5);
    const rate = `${(bytes.length / 1e6 / seconds).toFixed(0)} MB/s`.padStart(9);
    const ratio = name === 'hidamari' ? '' : `   hidamari is ${(seconds / ours).toFixed(1)} times as fast`;
    console.log(`  ${name.padEnd(20)} ${rate}${ratio}`);
  }
}

/** Resident memory while reading an endless file: the buildings of the file over and over. */
function memory(file: string): void {
  const bytes = readFileSync(file);
  const first = bytes.indexOf('<core:cityObjectMember');
  const last = bytes.lastIndexOf('</core:CityModel>');
  const body = bytes.subarray(first, last);
  const reader = new BuildingReader('endless', { building: () => {}, issue: () => {} });
  const before = process.memoryUsage.rss();
  reader.feed(bytes.subarray(0, first));
  console.log(`memory while a file of ${basename(file)} over and over goes by`);
  let fed = first;
  let peak = 0;
  for (const mark of [50, 100, 200, 400, 800, 1600]) {
    while (fed < mark * 1e6) {
      for (const chunk of chunksOf(body)) {
        reader.feed(chunk);
        peak = Math.max(peak, process.memoryUsage.rss());
      }
      fed += body.length;
    }
    console.log(
      `${String(mark).padStart(7)} MB read: the process has grown by ${((peak - before) / 1e6).toFixed(0)} MB at most`,
    );
  }
  reader.feed(bytes.subarray(last));
  reader.end();
}

const given = process.argv.slice(2);
const files = given.length > 0 ? given : REAL_FILES.map((file) => SHARED + file).filter((file) => existsSync(file));
if (files.length === 0) {
  console.log('no real file here (../shared/data/plateau); give one: npm run bench:reader FILE');
} else {
  // Memory is measured first, because the other readers leave garbage.
  memory(files[0]);
  for (const file of files) speed(file);
}
