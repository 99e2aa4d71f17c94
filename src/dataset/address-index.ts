import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import { isInJapan } from '../geo/grid-square.ts';
import { sevenDecimals } from '../geo/rounding.ts';
import { fold } from '../search/romaji.ts';
import { addressParts } from '../search/terms.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { addDifferences, type Verification } from '../snapshot/verification.ts';
import type { Place } from './search-places.ts';

/**
 * Blocks of addresses in a sorted file. A key is the normalized name of a town, NUL, and the town's code in the
 * registry (13 digits: municipality and town). The value is the JSON of its blocks. Datasets built without the registry
 * do not have this file.
 */
export const ADDRESS_INDEX = 'addresses.index';

/** A block of the address registry and its position. */
export interface AddressBlock {
  /** 16 digits: municipality, town and block. */
  id: string;
  /** Name of the municipality. */
  city: string;
  /** Name of the town, with its chome: 飯田橋三丁目. */
  town: string;
  /** Number of the block: 10. */
  number: string;
  /** Degrees. */
  lat: number;
  lon: number;
}

/** The blocks of a town as stored. The ID of a block is its last three digits. */
interface StoredTown {
  city: string;
  town: string;
  blocks: [id: string, number: string, lat: number, lon: number][];
}

/** Digits of the code of a town: municipality and town. */
const TOWN_DIGITS = 13;

const townKey = (name: string, code: string): Buffer => Buffer.from(`${name}\0${code}`);

/** Writes the index of address blocks: for each town, under its normalized name and code, its blocks in order of ID. */
export async function writeAddresses(path: string, blocks: readonly AddressBlock[]): Promise<void> {
  const towns = [...Map.groupBy(blocks, ({ id }) => id.slice(0, TOWN_DIGITS))].map(
    ([code, members]): [Buffer, Buffer] => {
      const { city = '', town = '' } = members[0] ?? {};
      const stored: StoredTown = {
        city,
        town,
        blocks: members
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map(({ id, number, lat, lon }) => [id.slice(TOWN_DIGITS), number, sevenDecimals(lat), sevenDecimals(lon)]),
      };
      return [townKey(fold(town), code), Buffer.from(JSON.stringify(stored))];
    },
  );
  await writeSortedFile(
    path,
    towns.sort(([a], [b]) => Buffer.compare(a, b)),
  );
}

/** Finds blocks by address. */
export class AddressIndex {
  readonly #file: SortedFile;

  constructor(files: Pick<DatasetFiles, 'open'>) {
    this.#file = new SortedFile(files.open(ADDRESS_INDEX));
  }

  /**
   * Finds the blocks of an address, such as 飯田橋3-5-1, with or without its municipality.
   * @param townsByReading finds the names of towns by their reading, in kana or romaji
   */
  *find(address: string, townsByReading: (reading: string) => Iterable<string>): Generator<Place> {
    for (const { town, block } of addressParts(address)) {
      let isFound = false;
      for (const name of new Set([town, ...[...townsByReading(town)].map(fold)])) {
        for (const place of this.#blocksIn(name, block)) {
          isFound = true;
          yield place;
        }
      }
      // The longest town comes first. Blocks of a shorter one would be of another town.
      if (isFound) return;
    }
  }

  /**
   * Finds the blocks with a number in every town that has this name.
   * @param name of a town, normalized, with or without its municipality before it
   */
  *#blocksIn(name: string, blockNumber: string): Generator<Place> {
    // The name may be that of a town alone; or a municipality and a town, split at each place where the former may end.
    const anyCity = '';
    for (const [city, town] of [[anyCity, name] as const, ...splitBehindCity(name)]) {
      const [first, behindLast] = [townKey(town, ''), townKey(town, '\xff')];
      for (const [key, value] of this.#file.range(first, behindLast)) {
        const stored = JSON.parse(value.toString()) as StoredTown;
        if (!areSameCity(city, fold(stored.city))) continue;
        // Behind the name and a zero byte.
        const code = key.toString('utf8', key.lastIndexOf(0) + 1);
        for (const storedBlock of stored.blocks) {
          const [, number] = storedBlock;
          if (number === blockNumber) yield blockPlace(code, stored, storedBlock);
        }
      }
    }
  }

  /** The blocks of a town with this name in a municipality (5 digits). */
  blocks(town: string, municipality: string): { number: string; lat: number; lon: number }[] {
    const name = fold(town);
    // A key goes on with the town's code, because several towns can have one normalized name.
    return [...this.#file.range(townKey(name, municipality), townKey(name, `${municipality}\xff`))].flatMap(
      ([, value]) =>
        (JSON.parse(value.toString()) as StoredTown).blocks.map(([, number, lat, lon]) => ({ number, lat, lon })),
    );
  }

  /** All blocks, by town. */
  *all(): Generator<{ key: Buffer; town: StoredTown }> {
    for (const [key, value] of this.#file.range(Buffer.alloc(0), Buffer.from([0xff]))) {
      yield { key, town: JSON.parse(value.toString()) as StoredTown };
    }
  }
}

/**
 * True when the written municipality can be one of the registry: 西多摩郡瑞穂町 is 瑞穂町, and 中区 is 横浜市中区, but
 * 東大和市 is not 大和市. An empty text matches all.
 */
function areSameCity(written: string, registered: string): boolean {
  if (written === '' || written === registered) return true;
  if (written.endsWith(registered)) return /[郡島]$/u.test(written.slice(0, -registered.length));
  return registered.endsWith(written) && registered.slice(0, -written.length).endsWith('市');
}

/** All ways to split an address into municipality and town: after each 区, 市, 町 and 村. */
function* splitBehindCity(address: string): Generator<readonly [city: string, town: string]> {
  for (const { index } of address.matchAll(/(?<=.[区市町村])(?=.)/gu))
    yield [address.slice(0, index), address.slice(index)];
}

/**
 * A block as a place of the search.
 * @param code of its town
 */
function blockPlace(
  code: string,
  { city, town }: StoredTown,
  [id, number, lat, lon]: StoredTown['blocks'][number],
): Place {
  const name = `${town}${number}番`;
  const position = new URLSearchParams({ lat: String(lat), lon: String(lon) });
  return {
    kind: 'address',
    id: code + id,
    name,
    reading: null,
    address: city + name,
    ward_code: code.slice(0, 5),
    municipality_code: null,
    lat,
    lon,
    page: `/map/?${position}`,
    api: `/api/v1/sunlight/near?${position}`,
  };
}

/** Checks all blocks of the index, and compares their number with the manifest. Adds differences to `verification`. */
export function verifyAddresses(files: DatasetFiles, verification: Verification): void {
  const differences: string[] = [];
  let blocks = 0;
  for (const { key, town } of new AddressIndex(files).all()) {
    blocks += town.blocks.length;
    // A key is the normalized name, a zero byte and the code of the town with its municipality, 13 digits.
    const [name, code = ''] = key.toString().split('\0');
    if (name !== fold(town.town) || !/^\d{13}$/.test(code)) {
      differences.push(`holds ${town.town} under ${JSON.stringify(key.toString())}`);
    }
    const invalid = town.blocks.filter(
      ([id, number, lat, lon]) => !/^\d{3}$/.test(id) || number === '' || !isInJapan(lat, lon),
    );
    for (const block of invalid) differences.push(`${town.town}: ${JSON.stringify(block)} is no block`);
  }
  const expected = files.manifest.halves.sunlight?.counts.address_blocks;
  if (expected !== blocks) differences.push(`has ${blocks} blocks, the manifest says ${expected}`);
  verification.checked.address_blocks = blocks;
  addDifferences(verification, ADDRESS_INDEX, differences);
}
