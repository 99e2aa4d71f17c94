import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import { serviceName } from '../kaigo/services.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { townNamed } from '../names.ts';
import { type PageAsk, pageLink, textsOf } from '../view.ts';

/** The town of a building, as its headings name it. */
export const placeOf = (
  ask: PageAsk,
  { town_code, town_name }: Pick<BuildingFull, 'town_code' | 'town_name'>,
): string =>
  town_code === null || town_name === null ? textsOf(ask).sunlight.unknownTown : townNamed(ask, town_code, town_name);

/** What is known of the building, and how good it is. */
export function factsOf(ask: PageAsk, building: BuildingFull): Html {
  const { frame, sunlight } = textsOf(ask);
  const { usage, quality, storeys, town_code } = building;
  // The first source of the half is the city model.
  const date = ask.dataset.manifest.halves.sunlight?.sources[0]?.date ?? null;
  const town =
    town_code === null
      ? null
      : html`<a href="${pageLink(ask, `/sunlight/town/${town_code}/`)}">${townNamed(ask, town_code, building.town_name)}</a>`;
  const facts: [string, Gap][] = [
    [sunlight.factTown, town],
    [sunlight.factUsage, usage === null ? null : (sunlight.usage[usage] ?? usage)],
    [sunlight.factMeasured, building.measured_height_m === null ? null : frame.metres(building.measured_height_m)],
    [sunlight.factStoreys, building.storeys_estimated ? sunlight.storeysEstimated(storeys) : storeys],
    [sunlight.factAnnual, building.annual_mean_hours === null ? null : frame.hoursExact(building.annual_mean_hours)],
    [sunlight.factPosition, `${building.lat.toFixed(6)}, ${building.lon.toFixed(6)}`],
    [sunlight.factLod, sunlight.lod(quality.lod)],
    [sunlight.factSurroundings, sunlight.surroundings[quality.surroundings] ?? quality.surroundings],
    [sunlight.factSurveyed, quality.surveyed_on],
    [sunlight.factSource, sunlight.heightSource[quality.height_source] ?? quality.height_source],
    [sunlight.factYear, html`${date ?? frame.dataUndated}<br><small>${sunlight.builtAfter}</small>`],
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt>${value === null ? html`<dd class="unknown">${frame.unknown}</dd>` : html`<dd>${value}</dd>`}`)}</dl>`;
}

const CARE_RADIUS_M = 1000;
const CARE_SHOWN = 6;

/** Care services around a place. Empty where the dataset has no care half. */
export function careNearby(ask: PageAsk, { lat, lon }: { lat: number; lon: number }): Gap {
  const { kaigo } = ask.dataset;
  if (kaigo === null) return null;
  const { sunlight } = textsOf(ask);
  const { facilities } = kaigo.near(lat, lon, CARE_RADIUS_M, null, CARE_SHOWN);
  const items = facilities.map(
    ({ facility_id, name, distance_m, service_codes }) =>
      html`<li><a href="${pageLink(ask, `/kaigo/facility/${facility_id}/`)}">${name}</a> <span class="quiet">${serviceName(service_codes[0], ask.language)} · ${sunlight.careDistance(distance_m)}</span></li>`,
  );
  return html`<h2>${sunlight.careHeading}</h2>${items.length === 0 ? html`<p>${sunlight.careNone}</p>` : html`<ul class="plain">${items}</ul>`}<p><a href="${pageLink(ask, '/kaigo/')}">${textsOf(ask).prose.browseCare}</a></p>`;
}
