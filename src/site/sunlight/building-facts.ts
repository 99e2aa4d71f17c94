import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { type PageAsk, pageLink, textsOf } from '../view.ts';

/** What is known of the building, and how good it is. */
export function factsOf(ask: PageAsk, building: BuildingFull): Html {
  const { frame, sunlight } = textsOf(ask);
  const { usage, quality, storeys, town_code } = building;
  const through = ask.dataset.manifest.halves.sunlight?.data_through ?? null;
  const town =
    town_code === null
      ? null
      : html`<a href="${pageLink(ask, `/sunlight/town/${town_code}/`)}">${building.town_name ?? town_code}</a>`;
  const facts: [string, Gap][] = [
    [sunlight.factTown, town],
    [sunlight.factUsage, usage === null ? null : (sunlight.usage[usage] ?? usage)],
    [sunlight.factMeasured, building.measured_height_m === null ? null : frame.metres(building.measured_height_m)],
    [sunlight.factStoreys, `${storeys}${building.storeys_estimated ? ` (${sunlight.noEstimatedStorey})` : ''}`],
    [sunlight.factAnnual, building.annual_mean_hours === null ? null : frame.hoursExact(building.annual_mean_hours)],
    [sunlight.factPosition, `${building.lat.toFixed(6)}, ${building.lon.toFixed(6)}`],
    [sunlight.factLod, sunlight.lod(quality.lod)],
    [sunlight.factSurroundings, sunlight.surroundings[quality.surroundings] ?? quality.surroundings],
    [sunlight.factSurveyed, quality.surveyed_on],
    [sunlight.factSource, sunlight.heightSource[quality.height_source] ?? quality.height_source],
    [sunlight.factYear, html`${through ?? frame.dataUndated}<br><small>${sunlight.builtAfter}</small>`],
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt>${value === null ? html`<dd class="unknown">${frame.unknown}</dd>` : html`<dd>${value}</dd>`}`)}</dl>`;
}

interface NearbyCare {
  facilities: { facility_id: string; name: string; distance_m: number }[];
}

const CARE_RADIUS_M = 300;
const CARE_SHOWN = 6;

/** Care services here and around. Empty where the dataset has no care half. */
export function careNearby(ask: PageAsk, { lat, lon }: BuildingFull): Gap {
  const { kaigo } = ask.dataset;
  if (kaigo === null) return null;
  const { sunlight } = textsOf(ask);
  const { facilities } = kaigo.near(lat, lon, CARE_RADIUS_M, null, CARE_SHOWN) as NearbyCare;
  const items = facilities.map(
    ({ facility_id, name, distance_m }) =>
      html`<li><a href="${pageLink(ask, `/kaigo/facility/${facility_id}/`)}">${name}</a> <span class="quiet">${sunlight.careDistance(distance_m)}</span></li>`,
  );
  return html`<h2>${sunlight.careHeading}</h2>${items.length === 0 ? html`<p>${sunlight.careNone}</p>` : html`<ul class="plain">${items}</ul>`}`;
}
