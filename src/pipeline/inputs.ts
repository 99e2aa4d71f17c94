import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { byCodeUnits, isMissing } from '../formats/files.ts';
import { listZip, openZipEntry, type ZipEntry } from '../formats/zip.ts';

/** A published file, on disk or inside a zip. It is plain data, so it can be passed to a thread. */
export interface Input {
  /** For messages: the path as given; inside a zip `archive.zip/entry`. */
  name: string;
  /**
   * The path below the folder or zip in which it was found; otherwise its file name. It does not depend on where that
   * folder is.
   */
  label: string;
  kind: InputKind;
  /** Uncompressed bytes. */
  size: number;
  /** The file on disk that contains the bytes. */
  path: string;
  /** Its entry in the zip; null for a plain file. */
  entry: ZipEntry | null;
}

/** A file of an unwanted kind. */
interface PassedOver {
  name: string;
  kind: InputKind;
  reason: string;
}

interface Inputs {
  /** In order of label. */
  inputs: Input[];
  passedOver: PassedOver[];
}

/** A path without usable files: missing, unreadable, empty or damaged. */
export class InputError extends Error {
  override name = 'InputError';
}

/**
 * Called for what cannot be read while a folder is searched, such as a damaged zip or a broken link. `problem` names
 * it.
 */
type LeaveOut = (name: string, problem: string) => void;

/** The number of files that a message names. */
const SOME_FILES = 5;

const CHUNK_BYTES = 256 * 1024;

/** Largest file that is read as a stream, uncompressed bytes. Published city models have up to 1 GB. */
const LARGEST_STREAMED = 2 ** 34;
/** Largest file that is read into memory, uncompressed bytes. Census and care files have up to 60 MB. */
export const LARGEST_HELD = 2 ** 28;

/**
 * Finds the files of the wanted kinds in the given paths. A folder is searched, a file is used, a zip is listed without
 * unpacking (also a zip found in a folder). A file given by its path counts as the first wanted kind when its name does
 * not show its kind; it is skipped when its name shows another kind.
 * @param leaveOut called for damaged files inside folders, instead of throwing
 * @throws InputError for a missing or unreadable path, a damaged zip, a folder or zip without wanted files, and when
 * nothing is wanted at all
 */
export async function findInputs(paths: string[], wanted: readonly InputKind[], leaveOut?: LeaveOut): Promise<Inputs> {
  // Both by identity, so that a file that two paths reach counts once.
  const wantedFiles = new Map<string, Input>();
  const identityOf = identities();
  const passedOver = new Map<string, PassedOver>();
  for (const path of paths) {
    const files = await filesBelow(path, leaveOut);
    const given = files.find((input) => input.path === path && input.entry === null);
    if (given !== undefined) given.kind = kindOfGivenFile(given.kind, wanted);
    else if (!files.some((input) => wanted.includes(input.kind))) {
      throw new InputError(nothingWanted(path, files, wanted));
    }
    for (const input of files) {
      const key = await identityOf(input);
      if (wanted.includes(input.kind)) {
        if (!wantedFiles.has(key)) wantedFiles.set(key, input);
      } else passedOver.set(key, { name: input.name, kind: input.kind, reason: whyPassedOver(input) });
    }
  }
  if (wantedFiles.size === 0) throw new InputError(nothingToRead(wanted, [...passedOver.values()]));
  return { inputs: [...wantedFiles.values()].sort(byLabel), passedOver: [...passedOver.values()].sort(byName) };
}

/**
 * Finds all files of any kind, each once, also when several paths lead to it.
 * @param leaveOut called for damaged files inside folders, instead of throwing
 * @throws InputError for a missing or unreadable path, a damaged zip, and a folder or zip without files
 */
export async function findAllInputs(paths: string[], leaveOut?: LeaveOut): Promise<Input[]> {
  const byIdentity = new Map<string, Input>();
  const identityOf = identities();
  for (const path of paths) {
    const files = await filesBelow(path, leaveOut);
    if (files.length === 0) throw new InputError(`${path}: there are no files in it`);
    for (const input of files) byIdentity.set(await identityOf(input), input);
  }
  return [...byIdentity.values()].sort(byLabel);
}

/**
 * The bytes of an input, in chunks of up to 256 KiB.
 * @param most limit of its bytes, as stated and as read
 * @throws InputError when the file cannot be read, is longer, or its zip entry is damaged (length and CRC-32 are
 * checked)
 */
export async function* openInput(input: Input, most = LARGEST_STREAMED): AsyncGenerator<Uint8Array> {
  checkSize(input, input.size, most);
  let bytes = 0;
  try {
    const chunks =
      input.entry === null
        ? createReadStream(input.path, { highWaterMark: CHUNK_BYTES })
        : openZipEntry(input.path, input.entry);
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      checkSize(input, bytes, most);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${input.name}: cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * All bytes of an input that is small by its nature.
 * @throws InputError when it cannot be read, its zip entry is damaged, or it has more than 256 MiB
 */
export async function readInput(input: Input): Promise<Buffer> {
  checkSize(input, input.size, LARGEST_HELD);
  // The stated size is usually right, so the bytes go into one buffer; joining chunks would need twice the memory. A
  // file that turns out to be longer gets a larger buffer.
  let bytes = Buffer.allocUnsafeSlow(input.size);
  let length = 0;
  for await (const chunk of openInput(input, LARGEST_HELD)) {
    if (length + chunk.length > bytes.length)
      bytes = Buffer.concat([bytes.subarray(0, length)], 2 * (length + chunk.length));
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

/**
 * The SHA-256 of an input, hexadecimal.
 * @throws InputError when it cannot be read
 */
export async function sha256Of(input: Input): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of openInput(input)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * The text of a GeoJSON file, which is UTF-8 (RFC 7946).
 * @throws InputError when it cannot be read, has more than 256 MiB, or has another encoding, which would garble names
 */
export async function readGeoJsonText(input: Input): Promise<string> {
  const bytes = await readInput(input);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new InputError(`${input.name}: its text is not UTF-8, as GeoJSON is: convert it, or give the shapefile`);
}

/**
 * All bytes of a file given by its path, such as a fee table.
 * @throws InputError when it is missing, cannot be read, is not a file or has more than 256 MiB
 */
export async function readNamedFile(path: string): Promise<Buffer> {
  // Of a file, `filesBelow` gives the file itself, or the entries of a zip.
  const [input] = await filesBelow(path);
  if (input === undefined || input.path !== path || input.entry !== null) {
    throw new InputError(`${path}: is not a file`);
  }
  return readInput(input);
}

/**
 * Checks the size of an input.
 * @throws InputError when it is more than `most` bytes
 */
function checkSize({ name }: Input, bytes: number, most: number): void {
  if (bytes <= most) return;
  const mebibytes = (size: number): string => `${Math.ceil(size / 2 ** 20)} MiB`;
  throw new InputError(
    `${name}: ${mebibytes(bytes)} unpacked; at most ${mebibytes(most)} are read, and published files are far smaller: ` +
      'get it again, or give it in parts',
  );
}

/**
 * A function that gives a file its identity: the same for a file that is reached by two paths, so that it is read once.
 * It keeps the real path of each file on disk, because a zip may have a hundred thousand entries.
 */
function identities(): (input: Input) => Promise<string> {
  const realPaths = new Map<string, Promise<string>>();
  return async ({ path, entry }) => {
    const realPath = realPaths.get(path) ?? realpath(path);
    realPaths.set(path, realPath);
    return `${await realPath}\0${entry?.headerOffset ?? ''}`;
  };
}

/**
 * The kind of a file given by its path: the first wanted kind, unless its name shows another.
 * @param byName the kind that its name shows
 */
function kindOfGivenFile(byName: InputKind, wanted: readonly InputKind[]): InputKind {
  if (wanted.includes(byName)) return byName;
  const [firstWanted] = wanted;
  // A CSV table of any name may be an office list or postal names.
  const mayBeTable = firstWanted === 'office_list' || firstWanted === 'postal_names';
  // A packed file does not show what is in it.
  const showsNone = byName === 'other' || byName === 'packed' || (byName === 'table' && mayBeTable);
  return showsNone ? firstWanted : byName;
}

/**
 * The files of a path: of a folder and a zip all files in it, otherwise the file itself.
 * @param leaveOut called for damaged files inside folders, instead of throwing
 * @throws InputError for a missing or unreadable path, and for a damaged zip
 */
async function filesBelow(path: string, leaveOut?: LeaveOut): Promise<Input[]> {
  const files: Input[] = [];
  const searchedFolders = new Set<string>();
  // `label`: the path below the given one; empty for the given one itself.
  const visit = async (at: string, label: string): Promise<void> => {
    const status = await stat(at).catch((error) => {
      throw new InputError(`${at}: ${messageOf(error)}`, { cause: error });
    });
    if (status.isDirectory()) await visitFolder(at, label);
    else if (!status.isFile()) {
      throw new InputError(
        `${at}: is ${specialFileKind(status)}, not a file or folder: write its contents to a file first`,
      );
    } else if (kindOfName(basename(at)) === 'zip') files.push(...(await filesOfZip(at)));
    else {
      files.push({
        name: at,
        label: label === '' ? basename(at) : label,
        kind: kindOfName(toSlashes(at)),
        size: status.size,
        path: at,
        entry: null,
      });
    }
  };
  const visitFolder = async (folder: string, label: string): Promise<void> => {
    // A link may lead to a folder above, so each real folder is searched once.
    const realFolder = await realpath(folder);
    if (searchedFolders.has(realFolder)) return;
    searchedFolders.add(realFolder);
    const names = await readdir(folder).catch((error) => {
      throw new InputError(`${folder}: ${messageOf(error)}`, { cause: error });
    });
    for (const name of names.sort()) {
      try {
        await visit(join(folder, name), label === '' ? name : `${label}/${name}`);
      } catch (error) {
        if (!(leaveOut && error instanceof InputError)) throw error;
        leaveOut(join(folder, name), error.message);
      }
    }
  };
  await visit(path, '');
  return files;
}

/**
 * The files in a zip.
 * @throws InputError when the zip is damaged
 */
async function filesOfZip(path: string): Promise<Input[]> {
  return (await zipEntries(path)).map((entry) => ({
    name: `${path}/${entry.name}`,
    label: entry.name,
    kind: kindOfName(entry.name),
    size: entry.uncompressedSize,
    path,
    entry,
  }));
}

/** What a path is that is neither file nor folder. */
function specialFileKind(status: Stats): string {
  if (status.isFIFO()) return 'a named pipe';
  if (status.isSocket()) return 'a socket';
  return 'a device';
}

/**
 * The entries of a zip.
 * @throws InputError when it is damaged
 */
export async function zipEntries(path: string): Promise<ZipEntry[]> {
  try {
    return await listZip(path);
  } catch (error) {
    throw new InputError(`${path}: not a readable zip: ${await zipFault(path, error)}`, { cause: error });
  }
}

/** Why a zip cannot be listed, and what to do. The library yauzl says only that its end was not found. */
async function zipFault(path: string, error: unknown): Promise<string> {
  const { size } = await stat(path);
  if (size === 0) return 'it is empty: get it again';
  const message = messageOf(error);
  const isCut = message.includes('End of central directory');
  return isCut ? `its ${size} bytes are cut off, or of another kind: get it again, or unpack it` : message;
}

/** Why a file of an unwanted kind is passed over, in words. */
function whyPassedOver(input: Input): string {
  if (input.kind === 'zip') return ZIP_IN_ZIP;
  if (input.kind === 'packed') return 'only zips are opened: unpack it';
  return `not asked for: ${WORDS[input.kind]}`;
}

const ZIP_IN_ZIP = 'a zip inside a zip is not opened: unpack the outer one';

/** The kinds of files in words, for messages. */
const WORDS: Record<InputKind, string> = {
  buildings: 'CityGML of buildings',
  terrain: 'CityGML of terrain',
  city_objects: 'CityGML of another theme',
  code_list: 'a code list',
  shapefile: 'a shapefile',
  office_list: 'an office list',
  postal_names: 'postal town names',
  address_blocks: 'blocks of the address registry (mt_rsdtdsp_blk_…csv)',
  table: 'a CSV table',
  weather: 'weather by the hour (EPW)',
  mesh_normals: 'GML of climate normals (国土数値情報 G02)',
  zip: 'a zip',
  packed: 'packed, and not a zip: unpack it',
  other: 'of no known kind',
};

/** The message for paths none of which is or has a file of the wanted kinds. */
function nothingToRead(wanted: readonly InputKind[], others: readonly PassedOver[]): string {
  const want = wanted.map((kind) => WORDS[kind]).join(' or ');
  const some = others.slice(0, SOME_FILES).map(({ name, kind }) => `${name} (${WORDS[kind]})`);
  return `nothing to read: expected ${want}, found ${some.join(', ') || 'no path'}`;
}

/** The message for a folder or zip without a file of the wanted kinds. */
function nothingWanted(path: string, files: Input[], wanted: readonly InputKind[]): string {
  const want = wanted.map((kind) => WORDS[kind]).join(' or ');
  if (files.length === 0) return `${path}: there are no files in it; expected ${want}`;
  const inner = files.some(({ kind }) => kind === 'zip') ? `; ${ZIP_IN_ZIP}` : '';
  const some = files.slice(0, SOME_FILES).map((input) => `${input.label} (${WORDS[input.kind]})`);
  const more = files.length > some.length ? ` and ${files.length - some.length} more` : '';
  return `${path}: found no file that is ${want}; it holds ${some.join(', ')}${more}${inner}`;
}

/** The message of an error, in plain words for usual errors of the system. */
function messageOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (isMissing(error)) return 'no such file or folder';
  if (code === 'ELOOP') return 'a symbolic link that leads back to itself; remove it, or let it lead to a file';
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  return error instanceof Error ? error.message : String(error);
}

const toSlashes = (path: string): string => path.replaceAll('\\', '/');

/** Sorts by name. */
/** By label, so that the order does not depend on the folders. */
const byLabel = (a: Input, b: Input): number => byCodeUnits(a.label, b.label) || byName(a, b);
const byName = (a: { name: string }, b: { name: string }): number => byCodeUnits(a.name, b.name);

/**
 * The kind of a published file, by its name alone. Names of PLATEAU, e-Stat, Japan Post and the ministry's office lists
 * follow fixed patterns. A folder or zip contains many other files.
 */
export type InputKind =
  | 'buildings' // CityGML with buildings
  | 'terrain' // CityGML relief
  | 'city_objects' // CityGML of another theme: roads, land use, …
  | 'code_list'
  | 'shapefile' // .shp and the files that belong to it
  | 'office_list'
  | 'postal_names'
  | 'address_blocks' // of the address base registry: names or positions
  | 'table' // any other CSV, or a workbook
  | 'weather' // EPW: weather by the hour
  | 'mesh_normals' // GML of 国土数値情報 G02: normals of the climate by grid square
  | 'zip'
  | 'packed' // by another program than zip
  | 'other';

/** `<grid square>_<theme>_<EPSG>…gml`, by the naming rule of PLATEAU files. A prefix before the square is accepted. */
const THEME_IN_NAME = /(?:^|_)\d{6,11}_([a-z]+)_\d{4}(?:_|\.|$)/;
/** `G02-22_5339-jgd.xml`: edition and square of the first order. */
const MESH_NORMALS = /^G02-\d\d_\d{4}[^/]*\.(xml|gml)$/i;
/** A code list outside the folder `codelists`, such as `Building_class.xml`. */
const CODE_LIST_NAME = /^[A-Z][A-Za-z]*_[A-Za-z]+\.xml$/;
const THEME_IN_PATH = /(?:^|\/)udx\/([a-z]+)\//;

/**
 * The kind of a path with `/` separators. GML without a theme in its name counts as buildings; the reader reports it if
 * that is wrong.
 */
export function kindOfName(path: string): InputKind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^\._|^\.DS_Store$/.test(name) || /(^|\/)__MACOSX\//.test(path)) return 'other';
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (MESH_NORMALS.test(name)) return 'mesh_normals';
  switch (extension) {
    case 'gml':
    case 'citygml':
      return kindOfTheme(THEME_IN_NAME.exec(name.toLowerCase())?.[1] ?? THEME_IN_PATH.exec(path)?.[1]);
    case 'xml':
      return /(^|\/)codelists\//.test(path) || CODE_LIST_NAME.test(name) ? 'code_list' : 'other';
    case 'shp':
    case 'dbf':
    case 'shx':
    case 'prj':
    case 'cpg':
      return 'shapefile';
    case 'csv':
      if (/^jigyosho_\d{3}(_|\.)/i.test(name)) return 'office_list';
      // mt_rsdtdsp_blk_pref13.csv of the address base registry.
      if (/^mt_rsdtdsp_blk_/i.test(name)) return 'address_blocks';
      // Postal codes of Japan Post: 13TOKYO.CSV, utf_ken_all.csv, KEN_ALL_ROME.CSV.
      return /^(\d{2}[A-Z]+|(utf_)?ken_all(_rome)?)\.csv$/i.test(name) ? 'postal_names' : 'table';
    case 'xls':
    case 'xlsm':
    case 'xlsx':
      return 'table';
    case 'epw':
      return 'weather';
    case 'zip':
      return 'zip';
    case '7z':
    case 'bz2':
    case 'gz':
    case 'lzh':
    case 'rar':
    case 'tar':
    case 'tgz':
    case 'xz':
    case 'zst':
      return 'packed';
    default:
      return 'other';
  }
}

/** The kind of CityGML by the theme in its name; undefined: the name has none. */
function kindOfTheme(theme: string | undefined): InputKind {
  if (theme === undefined || theme === 'bldg') return 'buildings';
  return theme === 'dem' ? 'terrain' : 'city_objects';
}
