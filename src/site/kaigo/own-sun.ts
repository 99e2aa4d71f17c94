import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import { type Gap, html } from '../markup.ts';
import { type PageAsk, pageLink, textsOf } from '../view.ts';

/** A position counts as the building's when it lies within the outline. */
const SEARCH_RADIUS_M = 20;
/** Where the sunlight half can be asked, degrees. */
const TOKYO = { south: 35.4, north: 35.9, west: 139.5, east: 140 };

/** The sun of the building that a facility's position lies in; says so where it cannot be told. */
export function ownSun(ask: PageAsk, { lat, lon }: Facility): Gap {
  const { sunlight } = ask.dataset;
  const { care, frame } = textsOf(ask);
  if (sunlight === null || lat === null || lon === null) return null;
  const { south, north, west, east } = TOKYO;
  if (lat < south || lat > north || lon < west || lon > east) return null;
  const [nearest] = sunlight.near(lat, lon, SEARCH_RADIUS_M, 1).toJSON().buildings;
  const best = nearest?.distance_m === 0 ? nearest.december_top_best : null;
  if (nearest === undefined || best === null) return html`<h2>${care.sunHeading}</h2><p>${care.sunUnknown}</p>`;
  return html`<h2>${care.sunHeading}</h2><p>${care.sunLead(frame.hoursExact(best.direct_sun_hours), care.inside)} <a href="${pageLink(ask, `/sunlight/building/${nearest.building_id}/`)}">${care.sunLink}</a></p>`;
}
