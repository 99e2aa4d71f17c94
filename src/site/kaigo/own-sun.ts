import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import { placePlan } from '../charts/shadow-plan.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { surroundings } from '../sunlight/surroundings.ts';
import { type PageAsk, pageLink, textsOf } from '../view.ts';

/** Search radius for the building whose outline contains the position, metres. */
const SEARCH_RADIUS_M = 20;
/** If no building is within this distance, the city model does not cover the place. */
const COVERED_RADIUS_M = 150;

/** The extent of a small map: its corners are 170 m away. */
const MAP = { radiusM: 175, most: 300 } as const;

/** True when the sunlight half has buildings around a place. */
export const isCovered = ({ dataset }: PageAsk, lat: number, lon: number): boolean =>
  dataset.sunlight !== null && dataset.sunlight.near(lat, lon, COVERED_RADIUS_M, 1).toJSON().count > 0;

/** The sun of the building at a facility's position, or that it is unknown. */
export function ownSun(ask: PageAsk, { lat, lon }: Facility): Gap {
  const { sunlight } = ask.dataset;
  const { care, frame } = textsOf(ask);
  if (sunlight === null || lat === null || lon === null || !isCovered(ask, lat, lon)) return null;
  const [nearest] = sunlight.near(lat, lon, SEARCH_RADIUS_M, 1).toJSON().buildings;
  const best = nearest?.distance_m === 0 ? nearest.december_top_best : null;
  const map = smallMap(ask, sunlight, lat, lon);
  if (nearest === undefined || best === null) return html`<h2>${care.sunHeading}</h2><p>${care.sunUnknown}</p>${map}`;
  return html`<h2>${care.sunHeading}</h2><p>${care.sunLead(frame.hoursExact(best.direct_sun_hours), care.inside)} <a href="${pageLink(ask, `/sunlight/building/${nearest.building_id}/`)}">${care.sunLink}</a></p>${map}`;
}

/** The same in one line, for paper; empty when the building is unknown. */
export function sunLine({ dataset: { sunlight }, language }: PageAsk, { lat, lon }: Facility): Gap {
  const { care, frame } = textsOf({ language });
  if (sunlight === null || lat === null || lon === null) return null;
  const [nearest] = sunlight.near(lat, lon, SEARCH_RADIUS_M, 1).toJSON().buildings;
  const best = nearest?.distance_m === 0 ? nearest.december_top_best : null;
  if (best === null) return null;
  return html`<p>${care.sunHeading}: ${care.sunLead(frame.hoursExact(best.direct_sun_hours), care.inside)}</p>`;
}

/** The place of the facility: the surrounding buildings from above, in the colours of their sun. */
function smallMap(ask: PageAsk, sunlight: SunlightAnswers, lat: number, lon: number): Html {
  const { care, frame, map, sunlight: words } = textsOf(ask);
  const plan = placePlan(surroundings(sunlight, lat, lon, MAP), {
    title: care.mapTitle,
    description: care.mapDescription,
    north: words.north,
    metres: frame.metres,
  });
  const open =
    ask.dataset.map === null
      ? null
      : html` <a class="no-print" href="${pageLink(ask, `/map/#18/${lat}/${lon}`)}">${care.mapLink}</a>`;
  return html`<figure class="small">${plan}<figcaption>${care.mapTitle} (${map.legend})${open}</figcaption></figure>`;
}
