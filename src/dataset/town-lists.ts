import { rmSync } from 'node:fs';
import { wholeTownCode } from '../census/town.ts';
import { Spill } from '../formats/spill.ts';
import { BitWriter, riceContext } from '../record/bit-stream.ts';
import { writeBuildingId } from '../record/building-record.ts';
import { TOWN_PAGE, townKey } from './store-keys.ts';

/** Digits of the code of a town that has chome; one without, and the whole of one with, has nine. */
const CODE_DIGITS = 11;
const WHOLE_DIGITS = 9;

/** A number for each code, in the order of the codes as texts: a whole town comes before its chome. */
const numberOf = (code: string): number =>
  2 * Number(code.padEnd(CODE_DIGITS, '0')) + (code.length > WHOLE_DIGITS ? 1 : 0);

const codeOf = (number: number): string =>
  String(Math.floor(number / 2))
    .padStart(CODE_DIGITS, '0')
    .slice(0, number % 2 === 0 ? WHOLE_DIGITS : CODE_DIGITS);

/**
 * Gathers which buildings stand in which town, in a file: in memory those of a large city would take some 100 MB.
 * @throws the system's error when the disk is full
 */
export class TownLists {
  readonly #path: string;
  readonly #spill: Spill;

  constructor(path: string) {
    this.#path = path;
    this.#spill = new Spill(path);
  }

  /** Adds a building to the list of its town and, where that is a chome, of the whole town. Buildings come in order of ID. */
  add(townCode: string, buildingId: string): void {
    const line = Buffer.from(`${buildingId}\n`);
    this.#spill.add(numberOf(townCode), line);
    const whole = wholeTownCode(townCode);
    if (whole !== null) this.#spill.add(numberOf(whole), line);
  }

  /** The pages of all lists as the store keeps them, in order of key. Nothing may be added afterwards. */
  *pages(): Generator<[key: Buffer, page: Uint8Array]> {
    for (const [number, lines] of this.#spill.groups()) {
      const ids = Buffer.from(lines).toString().slice(0, -1).split('\n');
      for (let page = 0; page * TOWN_PAGE < ids.length; page++) {
        yield [townKey(codeOf(number), page), encodeTownPage(ids, page)];
      }
    }
  }

  close(): void {
    this.#spill.close();
  }

  /** Removes the file. */
  remove(): void {
    rmSync(this.#path);
  }
}

/** A page of a town's list: how many the whole list holds, then its IDs. */
function encodeTownPage(ids: readonly string[], page: number): Uint8Array {
  const out = new BitWriter();
  out.rice(ids.length, riceContext(8));
  for (const id of ids.slice(page * TOWN_PAGE, (page + 1) * TOWN_PAGE)) writeBuildingId(out, id);
  return out.finish();
}
