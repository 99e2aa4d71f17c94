import type { BuildingsNear } from '../../contract/operations/sunlight-position.ts';
import type { PageAsk } from '../view.ts';

/** Where a map begins, and what lies there. */
export interface MapPlace {
  /** Around everything that can be shown, degrees. */
  bounds: [west: number, south: number, east: number, north: number];
  view: { lat: number; lon: number; zoom: number };
  /** Up to 50 buildings, the nearest first. */
  near: BuildingsNear['buildings'];
}

const RADIUS_M = 200;
const MOST = 50;
/** With a place asked for, buildings; without, the district, or nearer where nothing would be drawn of it. */
const ZOOMS = { place: 16.5, district: 13.3 } as const;

/** The place that an address asks for by `lat` and `lon`, else the middle of the data; null where one of them is missing. */
export function mapPlace({ dataset, query }: PageAsk): MapPlace | null {
  const bounds = dataset.map?.bounds ?? [122, 20, 154, 46];
  const [askedLat, askedLon] = [query.get('lat'), query.get('lon')];
  if ((askedLat === null) !== (askedLon === null)) return null;
  const isAsked = askedLat !== null;
  const lat = isAsked ? Number(askedLat) : (bounds[1] + bounds[3]) / 2;
  const lon = isAsked ? Number(askedLon) : (bounds[0] + bounds[2]) / 2;
  const near = dataset.sunlight?.near(lat, lon, RADIUS_M, MOST).toJSON().buildings ?? [];
  const district = Math.max(ZOOMS.district, dataset.map?.leastZoom ?? 0);
  return { bounds, view: { lat, lon, zoom: isAsked ? ZOOMS.place : district }, near };
}
