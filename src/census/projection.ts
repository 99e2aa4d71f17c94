import { CensusFileError } from './shapefile.ts';

/**
 * Datums whose degrees serve as JGD2011: JGD2000 and WGS 84 differ from it by less than the borders'
 * own accuracy, the old Tokyo datum by more than 400 m.
 */
const SAME_DEGREES = /JGD[_ ]?2011|JGD[_ ]?2000|Japanese[_ ]Geodetic[_ ]Datum[_ ]20(11|00)|WGS[_ ]?(19)?84/i;

/**
 * Checks the coordinate system of a shapefile from the text of its `.prj` (well-known text).
 * @throws CensusFileError when it is not degrees of JGD2011 or of a datum that equals it here
 */
export function checkProjection(prj: string, file: string): void {
  const wkt = prj.trim();
  const name = /^[A-Z]+\s*\[\s*"([^"]*)"/i.exec(wkt)?.[1] ?? wkt.slice(0, 40);
  if (/^PROJ(CS|CRS)\b/i.test(wkt)) {
    throw new CensusFileError(
      `${file}: plane coordinates (${name}). Fetch the small areas in degrees of the world geodetic system (JGD2011)`,
    );
  }
  const datum = /DATUM\s*\[\s*"([^"]*)"/i.exec(wkt)?.[1] ?? '';
  if (!/^GEOG(CS|CRS)\b/i.test(wkt) || !SAME_DEGREES.test(`${name} ${datum}`)) {
    throw new CensusFileError(
      `${file}: coordinate system ${name || '(unnamed)'} with datum ${datum || '(none)'}; expected degrees of JGD2011`,
    );
  }
}

/**
 * Checks that coordinates are degrees within Japan, whatever the `.prj` says or if there is none.
 * @param ring `[x, y, …]`
 * @throws CensusFileError with the first point that is not
 */
export function checkInJapan(ring: Float64Array, where: string): void {
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [ring[i]!, ring[i + 1]!];
    if (x < 122 || x > 154 || y < 20 || y > 46) {
      throw new CensusFileError(`${where}: point ${x}, ${y} is not longitude and latitude of a place in Japan`);
    }
  }
}
