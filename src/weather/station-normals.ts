import { japaneseDecoder } from '../census/shapefile.ts';
import { hoursOfTenths, MONTHS, NormalsFileError, numberOf, type PlacedNormal } from './normals-file.ts';

/**
 * JMA's normals of stations (平年値ダウンロード): a file without header for each station, `nml_sfc_m_47662.csv` of a surface station or
 * `nml_amd_m_44132.csv` of AMeDAS, and a list of stations with their places. The columns of a row: kind of normal, station,
 * element, years of data, first and last year, then value and remark of January to December and of the year.
 */
const SUNSHINE_ELEMENT = '3500';
const FIRST_VALUE = 6;
const CELLS = FIRST_VALUE + 2 * (MONTHS + 1);
/** Remarks of a normal that may be used: 8 normal, 6 normal and never observed. 7 and 5 are for reference; 0: no normal. */
const USABLE = ['8', '6'];

/** The number of the station in the name of a file of monthly normals; null: another file. */
export const stationOfFile = (name: string): string | null => /nml_(?:sfc|amd)_m_(\d+)\.csv$/i.exec(name)?.[1] ?? null;

/** True for a file of JMA's archives of normals: of months or of other spans, of stations or of regions. */
export const isStationFile = (name: string): boolean =>
  /(?:^|\/)(?:normal_(?:surface|amedas)[^/]*\/.*|nml_[^/]+)\.csv$/i.test(name);

export const isStationList = (name: string): boolean => /(?:surface|amedas)_station_index\.csv$/i.test(name);

/**
 * The hours of sunshine of a station by month; null when it has no usable normal of sunshine.
 * @throws NormalsFileError, CensusFileError for an unknown encoding
 */
export function readStationNormals(bytes: Uint8Array, file: string): number[] | null {
  const rows = rowsOf(bytes, file);
  const line = rows.findIndex((cells) => cells[2] === SUNSHINE_ELEMENT);
  if (line < 0) {
    if (rows.some((cells) => /^\d{4}$/.test(cells[2] ?? ''))) return null;
    throw new NormalsFileError(
      `${file}: has no elements; expected rows such as 11,47662,${SUNSHINE_ELEMENT},30,1991,2020,1926,8,…`,
    );
  }
  const cells = rows[line];
  const at = `${file}:${line + 1}`;
  if (cells.length < CELLS)
    throw new NormalsFileError(
      `${at}: has ${cells.length} cells; expected ${CELLS}: value and remark of twelve months and the year`,
    );
  const values = Array.from({ length: MONTHS + 1 }, (_, i) => numberOf(cells[FIRST_VALUE + 2 * i]));
  const remarks = Array.from({ length: MONTHS + 1 }, (_, i) => cells[FIRST_VALUE + 2 * i + 1]);
  if (remarks.some((remark) => !USABLE.includes(remark))) return null;
  return hoursOfTenths(values.slice(0, MONTHS), values[MONTHS], at);
}

/**
 * The places of stations by number: of `surface_station_index.csv` or `amedas_station_index.csv` (two lines of header; degrees and
 * minutes in columns 5 to 8).
 * @throws NormalsFileError, CensusFileError for an unknown encoding
 */
export function readStationList(bytes: Uint8Array, file: string): Map<string, Pick<PlacedNormal, 'lat' | 'lon'>> {
  const places = new Map<string, Pick<PlacedNormal, 'lat' | 'lon'>>();
  for (const [index, cells] of rowsOf(bytes, file).entries()) {
    if (!/^\d+$/.test(cells[0])) continue;
    const [latDeg, latMin, lonDeg, lonMin] = cells.slice(4, 8).map(numberOf);
    const [lat, lon] = [latDeg + latMin / 60, lonDeg + lonMin / 60];
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180))
      throw new NormalsFileError(
        `${file}:${index + 1}: the place of station ${cells[0]} is "${cells.slice(4, 8).join(' ')}"; expected degrees and minutes of latitude and longitude`,
      );
    places.set(cells[0], { lat, lon });
  }
  if (places.size > 0) return places;
  throw new NormalsFileError(`${file}: has no stations; expected rows of number, names, latitude and longitude`);
}

const rowsOf = (bytes: Uint8Array, file: string): string[][] =>
  japaneseDecoder(bytes, file)
    .decode(bytes)
    .split(/\r?\n/)
    .map((line) =>
      line.split(',').map((cell) =>
        cell
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .trim(),
      ),
    );
