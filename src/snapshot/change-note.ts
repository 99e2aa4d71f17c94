import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../formats/files.ts';
import { isDatasetId, type Manifest } from './manifest.ts';

/** Counts of the differences between two datasets, in total and by ward or service. */
export interface ChangeCounts {
  /** Number in the old and in the new dataset. */
  old: number;
  new: number;
  added: number;
  removed: number;
  /** Those with any changed value. */
  changed: number;
  /** Buildings with other hours on any face, floor and month. */
  changed_hours: number;
  /** Facilities with another cost estimate. */
  changed_costs: number;
  /** Those with a value that was known and is now unknown. */
  became_unknown: number;
}

/** The counts of two datasets. */
export interface ChangeSummary {
  buildings: ChangeCounts & { by_ward: Record<string, ChangeCounts> };
  facilities: ChangeCounts & { by_service: Record<string, ChangeCounts> };
}

type DatasetName = Pick<Manifest, 'dataset_id' | 'generated_at'>;

/**
 * The changes of a dataset against the previous one. It is a file beside the dataset, because it depends on the
 * previous one.
 */
export interface ChangeNote {
  old: DatasetName;
  new: DatasetName;
  summary: ChangeSummary;
}

/** A folder in the data folder: `<dataset_id>.json` for each dataset that was compared with the previous one. */
const NOTES = '.changes';

/** Limit of a note, bytes. 2,000 wards and 35 services need about 400 kB. */
export const MOST_NOTE_BYTES = 2 ** 20;

/** The path of the note about a dataset. */
export const notePath = (dataFolder: string, id: string): string => join(dataFolder, NOTES, `${id}.json`);

/** Stores a note for the page of changes. */
export async function writeNote(dataFolder: string, note: ChangeNote): Promise<void> {
  await mkdir(join(dataFolder, NOTES), { recursive: true });
  await writeWhole(notePath(dataFolder, note.new.dataset_id), `${JSON.stringify(note)}\n`);
}

/** The notes of a data folder, the newest dataset first. Invalid files are skipped. */
export async function readNotes(dataFolder: string): Promise<ChangeNote[]> {
  const names = await readdir(join(dataFolder, NOTES)).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(dataFolder, NOTES, name), 'utf8').catch(() => '')));
  const notes = texts.map(noteIn).filter((note) => note !== null);
  return notes.sort((a, b) => (a.new.generated_at < b.new.generated_at ? 1 : -1));
}

/** The note in a text; null when it is invalid. A note has counts of both halves. */
export function noteIn(text: string): ChangeNote | null {
  if (text.length > MOST_NOTE_BYTES) return null;
  try {
    const note = JSON.parse(text) as Partial<ChangeNote>;
    const { buildings, facilities } = note.summary ?? {};
    const wards = Object.values(buildings?.by_ward ?? {});
    const services = Object.values(facilities?.by_service ?? {});
    const counts = [buildings, facilities, ...wards, ...services];
    return [note.old, note.new].every(isDatasetName) && counts.every(isCounts) ? (note as ChangeNote) : null;
  } catch {
    return null;
  }
}

/** True for a valid ID and time of a dataset. */
const isDatasetName = (about: DatasetName | undefined): boolean =>
  isDatasetId(about?.dataset_id) && !Number.isNaN(Date.parse(String(about?.generated_at)));

const COUNTS = [
  'old',
  'new',
  'added',
  'removed',
  'changed',
  'changed_hours',
  'changed_costs',
  'became_unknown',
] as const;

/** True when all counts are there and are whole numbers. */
const isCounts = (counts: ChangeCounts | undefined): boolean =>
  COUNTS.every((name) => Number.isSafeInteger(counts?.[name]));
