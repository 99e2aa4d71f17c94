/**
 * The packs of `hidamari export --static`: files with many compressed answers. A client reads a few answers by one
 * range request.
 *
 *     packs.json                               the ID of the dataset, and the text after each answer: `PacksAbout`
 *     packs/<dataset_id>/<kind>.dict           the dictionary of the blocks of a kind, at most 32 KiB of text
 *     packs/<dataset_id>/<kind>/<group>.index  the list of the blocks of a pack: `PackIndex` as JSON, compressed
 *     packs/<dataset_id>/<kind>/<group>.pack   the blocks, one after the other
 *
 * A block is lines, compressed as raw DEFLATE (RFC 1951). A line is a key, a tab and a text. Keys ascend by code units
 * within a pack. In a text, control characters stand for `PHRASES`, because JSON contains none; this makes blocks a
 * sixth smaller.
 */
export const PACKS_FILE = 'packs.json';

/** Version of the format of all these files. */
export const PACKS_FORMAT = 1;

/**
 * `buildings`: full answers by ID. `near`: the buildings of strips of the map. `towns`: pages of the lists of
 * buildings. `facilities`: answers by office number.
 */
export const PACK_KINDS = ['buildings', 'near', 'towns', 'facilities'] as const;
export type PackKind = (typeof PACK_KINDS)[number];

/** The kinds of answers. */
export type StaticAnswer = 'building' | 'full' | 'near' | 'town' | 'facility';

/** The contents of `packs.json`. */
export interface PacksAbout {
  format: number;
  dataset_id: string;
  /** The text that follows the value of `data` in each kind of answer. */
  tails: Record<StaticAnswer, string>;
}

/** The list of the blocks of a pack. */
export interface PackIndex {
  /** The first key of each block. */
  keys: string[];
  /** Bytes of each block. */
  lengths: number[];
}

/** The path of a pack without `.pack` or `.index`. */
export const packPath = (datasetId: string, kind: PackKind, group: string): string =>
  `packs/${datasetId}/${kind}/${group}`;

/** The path of the dictionary for the blocks of a kind. */
export const dictionaryPath = (datasetId: string, kind: PackKind): string => `packs/${datasetId}/${kind}.dict`;

/**
 * The digits of a key that name its pack. Buildings and towns are grouped by municipality, facilities by prefecture,
 * strips by a tenth of a degree of latitude.
 */
const GROUP_DIGITS: Readonly<Record<PackKind, number>> = { buildings: 5, towns: 5, facilities: 2, near: 3 };

/** The name of the pack that contains a key, without its kind. */
export const groupOf = (kind: PackKind, key: string): string => key.slice(0, GROUP_DIGITS[kind]);

/** The key of a page of a town's list. The number has five digits, so that pages are in order as texts. */
export const townPageKey = (townCode: string, page: number): string => `${townCode}/${String(page).padStart(5, '0')}`;

/**
 * Number of rows of cells in a strip. A cell is a thousandth of a degree high and wide, so a strip is a hundredth of a
 * degree high. Strips of the same latitude form a band, and lie one after the other in a pack. The widest search, a
 * circle of 500 m, reaches into at most two bands, so two ranges contain all buildings of a search.
 */
export const STRIP_ROWS = 10;

/**
 * The key of a strip. In Japan its two numbers have four and six digits.
 * @param band the latitude in hundredths of a degree
 * @param column the longitude in thousandths of a degree
 */
export const stripKey = (band: number, column: number): string =>
  String(band).padStart(4, '0') + String(column).padStart(6, '0');

/** The rings of each polygon of a footprint, in units of `UNITS_PER_DEGREE`. */
export type PackedPolygons = number[][][];

/** A building of a strip: its summary and its footprint. */
export type StripEntry = [summary: { building_id: string }, polygons: PackedPolygons];

/**
 * Units of a degree in rings. A ring has the latitude and longitude of its first point, then for each further point the
 * differences from the point before it.
 */
export const UNITS_PER_DEGREE = 1e8;

/** Texts that occur many times in each building. */
const PHRASES: readonly string[] = [
  ...Array.from({ length: 11 }, (_, month) => `]},{"month":${month + 2},"direct_sun_hours":`),
  ',"months":[{"month":1,"direct_sun_hours":',
  ',"unshaded_hours":',
  ',"sunlit_windows":[',
  ']},"middle":{"floor":',
  ']},"top":{"floor":',
  '","',
];

/** The control character of a phrase. Character 14 is the first one behind tab, line feed and carriage return. */
const controlCharacter = (i: number): string => String.fromCharCode(i + 14);

/** A text with its phrases as control characters. */
export const shortened = (text: string): string =>
  PHRASES.reduce((short, phrase, i) => short.replaceAll(phrase, controlCharacter(i)), text);

/** A text with its phrases written out. */
export const withFullPhrases = (text: string): string =>
  PHRASES.reduce((long, phrase, i) => long.replaceAll(controlCharacter(i), phrase), text);
