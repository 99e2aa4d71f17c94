import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../formats/files.ts';
import { isDatasetId, type Manifest } from './manifest.ts';

/** What is counted of the buildings or facilities of two datasets, in all and by group: by ward, by service. */
export interface ChangeCounts {
  /** How many there are in the old and in the new dataset. */
  old: number;
  new: number;
  added: number;
  removed: number;
  /** With any value that is another. */
  changed: number;
  /** Buildings whose hours of any face, floor and month are others. */
  changed_hours: number;
  /** Facilities whose cost estimate is another. */
  changed_costs: number;
  /** With a value that was known and is not any more. */
  became_unknown: number;
}

/** The counts of two datasets. */
export interface ChangeSummary {
  buildings: ChangeCounts & { by_ward: Record<string, ChangeCounts> };
  facilities: ChangeCounts & { by_service: Record<string, ChangeCounts> };
}

type Named = Pick<Manifest, 'dataset_id' | 'generated_at'>;

/** What changed with a dataset: a file beside it, since it depends on the dataset before. */
export interface ChangeNote {
  old: Named;
  new: Named;
  summary: ChangeSummary;
}

/** In the data folder: `<dataset_id>.json` for each dataset that was compared with the one before it. */
const NOTES = '.changes';

/** The largest note, bytes: 2,000 wards and 35 services have some 400 kB. */
export const MOST_NOTE_BYTES = 2 ** 20;

export const notePath = (dataFolder: string, id: string): string => join(dataFolder, NOTES, `${id}.json`);

/** Keeps a note for the page of changes. */
export async function writeNote(dataFolder: string, note: ChangeNote): Promise<void> {
  await mkdir(join(dataFolder, NOTES), { recursive: true });
  await writeWhole(notePath(dataFolder, note.new.dataset_id), `${JSON.stringify(note)}\n`);
}

/** The notes of a data folder, the newest dataset first; what is no note is passed over. */
export async function readNotes(dataFolder: string): Promise<ChangeNote[]> {
  const names = await readdir(join(dataFolder, NOTES)).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(dataFolder, NOTES, name), 'utf8').catch(() => '')));
  const notes = texts.map(noteIn).filter((note) => note !== null);
  return notes.sort((a, b) => (a.new.generated_at < b.new.generated_at ? 1 : -1));
}

/** The note in a text; null where it is none. */
export function noteIn(text: string): ChangeNote | null {
  if (text.length > MOST_NOTE_BYTES) return null;
  try {
    const note = JSON.parse(text) as Partial<ChangeNote>;
    const { buildings, facilities } = note.summary ?? {};
    const counts = [
      ...[buildings, ...Object.values(buildings?.by_ward ?? {})],
      ...[facilities, ...Object.values(facilities?.by_service ?? {})],
    ];
    return [note.old, note.new].every(isNamed) && counts.every(isCounts) ? (note as ChangeNote) : null;
  } catch {
    return null;
  }
}

const isNamed = (about: Named | undefined): boolean =>
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

const isCounts = (counts: ChangeCounts | undefined): boolean =>
  COUNTS.every((name) => Number.isSafeInteger(counts?.[name]));
