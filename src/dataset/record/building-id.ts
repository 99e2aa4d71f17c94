import { isDesignatedCity } from '../../kaigo/municipalities.ts';
import { type BitReader, type BitWriter, riceContext } from './bit-stream.ts';

/** The usual form of an ID, as short as a number can be: no leading zero, at most 32 bits. */
const USUAL = /^(\d{5})-bldg-(0|[1-9]\d{0,8})$/;

/** The five digits with which an ID begins: the municipality that numbered the building. */
export const prefixOf = (buildingId: string): string => buildingId.slice(0, 5);

/** Whether the prefix of an ID is a designated city's own code, so that it does not tell the ward. */
export const idNamesCity = (buildingId: string): boolean => isDesignatedCity(prefixOf(buildingId));

/**
 * The ward (municipality) of a building: the prefix of its ID; where that is a designated city, `uro:city`, if it is a
 * code that follows the city's in the same prefecture, as those of its wards do.
 */
export function wardCodeOf(buildingId: string, cityCode: string | null = null): string {
  const prefix = prefixOf(buildingId);
  if (cityCode === null || !isDesignatedCity(prefix)) return prefix;
  return cityCode.slice(0, 2) === prefix.slice(0, 2) && cityCode > prefix ? cityCode : prefix;
}

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
