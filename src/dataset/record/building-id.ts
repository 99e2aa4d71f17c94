import { type BitReader, type BitWriter, riceContext } from './bit-stream.ts';

/** The usual form of an ID, as short as a number can be: no leading zero, at most 32 bits. */
const USUAL = /^(\d{5})-bldg-(0|[1-9]\d{0,8})$/;

/** The ward (municipality) code of an ID: its first five digits. */
export const wardCodeOf = (buildingId: string): string => buildingId.slice(0, 5);

/** Writes an ID: a ward and a number where it has the usual form, else its text. */
export function writeBuildingId(out: BitWriter, buildingId: string): void {
  const usual = USUAL.exec(buildingId);
  out.flag(usual !== null);
  if (usual) {
    out.bits(Number(usual[1]), 17);
    out.rice(Number(usual[2]), riceContext(16));
  } else {
    out.text(buildingId);
  }
}

export function readBuildingId(from: BitReader): string {
  if (!from.flag()) return from.text();
  const ward = String(from.bits(17)).padStart(5, '0');
  return `${ward}-bldg-${from.rice(riceContext(16))}`;
}
