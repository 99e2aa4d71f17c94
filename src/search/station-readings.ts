import { splitTownName } from '../geo/chome.ts';
import { degreesApart } from '../geo/degree.ts';
import { fold } from './romaji.ts';

/** A town and its municipality; readings in hiragana. */
interface NamedTown {
  name: string | null;
  reading: string | null;
  wardName: string;
  wardReading: string | null;
  /** Degrees. */
  lat: number;
  lon: number;
}

interface Station {
  name: string;
  lat: number;
  lon: number;
}

/** A town counts as near a station up to this distance, degrees of latitude: 2 km. */
const NEAR_DEGREES = 0.018;
/**
 * Side of the cells in which near towns are looked up, degrees. The towns near a station are in its cell or beside it.
 */
const CELL_DEGREES = 0.024;

/** Words before and after the name of a place in the names of towns around it, and their readings. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  東: ['ひがし'],
  西: ['にし'],
  南: ['みなみ'],
  北: ['きた'],
  内: ['うち'],
  外: ['そと'],
  上: ['かみ'],
  中: ['なか'],
  下: ['しも'],
  元: ['もと'],
  本: ['ほん', 'もと'],
  新: ['しん'],
};
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  東: ['ひがし'],
  西: ['にし'],
  南: ['みなみ'],
  北: ['きた'],
  本町: ['ほんちょう', 'ほんまち'],
};
/** The ends of the names of municipalities, and their readings. */
const MUNICIPALITY: Readonly<Record<string, string>> = { 市: 'し', 区: 'く', 町: 'ちょう|まち', 村: 'むら|そん' };
/** The only prefecture whose station has its name, but no municipality of this name. */
const TOKYO = { name: '東京', reading: 'とうきょう' };

/** A name and its reading. */
interface Reading {
  name: string;
  reading: string;
}

/**
 * The compared form of a name: folded, and without ツ, ケ and ノ between kanji, which names of stations and towns write or
 * leave out.
 */
const compared = (name: string): string => fold(name).replace(/(?<=\p{Script=Han})[つがの](?=\p{Script=Han})/gu, '');

/**
 * Makes the function that finds the reading of a station in the readings of the towns around it, because stations are
 * published without readings:
 * 1. The name of the station is that of a town, of the municipality of the nearest town, or of Tokyo.
 * 2. It is a part of such a name, and the readings of what stands before and behind it are known. 外神田 (そとかんだ) gives 神田,
 *    because そと is the usual reading of 外. 神田神保町 gives 神保町, because the reading of 神田 is found in the same way,
 *    though only from names with a usual word before it.
 *
 * The function returns null when there is no such name, or two readings.
 */
export function stationReadings(towns: readonly NamedTown[]): (station: Station) => string | null {
  const cellOf = (lat: number, lon: number): [number, number] => [
    Math.floor(lat / CELL_DEGREES),
    Math.floor(lon / CELL_DEGREES),
  ];
  const cells = Map.groupBy(towns, ({ lat, lon }) => cellOf(lat, lon).join());
  return ({ name, lat, lon }) => {
    const distance = (town: NamedTown): number => degreesApart(town, { lat, lon });
    const [row, column] = cellOf(lat, lon);
    const rows = [row - 1, row, row + 1];
    const columns = [column - 1, column, column + 1];
    const townsAround = rows.flatMap((y) => columns.flatMap((x) => cells.get([y, x].join()) ?? []));
    const nearTowns = townsAround
      .filter((town) => distance(town) <= NEAR_DEGREES)
      .sort((a, b) => distance(a) - distance(b));
    const readings = [...nearTowns.flatMap(withoutChome), ...nearTowns.slice(0, 1).flatMap(municipalities), TOKYO];
    const stationName = compared(name);
    const sameName = readings.filter((known) => known.name === stationName);
    const onlyUsualPrefixes = () => null;
    // The reading of 神田 before 神保町. Before 神田 itself only a usual prefix such as 外 may stand.
    const readingBefore = (part: string) => readingOfPart(part, readings, onlyUsualPrefixes);
    // If the same name has two readings, step 2 finds both again, and so none.
    return onlyOne(sameName.map(({ reading }) => reading)) ?? readingOfPart(stationName, readings, readingBefore);
  };
}

/** The name and the reading of a town without its chome; empty when one of them is unknown. */
function withoutChome({ name, reading }: NamedTown): Reading[] {
  if (name === null || reading === null) return [];
  return [{ name: compared(splitTownName(name).base), reading: reading.replace(/[0-9]+ちょうめ$/, '') }];
}

/**
 * The names and readings of the municipality of a town without 市, 区, 町 or 村: 三鷹市 (みたかし) gives 三鷹; 札幌市中央区
 * (さっぽろし ちゅうおうく) gives 札幌 and 中央.
 */
function municipalities({ wardName, wardReading }: NamedTown): Reading[] {
  const readings = wardReading?.split(' ') ?? [];
  // Only the reading of a ward of a city has two words: 四日市市 has one.
  const names = readings.length > 1 ? wardName.split(/(?<=市)/) : [wardName];
  return names.flatMap((name, i) => {
    const end = MUNICIPALITY[name.slice(-1)];
    if (end === undefined) return [];
    const reading = new RegExp(`^(.+)(?:${end})$`).exec(readings[i] ?? '')?.[1];
    return reading === undefined ? [] : [{ name: compared(name.slice(0, -1)), reading }];
  });
}

/**
 * The reading of a word that is a part of longer names with known readings (外神田 そとかんだ gives 神田 かんだ); null when none
 * has it or they differ.
 * @param readingOf the reading of what stands before the word and is no usual prefix; null: not known
 */
function readingOfPart(
  word: string,
  names: readonly Reading[],
  readingOf: (part: string) => string | null,
): string | null {
  const readingsBefore = (part: string): readonly string[] => {
    if (part === '') return [''];
    const ofPrefix = PREFIXES[part];
    if (ofPrefix !== undefined) return ofPrefix;
    const reading = readingOf(part);
    return reading === null ? [] : [reading];
  };
  const readingsBehind = (part: string): readonly string[] => (part === '' ? [''] : (SUFFIXES[part] ?? []));
  const readings = names.flatMap(({ name, reading }) => {
    const start = name.indexOf(word);
    if (start < 0) return [];
    const before = name.slice(0, start);
    const after = name.slice(start + word.length);
    const beginnings = readingsBefore(before);
    const ends = readingsBehind(after);
    return beginnings.flatMap((beginning) => ends.flatMap((end) => between(reading, beginning, end) ?? []));
  });
  return onlyOne(readings);
}

/** The text between a beginning and an end; null when the text does not have them, or nothing is between. */
function between(text: string, begin: string, end: string): string | null {
  const isBetween = text.length > begin.length + end.length && text.startsWith(begin) && text.endsWith(end);
  return isBetween ? text.slice(begin.length, text.length - end.length) : null;
}

/** The common value of a list; null when it is empty or has different values. */
function onlyOne(values: readonly string[]): string | null {
  const [first, ...others] = new Set(values);
  return first === undefined || others.length > 0 ? null : first;
}
