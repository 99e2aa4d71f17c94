import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import { type Gap, html } from '../markup.ts';
import { type PageAsk, pageLink, textsOf } from '../view.ts';

/** A position counts as the building's when it lies within the outline. */
const SEARCH_RADIUS_M = 20;
/** Where no building is as near as this, the city model does not cover the place. */
const COVERED_RADIUS_M = 150;

/** Whether the sunlight half has buildings around a place. */
export const isCovered = ({ dataset }: PageAsk, lat: number, lon: number): boolean =>
  dataset.sunlight !== null && dataset.sunlight.near(lat, lon, COVERED_RADIUS_M, 1).toJSON().count > 0;

/** The sun of the building that a facility's position lies in; says so where it is not known. */
export function ownSun(ask: PageAsk, { lat, lon }: Facility): Gap {
  const { sunlight } = ask.dataset;
  const { care, frame } = textsOf(ask);
  if (sunlight === null || lat === null || lon === null || !isCovered(ask, lat, lon)) return null;
  const [nearest] = sunlight.near(lat, lon, SEARCH_RADIUS_M, 1).toJSON().buildings;
  const best = nearest?.distance_m === 0 ? nearest.december_top_best : null;
  if (nearest === undefined || best === null) return html`<h2>${care.sunHeading}</h2><p>${care.sunUnknown}</p>`;
  return html`<h2>${care.sunHeading}</h2><p>${care.sunLead(frame.hoursExact(best.direct_sun_hours), care.inside)} <a href="${pageLink(ask, `/sunlight/building/${nearest.building_id}/`)}">${care.sunLink}</a></p>`;
}
