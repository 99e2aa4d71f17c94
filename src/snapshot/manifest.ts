import { createHash, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Extent } from '../contract/place.ts';
import { isMissing } from '../formats/files.ts';

/** `manifest.json` of a dataset: its contents and how to check it. */
export interface Manifest {
  /** The schema version of all its files: see SCHEMA_VERSION. */
  schema_version: number;
  dataset_id: string;
  /** RFC 3339; time of the build or SOURCE_DATE_EPOCH. */
  generated_at: string;
  /** Per half: date of the newest source record, YYYY-MM-DD, and the sources with their credit. */
  halves: { sunlight: HalfManifest | null; kaigo: HalfManifest | null };
  /** Year of the twelve days, e.g. 2026. */
  reference_year: number;
  program_version: string;
  /** Every file that was read, in order of name. Joined datasets name the files of their parts. */
  inputs: InputManifest[];
  /** The build report: everything read, served, merged, repaired and left out, with reasons and examples. */
  report: Record<string, unknown>;
  /** Every other file, by its path from the dataset's folder, with `/`, in order. */
  files: Record<string, FileManifest>;
  /** Checksum and signature of all members above. */
  seal: Seal;
}

/** An input file and its origin. Null: unknown. */
export interface InputManifest {
  /** Path below the folder of `hidamari fetch`, or below the given path. */
  file: string;
  /** Hexadecimal, of the bytes that were read. */
  sha256: string;
  /** The publisher's URL; for a file in a zip, that of the zip. */
  url: string | null;
  /** Of a city model its year and specification, of a list its day. */
  edition: string | null;
  /** RFC 3339, UTC. */
  fetched_at: string | null;
  /** SHA-256 of the fetched zip that contains the file. */
  zip_sha256?: string;
}

/** The owner of data, and the credit to print. */
export interface Credit {
  name: string;
  url: string;
  attribution: string;
}

/** The manifest of one half of a dataset. */
export interface HalfManifest {
  /** Date of the newest source that was used, YYYY-MM-DD. */
  data_through: string | null;
  /** `date`: of the newest used data, YYYY-MM-DD; null when it has no date. */
  sources: (Credit & { date: string | null })[];
  /** One line ready to print. */
  attribution: string;
  counts: Record<string, number>;
  /** Sunlight half: the heights of measured buildings are those of the published solids or the measured ones. */
  heights?: 'solid' | 'measured';
  /** The area of the sunlight half; absent within the 23 wards of Tokyo. */
  extent?: Extent;
}

/** The entry of a file. */
export interface FileManifest {
  bytes: number;
  sha256: string;
  /** For tables. */
  rows?: number;
}

export const MANIFEST_FILE = 'manifest.json';
/** Name of the manifest of a withdrawn dataset. */
export const WITHDRAWN_FILE = 'manifest.withdrawn.json';
/**
 * Version of the layout of the manifest and of every file it lists. Increase it with every change of a layout, so that
 * no program reads a dataset of another version.
 */
export const SCHEMA_VERSION = 23;

/** A folder without a dataset that this program can open: incomplete, damaged, or of another schema version. */
export class DatasetError extends Error {
  override name = 'DatasetError';
}

/** An input of a build: its name and the SHA-256 of its bytes, hexadecimal. */
export interface HashedInput {
  label: string;
  sha256: string;
}

/**
 * The ID of the dataset of a build: 16 hexadecimal digits of a SHA-256 over everything the result depends on. The order
 * of keys does not matter, the order of lists does.
 */
export function datasetId(origin: {
  programVersion: string;
  inputs: readonly HashedInput[];
  settings: object;
}): string {
  return createHash('sha256')
    .update(canonicalJson({ schema: SCHEMA_VERSION, ...origin }))
    .digest('hex')
    .slice(0, 16);
}

/** Limit of a manifest, bytes. One of all Japan has about 10 MB. */
export const MOST_MANIFEST_BYTES = 2 ** 25;

/** True for the form of an ID. IDs appear in paths, URLs, headers and logs. */
export const isDatasetId = (id: unknown): id is string => typeof id === 'string' && /^\w[\w-]{0,63}$/.test(id);

/** True for the path of a file in a dataset: plain names that are not hidden and cannot lead elsewhere. */
const isFileName = (name: string): boolean =>
  name.length <= 200 && name !== MANIFEST_FILE && name.split('/').every((part) => /^\w[\w.-]*$/.test(part));

/** All folders above a file, from its name: `a/b/c` is in `a` and `a/b`. */
const foldersOf = (name: string): string[] =>
  name
    .split('/')
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join('/'));

/** RFC 3339 to the second, in UTC. */
const isTime = (text: unknown): boolean =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text));

/** JSON with the keys of every object in order of their code units. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/**
 * Reads the manifest of a dataset and checks its seal.
 * @param trusted the key with which it must be signed; null: none.
 * @throws DatasetError naming what is wrong with it.
 */
export async function readManifest(folder: string, trusted: KeyObject | null = null): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE);
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > MOST_MANIFEST_BYTES) throw new Error(`has ${size} bytes; a manifest has at most ${MOST_MANIFEST_BYTES}`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    const isWithdrawn = await stat(join(folder, WITHDRAWN_FILE)).catch(() => null);
    const why = isWithdrawn ? 'withdrawn; hidamari withdraw --undo brings it back' : 'not a finished dataset';
    throw new DatasetError(
      isMissing(error) ? `${folder}: no ${MANIFEST_FILE}: ${why}` : `${path}: ${(error as Error).message}`,
      { cause: error },
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DatasetError(`${path}: damaged: ${(error as Error).message}`);
  }
  const complaint = manifestComplaint(value) ?? sealComplaint(text, trusted);
  if (complaint) throw new DatasetError(`${path}: ${complaint}`);
  return value as Manifest;
}

/** The message when this version of the program cannot read a manifest; null when it can. */
function schemaComplaint({ schema_version: version }: { schema_version?: unknown }): string | null {
  if (version === SCHEMA_VERSION) return null;
  return `schema_version is ${JSON.stringify(version)}, this program reads ${SCHEMA_VERSION}: build the dataset again`;
}

/** What is wrong with the form of a manifest, or null. Its seal (checksum and signature) is checked separately. */
export function manifestComplaint(value: unknown): string | null {
  if (value === null || typeof value !== 'object') return 'damaged: not an object';
  const manifest = value as Partial<Record<keyof Manifest, unknown>>;
  const complaint = schemaComplaint(manifest);
  if (complaint !== null) return complaint;
  for (const [member, type] of [
    ['dataset_id', 'string'],
    ['generated_at', 'string'],
    ['halves', 'object'],
    ['reference_year', 'number'],
    ['program_version', 'string'],
    ['inputs', 'object'],
    ['report', 'object'],
    ['files', 'object'],
  ] as const) {
    if (manifest[member] === null || typeof manifest[member] !== type) return `damaged: ${member} is no ${type}`;
  }
  if (!isDatasetId(manifest.dataset_id)) return `damaged: ${quoted(manifest.dataset_id)} is no dataset_id`;
  if (!isTime(manifest.generated_at)) return `damaged: ${quoted(manifest.generated_at)} is no time`;
  const files = manifest.files as Record<string, Partial<FileManifest> | null>;
  for (const [name, file] of Object.entries(files)) {
    // With its control characters escaped, but without quotes.
    const shown = quoted(name).slice(1, -1);
    if (!isFileName(name)) return `damaged: a file outside the dataset: ${shown}`;
    if (foldersOf(name).some((folder) => Object.hasOwn(files, folder)))
      return `damaged: a file in a folder that is a file: ${shown}`;
    const bytes = file?.bytes ?? -1;
    if (!Number.isSafeInteger(bytes) || bytes < 0 || !/^[0-9a-f]{64}$/.test(file?.sha256 ?? '')) {
      return `damaged: the entry of ${name} has no bytes or no sha256`;
    }
  }
  return null;
}

/** A text from outside, shortened for a message. */
const quoted = (value: unknown): string => JSON.stringify(value).slice(0, 200);

/** The last member of a manifest: it checks the manifest itself. The manifest checks every other file. */
interface Seal {
  /** SHA-256 (hexadecimal) of the JSON of all other members, without spaces. */
  sha256: string;
  /** Ed25519 (RFC 8032) over the same bytes; null: the build had no key. */
  signature: { key: string; ed25519: string } | null;
}

/** A short name for a key: the first 16 digits of the SHA-256 of its public part (SubjectPublicKeyInfo, DER). */
function keyName(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

/** The text of a sealed manifest. The same members and the same key give the same text. */
export function sealedText(members: object, key: KeyObject | null): string {
  const bytes = Buffer.from(JSON.stringify(members));
  const signature = key && { key: keyName(key), ed25519: sign(null, bytes, key).toString('base64') };
  return textOf(members, { sha256: hash('sha256', bytes), signature });
}

/** What is wrong with the seal of a manifest's text, or null. With `trusted` it must be signed with that key. */
function sealComplaint(text: string, trusted: KeyObject | null): string | null {
  const { seal, ...members } = JSON.parse(text) as { seal?: Partial<Seal> | null };
  if (typeof seal?.sha256 !== 'string') return 'damaged: it has no seal';
  const bytes = Buffer.from(JSON.stringify(members));
  const sha256 = hash('sha256', bytes);
  if (seal.sha256 !== sha256) return `damaged: its SHA-256 is ${sha256}, its seal says ${seal.sha256}`;
  // The checksum does not cover spaces between members or repeated members.
  if (textOf(members, seal) !== text) return 'damaged: it is not written as a build writes it';
  if (trusted === null) return null;
  if (!seal.signature) return `not signed; expected the signature of key ${keyName(trusted)}`;
  const signature = Buffer.from(String(seal.signature.ed25519), 'base64');
  if (verify(null, bytes, trusted, signature)) return null;
  return `its signature, of key ${seal.signature.key}, is not that of the trusted key ${keyName(trusted)}`;
}

/** The text of a manifest with its seal as the last member. */
function textOf(members: object, { sha256, signature }: Partial<Seal>): string {
  const seal = { sha256, signature: signature && { key: signature.key, ed25519: signature.ed25519 } };
  return `${JSON.stringify({ ...members, seal }, null, 2)}\n`;
}
