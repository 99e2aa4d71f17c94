import { parse } from 'csv-parse/sync';
import { isInJapan } from '../geo/grid-square.ts';
import { japaneseDecoder, PublishedFileError } from './published-file.ts';

/**
 * Blocks (街区) of the address base registry (アドレス・ベース・レジストリ, Digital Agency). It covers the areas whose
 * addresses have a block and a house number. `mt_rsdtdsp_blk_…csv` names the blocks, `mt_rsdtdsp_blk_pos_…csv` gives
 * their positions. Both identify a block by municipality (6 digits), town (7) and block (3).
 */
interface NamedBlock {
  /** 16 digits: municipality, town and block. */
  id: string;
  /** Municipality, 5 digits. */
  municipality: string;
  /** Name of the municipality. For a ward it includes the city: 横浜市中区. */
  city: string;
  /** Name of the town, with its chome: 飯田橋三丁目. */
  town: string;
  /** Number of the block: 10. */
  number: string;
}

/** The content of a file of names. */
interface BlockNames {
  rows: number;
  blocks: NamedBlock[];
  /** Rows of abolished blocks. */
  abolished: number;
  /** Rows without a town or a number. */
  withoutName: number;
}

/** The content of a file of positions. */
interface BlockPositions {
  rows: number;
  /** Latitude and longitude in degrees (JGD2011), by the ID of the block. */
  positions: Map<string, readonly [lat: number, lon: number]>;
  /** Rows without a position, or with one in another coordinate system. */
  withoutPosition: number;
}

/** The columns of the codes of a block, of a file of names and of a file of positions. */
const CODES = ['lg_code', 'machiaza_id', 'blk_id'] as const;
const NAMES = [...CODES, 'city', 'ward', 'oaza_cho', 'chome', 'koaza', 'blk_num', 'ablt_date'] as const;
const POSITIONS = [...CODES, 'rep_lat', 'rep_lon', 'rep_srid'] as const;
/** JGD2011 in degrees. */
const SRID = 'EPSG:6668';
/** Longest accepted row, characters. Published rows have a few hundred. */
const LONGEST_ROW = 100_000;

/** True when the name of a registry file is that of a file of positions. */
export const holdsPositions = (name: string): boolean => /mt_rsdtdsp_blk_pos_[^/]*$/i.test(name);

/**
 * Reads a file of the address registry with the names of blocks. Abolished blocks and those without a name are counted.
 * @throws PublishedFileError with the line that does not have the published form
 */
export function readAddressBlockNames(bytes: Uint8Array, file: string): BlockNames {
  const content: BlockNames = { rows: 0, blocks: [], abolished: 0, withoutName: 0 };
  readRows(bytes, file, NAMES, (row, id) => {
    content.rows++;
    const town = row.oaza_cho + row.chome + row.koaza;
    const number = row.blk_num.normalize('NFKC');
    if (row.ablt_date !== '') content.abolished++;
    else if (town === '' || number === '') content.withoutName++;
    else content.blocks.push({ id, municipality: id.slice(0, 5), city: row.city + row.ward, town, number });
  });
  return content;
}

/**
 * Reads a file of the address registry with the positions of blocks, by ID. Rows without a position are counted.
 * @throws PublishedFileError with the line that does not have the published form
 */
export function readAddressBlockPositions(bytes: Uint8Array, file: string): BlockPositions {
  const content: BlockPositions = { rows: 0, positions: new Map(), withoutPosition: 0 };
  readRows(bytes, file, POSITIONS, (row, id, line) => {
    content.rows++;
    if (row.rep_lat === '' || row.rep_lon === '' || row.rep_srid.toUpperCase() !== SRID) {
      content.withoutPosition++;
      return;
    }
    const [lat, lon] = [Number(row.rep_lat), Number(row.rep_lon)];
    if (!isInJapan(lat, lon)) {
      throw new PublishedFileError(
        `${file}, line ${line}: rep_lat ${row.rep_lat} and rep_lon ${row.rep_lon} are not degrees of a place in Japan`,
      );
    }
    content.positions.set(id, [lat, lon]);
  });
  return content;
}

/** A column of the codes, and the wanted columns of a row. */
type Code = (typeof CODES)[number];
type Row<Column extends string> = Record<Column | Code, string>;

/**
 * Calls `take` with the wanted columns of each row and the ID of its block.
 * @throws PublishedFileError for a file that does not have the published form
 */
function readRows<Column extends string>(
  bytes: Uint8Array,
  file: string,
  wanted: readonly (Column | Code)[],
  take: (row: Row<Column>, id: string, line: number) => void,
): void {
  const text = japaneseDecoder(bytes, file).decode(bytes);
  // The positions of the wanted columns; null before the first row, which has their names.
  let columns: readonly number[] | null = null;
  // It returns null, so that the parser keeps no row.
  const onRow = (cells: string[], { lines: line }: { lines: number }): null => {
    if (columns === null) {
      const missing = wanted.filter((name) => !cells.includes(name));
      if (missing.length > 0) {
        throw new PublishedFileError(
          `${file}: not a table of blocks of the address registry: the columns missing are ${missing.join(', ')}; it has ` +
            `${cells.slice(0, 30).join(', ')}; mt_rsdtdsp_blk_… and mt_rsdtdsp_blk_pos_… are read`,
        );
      }
      columns = wanted.map((name) => cells.indexOf(name));
      return null;
    }
    const positions = columns;
    const row = Object.fromEntries(wanted.map((name, i) => [name, (cells[positions[i]] as string).trim()]));
    take(row as Row<Column>, blockId(row, file, line), line);
    return null;
  };
  try {
    parse(text, { bom: true, skip_empty_lines: true, max_record_size: LONGEST_ROW, on_record: onRow });
  } catch (error) {
    if (error instanceof PublishedFileError) throw error;
    throw new PublishedFileError(`${file}: not a CSV file: ${(error as Error).message}`);
  }
  if (columns === null) throw new PublishedFileError(`${file}: empty`);
}

/**
 * The ID of a block. Leading zeros that a spreadsheet has removed from the codes are restored.
 * @throws PublishedFileError when the codes are not those of a block
 */
function blockId(row: Record<string, string>, file: string, line: number): string {
  const { lg_code = '', machiaza_id = '', blk_id = '' } = row;
  const id = lg_code.padStart(6, '0') + machiaza_id.padStart(7, '0') + blk_id.padStart(3, '0');
  if (lg_code !== '' && machiaza_id !== '' && /^\d{16}$/.test(id)) return id;
  throw new PublishedFileError(
    `${file}, line ${line}: lg_code ${JSON.stringify(lg_code)}, machiaza_id ${JSON.stringify(machiaza_id)} and blk_id ` +
      `${JSON.stringify(blk_id)} are not the codes of a block (6, 7 and 3 digits)`,
  );
}
