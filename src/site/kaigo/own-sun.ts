import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import { placePlan } from '../charts/plans.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { surroundings } from '../sunlight/surroundings.ts';
import { type PageAsk, pageLink, textsOf } from '../view.ts';
import { homesPlan } from './homes-plan.ts';
import { HOMES } from './services.ts';

/** Search radius for the building whose outline contains the position, metres. */
const SEARCH_RADIUS_M = 20;
/** If no building is within this distance, the city model does not cover the place. */
const COVERED_RADIUS_M = 150;

/** The extent of a small map: its corners are 170 m away. */
const MAP = { radiusM: 175, most: 300 } as const;

/** True when the sunlight half has buildings around a place. */
export const isCovered = ({ dataset }: PageAsk, lat: number, lon: number): boolean =>
  dataset.sunlight !== null && dataset.sunlight.near(lat, lon, COVERED_RADIUS_M, 1).toJSON().count > 0;

/** The sun of the building at a facility's position, or that it is unknown. Outside the city model: the homes around it. */
export function ownSun(ask: PageAsk, facility: Facility): Gap {
  const { lat, lon } = facility;
  const { sunlight } = ask.dataset;
  const { care, frame } = textsOf(ask);
  if (lat === null || lon === null) return null;
  if (sunlight === null || !isCovered(ask, lat, lon)) return homesAround(ask, { ...facility, lat, lon });
  const [nearest] = sunlight.near(lat, lon, SEARCH_RADIUS_M, 1).toJSON().buildings;
  const best = nearest?.distance_m === 0 ? nearest.december_top_best : null;
  const map = smallMap(ask, sunlight, lat, lon);
  if (nearest === undefined || best === null) return html`<h2>${care.sunHeading}</h2><p>${care.sunUnknown}</p>${map}`;
  return html`<h2>${care.sunHeading}</h2><p>${care.sunLead(frame.hoursExact(best.direct_sun_hours), care.inside)} <a href="${pageLink(ask, `/sunlight/building/${nearest.building_id}/`)}">${care.sunLink}</a></p>${map}`;
}

/** Other homes on the plan of one. */
const AROUND = { radiusM: 3000, most: 9 } as const;

/** A home outside the city model: a plan with the nearest other homes, and the way to a map of the country. */
function homesAround(ask: PageAsk, { facility_id: own, lat, lon }: Facility & { lat: number; lon: number }): Gap {
  const { care } = textsOf(ask);
  const near = ask.dataset.kaigo?.near(lat, lon, AROUND.radiusM, HOMES, AROUND.most).toJSON().facilities ?? [];
  const others = near.filter(({ facility_id }) => facility_id !== own);
  const items = others.map(
    ({ facility_id, name, distance_m }) =>
      html`<li id="home-${facility_id}"><a href="${pageLink(ask, `/kaigo/facility/${facility_id}/`)}"><bdi>${name}</bdi></a> <span class="quiet nowrap">${textsOf(ask).sunlight.careDistance(distance_m)}</span></li>`,
  );
  const country = `https://maps.gsi.go.jp/#17/${lat.toFixed(6)}/${lon.toFixed(6)}/`;
  return html`<div class="no-print"><h2>${care.placeHeading}</h2>${homesPlan(ask, others, { lat, lon })}${items.length === 0 ? null : html`<ol>${items}</ol>`}<p><a rel="nofollow noreferrer" href="${country}">${care.countryMap}</a></p></div>`;
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
