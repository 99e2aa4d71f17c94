/**
 * The packs of `hidamari export --static`: answers as text, compressed, where a client reads a few of them by one range request.
 *
 *     packs.json                        which dataset it is, and what stands around an answer: `PacksAbout`
 *     packs/<dataset_id>/<kind>.dict    text with which each block of the kind is compressed, at most 32 KiB
 *     packs/<dataset_id>/<kind>/<group>.index    the blocks of the pack: `PackIndex`, as JSON, compressed
 *     packs/<dataset_id>/<kind>/<group>.pack     the blocks, one after the other
 *
 * A block is raw DEFLATE (RFC 1951) of lines: key, tab, text. Keys ascend by code units within a pack. In the text, control characters,
 * of which JSON has none, stand for `PHRASES`: that makes blocks a sixth smaller.
 */
export const PACKS_FILE = 'packs.json';

/** Version of the format of all these files. */
export const PACKS_FORMAT = 1;

/** `buildings`: full answers by ID. `near`: strips of the map. `towns`: pages of lists. `facilities`: answers by office number. */
export const PACK_KINDS = ['buildings', 'near', 'towns', 'facilities'] as const;
export type PackKind = (typeof PACK_KINDS)[number];

/** The kinds of answers. */
export type StaticAnswer = 'building' | 'full' | 'near' | 'town' | 'facility';

export interface PacksAbout {
  format: number;
  dataset_id: string;
  /** The text after `data` of each kind of answer. */
  tails: Record<StaticAnswer, string>;
}

export interface PackIndex {
  /** The first key of each block. */
  keys: string[];
  /** Bytes of each block. */
  lengths: number[];
}

export const packPath = (datasetId: string, kind: PackKind, group: string): string =>
  `packs/${datasetId}/${kind}/${group}`;

export const dictionaryPath = (datasetId: string, kind: PackKind): string => `packs/${datasetId}/${kind}.dict`;

/**
 * The digits of a key that name its pack. Buildings and towns are grouped by municipality, facilities by prefecture,
 * strips by a tenth of a degree of latitude.
 */
const GROUP_DIGITS: Readonly<Record<PackKind, number>> = { buildings: 5, towns: 5, facilities: 2, near: 3 };

export const groupOf = (kind: PackKind, key: string): string => key.slice(0, GROUP_DIGITS[kind]);

/** Padded, so that pages are in order as texts. */
export const townPageKey = (townCode: string, page: number): string => `${townCode}/${String(page).padStart(5, '0')}`;

/**
 * A strip is a hundredth of a degree high and a thousandth wide. Strips of one height are consecutive. A circle of 500
 * m, the widest search, reaches over at most two heights, so two ranges have all buildings of a search.
 */
export const STRIP_ROWS = 10;

/**
 * @param band its latitude in hundredths of a degree
 * @param column its longitude in thousandths of a degree. In Japan both have a fixed number of digits
 */
export const stripKey = (band: number, column: number): string =>
  String(band).padStart(4, '0') + String(column).padStart(6, '0');

/** A building of a strip: its summary, and its footprint in the form of `ringsOf`. */
export type StripEntry = [summary: { building_id: string }, polygons: number[][][]];

/**
 * Degrees are stored in units of 10⁻⁸: the first point of a ring (lat, lon), then the difference of each point to the
 * next.
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

/** The control character of a phrase; it is neither tab nor line feed. */
const codeOf = (i: number): string => String.fromCharCode(i + 14);

/** A text with its phrases as control characters. */
export const shortened = (text: string): string =>
  PHRASES.reduce((short, phrase, i) => short.replaceAll(phrase, codeOf(i)), text);

/** A text with its phrases written out. */
export const lengthened = (text: string): string =>
  PHRASES.reduce((long, phrase, i) => long.replaceAll(codeOf(i), phrase), text);
