import { japaneseDecoder, readDbase } from '../census/shapefile.ts';
import { hoursOfTenths, MONTHS, NormalsFileError, numberOf } from './normals-file.ts';

/** The mesh normals of a file: by code of the third-order grid square. */
export interface MeshNormals {
  squares: Map<string, readonly number[]>;
  /** Squares without a normal: sea, or not estimated. */
  unknown: number;
}

/**
 * Attributes of 国土数値情報 G02 (平年値メッシュ): the code of the square is the first. Sunshine of January to December and of the year
 * is in tenths of an hour. The GML names the columns in words, the shapefile by numbers; 999999 stands for a missing value.
 */
const G02_MONTHS = Array.from({ length: MONTHS }, (_, month) => ({
  number: `G02_0${59 + month}`,
  words: `${month + 1}月日照時間`,
}));
const G02_YEAR = { number: 'G02_071', words: '年合計日照時間' };

/** The columns of the months and of the year, as positions among all columns. */
function sunshineColumns(columns: readonly string[], file: string): number[] {
  const names = columns.map((name) => name.normalize('NFKC').trim());
  return [...G02_MONTHS, G02_YEAR].map(({ number, words }) => {
    const found = names.findIndex((name) => name === number || name.startsWith(words));
    if (found >= 0) return found;
    throw new NormalsFileError(
      `${file}: has no column ${number} (${words}); expected the attributes of 国土数値情報 G02, with sunshine in ${G02_MONTHS[0].number} to ${G02_YEAR.number}`,
    );
  });
}

function addSquare(read: MeshNormals, code: string, texts: readonly string[], at: string): void {
  if (!/^\d{8}$/.test(code))
    throw new NormalsFileError(`${at}: the code is "${code}"; expected the 8 digits of a third-order grid square`);
  const numbers = texts.map(numberOf);
  const hours = hoursOfTenths(numbers.slice(0, MONTHS), numbers[MONTHS], at);
  if (hours === null) read.unknown++;
  else read.squares.set(code, hours);
}

/**
 * Reads mesh normals from the attribute table (`.dbf`) of a shapefile of G02.
 * @param file its name, for messages
 * @throws NormalsFileError, CensusFileError
 */
export function readMeshTable(bytes: Uint8Array, file: string): MeshNormals {
  const { columns, rows } = readDbase(bytes, file);
  const sunshine = sunshineColumns(columns, file).map((column) => columns[column]);
  const read: MeshNormals = { squares: new Map(), unknown: 0 };
  for (const [index, row] of rows.entries()) {
    if (row === null) continue;
    const texts = sunshine.map((column) => row[column]);
    addSquare(read, row[columns[0]], texts, `${file}, record ${index + 1}`);
  }
  return read;
}

/** The names of the columns, in their order. */
const COLUMN_NAME = /<(?:\w+:)?(?:Category|Count|Quantity)List\b[^>]*>([^<]*)</g;
const VALUES = /<(?:\w+:)?tupleList\b[^>]*>([^<]*)<\/(?:\w+:)?tupleList\s*>/;

/**
 * Reads mesh normals from the GML of G02: a coverage. `gml:CategoryList` and `gml:CountList` name the columns; `gml:tupleList`
 * has a tuple for each grid square, with commas or spaces between the values.
 * @throws NormalsFileError, CensusFileError for an unknown encoding
 */
export function readMeshGml(bytes: Uint8Array, file: string): MeshNormals {
  const text = japaneseDecoder(bytes, file).decode(bytes);
  const columns = Array.from(text.matchAll(COLUMN_NAME), ([, name]) => name);
  const sunshine = sunshineColumns(columns, file);
  const list = VALUES.exec(text)?.[1];
  if (list === undefined)
    throw new NormalsFileError(
      `${file}: has no complete gml:tupleList; get it again, or give the .dbf of the shapefile in the same zip`,
    );
  const values = list.trim() === '' ? [] : list.trim().split(/\s*,\s*|\s+/);
  if (values.length === 0 || values.length % columns.length !== 0)
    throw new NormalsFileError(
      `${file}: gml:tupleList has ${values.length} values; expected ${columns.length} for each grid square`,
    );
  const read: MeshNormals = { squares: new Map(), unknown: 0 };
  for (let at = 0; at < values.length; at += columns.length) {
    const texts = sunshine.map((column) => values[at + column]);
    addSquare(read, values[at], texts, `${file}, grid square ${at / columns.length + 1}`);
  }
  return read;
}
