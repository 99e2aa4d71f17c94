import { holdsPositions, readAddressBlockNames, readAddressBlockPositions } from '../census/address-blocks.ts';
import type { AddressBlock } from '../dataset/address-index.ts';
import { gridSquareOf } from '../geo/grid-square.ts';
import type { Credit } from '../snapshot/manifest.ts';
import { findInputs, type Input, InputError, readInput } from './inputs.ts';

/** The credit of the blocks. */
export const ADDRESS_REGISTRY: Credit = {
  name: 'アドレス・ベース・レジストリ',
  url: 'https://www.digital.go.jp/policies/base_registry_address',
  attribution: 'デジタル庁 アドレス・ベース・レジストリを加工して作成',
};

/** Counts of what was read from the address registry. */
export interface AddressReport {
  /** Files read. */
  files: number;
  /** Files that were not read, because another file has the names or the positions of the same area. */
  files_left_out: string[];
  rows: number;
  /** Rows of abolished blocks. */
  abolished: number;
  without_name: number;
  /** Blocks whose number is not only digits, such as 甲. In an address they cannot be told from a house number. */
  without_digits: number;
  /** Blocks whose position is missing or in another coordinate system. */
  without_position: number;
  /** Duplicate rows of blocks. The first row counts. */
  duplicates: number;
  /** Blocks outside the served grid squares. */
  elsewhere: number;
  /** Blocks that searches find. */
  blocks: number;
}

/** The blocks of the registry with their files. */
export interface AddressesRead {
  blocks: AddressBlock[];
  report: AddressReport;
  inputs: Input[];
}

/**
 * Reads the blocks of the address registry from paths (folders, CSV files, zips).
 * @throws InputError when the names or the positions of an area are missing
 * @throws PublishedFileError when a file does not have the published form
 */
export async function readAddressPaths(paths: readonly string[]): Promise<AddressesRead> {
  const { inputs: files } = await findInputs([...paths], ['address_blocks']);
  const areas = areasOf(files);
  const inputs = areas.flatMap(({ names, positions }) => [names, positions]);
  const blocks = new Map<string, AddressBlock>();
  const report: AddressReport = {
    files: inputs.length,
    files_left_out: files.filter((file) => !inputs.includes(file)).map(({ name }) => name),
    rows: 0,
    abolished: 0,
    without_name: 0,
    without_digits: 0,
    without_position: 0,
    duplicates: 0,
    elsewhere: 0, // `servedAddressBlocks` counts it.
    blocks: 0,
  };
  for (const { names, positions } of areas) {
    const nameTable = readAddressBlockNames(await readInput(names), names.name);
    const positionTable = readAddressBlockPositions(await readInput(positions), positions.name);
    report.rows += nameTable.rows;
    report.abolished += nameTable.abolished;
    report.without_name += nameTable.withoutName;
    for (const block of nameTable.blocks) {
      const position = positionTable.positions.get(block.id);
      if (!/^\d+$/.test(block.number)) report.without_digits++;
      else if (position === undefined) report.without_position++;
      else if (blocks.has(block.id)) report.duplicates++;
      else blocks.set(block.id, { ...block, number: String(Number(block.number)), lat: position[0], lon: position[1] });
    }
  }
  report.blocks = blocks.size;
  return { blocks: [...blocks.values()], report, inputs };
}

/** The blocks in served grid squares. */
export function servedAddressBlocks(
  { blocks, report }: AddressesRead,
  squares: Iterable<string>,
): Pick<AddressesRead, 'blocks' | 'report'> {
  const servedSquares = new Set(squares);
  const served = blocks.filter(({ lat, lon }) => servedSquares.has(gridSquareOf(lat, lon)));
  const elsewhere = blocks.length - served.length;
  return { blocks: served, report: { ...report, elsewhere, blocks: served.length } };
}

/**
 * The two files of each area, whose names differ only in `_pos_`. Of several files of one kind, the first.
 * @throws InputError when one of the two is missing
 */
function areasOf(inputs: readonly Input[]): { names: Input; positions: Input }[] {
  const byArea = Map.groupBy(inputs, ({ name }) => areaOf(name));
  return [...byArea].map(([area, files]) => {
    const positions = files.find(({ name }) => holdsPositions(name));
    const names = files.find(({ name }) => !holdsPositions(name));
    if (names && positions) return { names, positions };
    const [file, missing] = names ? [names, `mt_rsdtdsp_blk_pos_${area}`] : [files[0], `mt_rsdtdsp_blk_${area}`];
    throw new InputError(
      `${file?.name}: ${missing}, which belongs to it, is missing: the registry has names and positions apart`,
    );
  });
}

/** The area in a file name: `pref13.csv` in `…/mt_rsdtdsp_blk_pos_pref13.csv`. */
const areaOf = (name: string): string => (/mt_rsdtdsp_blk_(?:pos_)?([^/]*)$/i.exec(name)?.[1] ?? name).toLowerCase();
