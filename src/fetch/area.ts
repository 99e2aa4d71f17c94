import { gridSquareOf } from '../geo/grid-square.ts';

/** A square of land: all within `km` of a place, north, south, east and west. */
export interface Area {
  lat: number;
  lon: number;
  km: number;
}

const KM_PER_DEGREE = 111.2;
const ROWS_PER_DEGREE = 120;
const COLUMNS_PER_DEGREE = 80;

/** Grid squares (8 digits) that the area touches, in order. */
export function gridSquaresOf({ lat, lon, km }: Area): string[] {
  const [dLat, dLon] = [km / KM_PER_DEGREE, km / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180))];
  const [south, north] = [Math.floor((lat - dLat) * ROWS_PER_DEGREE), Math.floor((lat + dLat) * ROWS_PER_DEGREE)];
  const [west, east] = [Math.floor((lon - dLon) * COLUMNS_PER_DEGREE), Math.floor((lon + dLon) * COLUMNS_PER_DEGREE)];
  const codes: string[] = [];
  for (let row = south; row <= north; row++) {
    for (let column = west; column <= east; column++) {
      codes.push(gridSquareOf((row + 0.5) / ROWS_PER_DEGREE, (column + 0.5) / COLUMNS_PER_DEGREE));
    }
  }
  return codes.sort();
}
