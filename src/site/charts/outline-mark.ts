import { hoursClass } from '../../contract/sunlight-shapes.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import { DEGREE_M } from '../../geo/degree.ts';
import { type Gap, html } from '../markup.ts';
import { at } from './svg.ts';

/** The size of a mark, pixels, with an edge around the outline. */
const SIZE = 30;
const EDGE = 2;
/** A shorter building does not fill the mark: a house looks smaller than a tower, metres. */
const LEAST_M = 20;

/** The outline of a building as a small mark for lists, north up, in the colour of its hours. */
export function outlineMark(sunlight: SunlightAnswers, id: string, hours: number | null | undefined): Gap {
  const rings = (sunlight.footprint(id)?.coordinates ?? []).flat();
  const [lons, lats] = [rings.flat().map(([lon = 0]) => lon), rings.flat().map(([, lat = 0]) => lat)];
  if (lons.length === 0) return null;
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const lonM = DEGREE_M * Math.cos((north * Math.PI) / 180);
  const [wide, high] = [(east - west) * lonM, (north - south) * DEGREE_M];
  const scale = (SIZE - 2 * EDGE) / Math.max(LEAST_M, wide, high);
  const point = ([lon = 0, lat = 0]: readonly number[]): string =>
    `${at(SIZE / 2 + ((lon - west) * lonM - wide / 2) * scale)} ${at(SIZE / 2 + ((north - lat) * DEGREE_M - high / 2) * scale)}`;
  const d = rings.map((ring) => `M${ring.slice(0, -1).map(point).join('L')}z`).join('');
  const colour = hours === null || hours === undefined ? 'unknown' : `h${hoursClass(hours)}`;
  return html`<svg class="outline-mark" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}" aria-hidden="true"><path class="${colour}" fill-rule="evenodd" d="${d}"/></svg>`;
}
