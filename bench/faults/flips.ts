import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SQUARES_INDEX } from '../../src/city/square-summary.ts';
import { OnDemand } from '../../src/compute/on-demand/on-demand.ts';
import type { Dataset } from '../../src/dataset/dataset.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { DamageError } from '../../src/formats/checked-file.ts';
import { listFiles } from '../../src/formats/files.ts';
import { CHECKSUMS_FILE } from '../../src/snapshot/dataset-files.ts';
import { DatasetError } from '../../src/snapshot/manifest.ts';

/** Counts the effects of single changed bytes in the files of a dataset. */
interface Flips {
  tried: number;
  /** The dataset was refused when it was opened. */
  refused: number;
  /** The dataset was opened. Some answers were errors that report the damage; all others were correct. */
  answersRefused: number;
  /** Every answer was correct: the changed byte was already in memory, or no answer needs it. */
  unnoticed: number;
  /** Wrong answers without an error. */
  wrong: string[];
}

type Question = [name: string, ask: (dataset: Dataset) => unknown];

/** The requested answers of a dataset: buildings, surroundings, towns, facilities, tables, and every complete file. */
async function questionsOf(dataset: Dataset, most: number): Promise<Question[]> {
  const { sunlight, kaigo, manifest } = dataset;
  const questions: Question[] = Object.keys(manifest.files)
    .filter((name) => name !== CHECKSUMS_FILE)
    .map((name) => [name, (one) => digestOf(one, name)]);
  questions.push(['manifest', (one) => one.manifest]);
  const towns = sunlight?.towns() ?? [];
  questions.push(['towns', (one) => one.sunlight?.towns()]);
  for (const { town_code } of towns.slice(0, most)) {
    questions.push([`town ${town_code}`, (one) => one.sunlight!.town(town_code, 1, 100)?.toJSON()]);
    for (const { building_id: id, lat, lon } of sunlight!.town(town_code, 1, 5)!.toJSON().buildings) {
      questions.push([`summary of ${id}`, (one) => one.sunlight!.summary(id)?.toJSON()]);
      questions.push([`all of ${id}`, (one) => one.sunlight!.full(id)]);
      questions.push([`near ${id}`, (one) => one.sunlight!.near(lat, lon, 100, 50).toJSON()]);
    }
  }
  const first = towns.flatMap(({ town_code }) => sunlight!.town(town_code, 1, 2)!.toJSON().buildings).slice(0, most);
  for (const { building_id: id, lat, lon } of first) {
    if (SQUARES_INDEX in manifest.files) questions.push([`floor 1 of ${id}`, (one) => floorOf(one, id)]);
    questions.push([`tile at ${id}`, (one) => one.map?.tile(14, ...tileAt(lat, lon, 14))?.toString('base64') ?? null]);
    questions.push([`search for ${id}`, (one) => one.search?.find(id, null, 5) ?? null]);
  }
  for (const { name } of towns.slice(0, most)) {
    questions.push([`search for ${name}`, (one) => one.search?.find(name ?? '', null, 10) ?? null]);
  }
  const places = (kaigo?.municipalities() ?? []) as {
    municipality_code: string;
    services: { service_code: string }[];
  }[];
  for (const { municipality_code: code, services } of places.slice(0, most)) {
    const service = services[0]!.service_code;
    questions.push([`table ${code}`, (one) => one.kaigo!.municipality(code, service, 'cost', 1, 100)?.toJSON()]);
  }
  return questions;
}

/** A floor that is computed from the store, the grid squares and their trees. */
async function floorOf({ folder }: Dataset, buildingId: string): Promise<unknown> {
  const onDemand = await OnDemand.open(folder);
  try {
    return await onDemand.answer({ kind: 'floor', buildingId, floor: 1, receptors: true });
  } finally {
    onDemand.close();
  }
}

/** Column and row of the tile that contains a position. */
function tileAt(lat: number, lon: number, z: number): [x: number, y: number] {
  const mercator = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI;
  return [Math.floor(((lon + 180) / 360) * 2 ** z), Math.floor(((1 - mercator) / 2) * 2 ** z)];
}

async function digestOf({ files }: Dataset, name: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of files.open(name).stream()) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Changes one byte at a time in the files of a dataset, alternately before it is opened and while it is open. Compares
 * all answers with the original answers, and restores the files at the end.
 * @param seed chooses the bytes
 */
export async function flipBytes(folder: string, count: number, seed: number): Promise<Flips> {
  const whole = await openDataset(folder);
  const questions = await questionsOf(whole, 3);
  const right = new Map<string, string>();
  for (const [name, ask] of questions) right.set(name, JSON.stringify(await ask(whole)));
  await whole.close();
  const names = await listFiles(folder);
  const flips: Flips = { tried: 0, refused: 0, answersRefused: 0, unnoticed: 0, wrong: [] };
  let state = seed;
  const next = (below: number): number => {
    state = (state * 48271) % 0x7fffffff;
    return state % below;
  };
  for (; flips.tried < count; flips.tried++) {
    const name = names[next(names.length)]!;
    const path = join(folder, name);
    const at = next(statSync(path).size);
    const mask = 1 << next(8);
    const isOpen = flips.tried % 2 === 1;
    let dataset: Dataset | null = null;
    try {
      if (isOpen) dataset = await openDataset(folder);
      flip(path, at, mask);
      dataset ??= await openDataset(folder);
      let refused = 0;
      for (const [question, ask] of questions) {
        try {
          const answer = JSON.stringify(await ask(dataset));
          if (answer !== right.get(question)) flips.wrong.push(`${name}, byte ${at} by ${mask}: ${question}`);
        } catch (error) {
          if (!(error instanceof DamageError) && !(error instanceof DatasetError)) throw error;
          refused++;
        }
      }
      if (refused > 0) flips.answersRefused++;
      else flips.unnoticed++;
    } catch (error) {
      if (!(error instanceof DatasetError)) throw error;
      flips.refused++;
    } finally {
      flip(path, at, mask);
      await dataset?.close();
    }
  }
  return flips;
}

function flip(path: string, at: number, mask: number): void {
  const file = openSync(path, 'r+');
  const byte = new Uint8Array(1);
  readSync(file, byte, 0, 1, at);
  byte[0]! ^= mask;
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
}
