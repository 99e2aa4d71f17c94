import { type CostEstimate, isPartOfBill } from '../../contract/kaigo-cost.ts';
import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import type { LatLon } from '../../geo/degree.ts';
import { LocalPlane } from '../../geo/plane.ts';
import { pinPlan } from '../charts/pin-plan.ts';
import { placePlan } from '../charts/plans.ts';
import { homesMapLink } from '../map/map-page.ts';
import { type Fragment, type Html, html, isolate, unbroken } from '../markup.ts';
import { readable, wardNamed } from '../names.ts';
import { legend } from '../sunlight/building-tables.ts';
import { askedIn } from '../sunlight/choice.ts';
import { type Sight, sightOf } from '../sunlight/sight.ts';
import { surroundings } from '../sunlight/surroundings.ts';
import type { Texts } from '../texts/texts.ts';
import { type PageAsk, pageLink, sentenceGap, textsOf } from '../view.ts';
import { caseIn, caseLink } from './case.ts';
import { type ComparedFigure, monthlyOf } from './money.ts';
import { HOMES } from './services.ts';

/** Radius in which the building whose outline contains a position is searched, metres. */
const SEARCH_RADIUS_M = 20;
/** If no building is within this distance, the city model does not cover the place. */
const COVERED_RADIUS_M = 150;

/** The buildings of a small map: its corners are 170 m from its middle. */
const MAP = { radiusM: 175, most: 300 } as const;

/** True when the sunlight half has buildings around a place. */
export const isCovered = ({ dataset }: PageAsk, lat: number, lon: number): boolean =>
  dataset.sunlight !== null && dataset.sunlight.near(lat, lon, COVERED_RADIUS_M, 1).toJSON().count > 0;

/**
 * The sun of the building at a facility's position, or a note that it is unknown. Outside the city model: the homes
 * around the facility instead. Null when the position is unknown.
 */
export function ownSun(ask: PageAsk, facility: Facility): Fragment {
  const { lat, lon } = facility;
  const { sunlight } = ask.dataset;
  const { care, frame } = textsOf(ask);
  if (lat === null || lon === null) return null;
  if (sunlight === null || !isCovered(ask, lat, lon)) return homesAround(ask, { ...facility, lat, lon });
  const building = buildingAt(sunlight, lat, lon);
  const best = building?.december_top_best ?? null;
  const map = smallMap(ask, sunlight, lat, lon);
  if (building === null || best === null) return html`<h2>${care.sunHeading}</h2><p>${care.sunUnknown}</p>${map}`;
  return html`<h2>${care.sunHeading}</h2><p>${frame.sentences(care.sunLead(frame.hoursExact(best.direct_sun_hours)), care.sunFrom)}${sentenceGap({ frame })}<a href="${pageLink(ask, `/sunlight/building/${building.building_id}/`)}">${care.sunLink}</a></p>${map}`;
}

/** The building whose outline contains a position; null when there is none. */
function buildingAt(sunlight: SunlightAnswers, lat: number, lon: number) {
  const [nearest] = sunlight.near(lat, lon, SEARCH_RADIUS_M, 1).toJSON().buildings;
  return nearest?.distance_m === 0 ? nearest : null;
}

/**
 * What the page of the building at a facility's position shows when it is opened without a choice; null when the
 * building is unknown or has no walls.
 */
export async function sightOfHome(ask: PageAsk, { lat, lon }: Facility): Promise<Sight | null> {
  const { sunlight } = ask.dataset;
  if (sunlight === null || lat === null || lon === null) return null;
  const id = buildingAt(sunlight, lat, lon)?.building_id;
  const building = id === undefined ? undefined : sunlight.full(id)?.toJSON();
  if (building === undefined) return null;
  // Without a wish for a floor, a wall or a day.
  const sight = await sightOf({ ...ask, sunlight }, building, askedIn(new URLSearchParams()));
  // A text explains why the building cannot be shown.
  return typeof sight === 'string' ? null : sight;
}

/** How far from a home others are shown on its plan, metres, and the limit of their number. */
const AROUND = { radiusM: 3000, most: 9 } as const;

/** For a home outside the city model: a plan with the nearest other homes, and a link to the national map. */
function homesAround(ask: PageAsk, { facility_id: own, lat, lon }: Facility & LatLon): Fragment {
  const { care } = textsOf(ask);
  const near =
    ask.dataset.kaigo?.near(lat, lon, AROUND.radiusM, HOMES, AROUND.most, caseIn(ask.query)).toJSON().facilities ?? [];
  const others = near.filter(({ facility_id }) => facility_id !== own);
  const items = others.map(
    ({ facility_id, name, distance_m }) =>
      html`<li id="home-${facility_id}"><a href="${caseLink(ask, `/kaigo/facility/${facility_id}/`)}"><bdi>${name}</bdi></a> <span class="quiet nowrap">${textsOf(ask).sunlight.careDistance(distance_m)}</span></li>`,
  );
  const nationalMap = `https://maps.gsi.go.jp/#17/${lat.toFixed(6)}/${lon.toFixed(6)}/`;
  return html`<div class="no-print"><h2>${care.placeHeading}</h2>
${homesPlan(ask, others, { lat, lon }, { figure: 'typical', service: null })}${items.length === 0 ? null : html`<ol>${items}</ol>`}<p><a rel="nofollow noreferrer" href="${nationalMap}">${care.countryMap}</a></p></div>`;
}

/** The place of the facility: the surrounding buildings from above, in the colours of their sun. */
function smallMap(ask: PageAsk, sunlight: SunlightAnswers, lat: number, lon: number): Html {
  const { care, frame, sunlight: words } = textsOf(ask);
  const plan = placePlan(surroundings(sunlight, lat, lon, MAP), {
    title: care.mapTitle,
    description: care.mapDescription,
    north: words.north,
    metres: frame.metres,
  });
  const mapLink =
    ask.dataset.map === null
      ? null
      : html`${sentenceGap({ frame })}<a class="no-print" href="${homesMapLink(ask, { lat, lon })}">${care.mapLink}</a>`;
  return html`<figure class="small">${plan}<figcaption>${frame.sentences(care.mapTitle, care.mapDescription)}${mapLink}</figcaption></figure><div class="no-print">${legend(ask)}</div>`;
}

/** Limits of the homes and of the names of towns on a plan: more would cover each other. */
const MOST_PINS = 20;
const MOST_NAMES = 14;
/** The reach of a map at zoom 0 that is as wide as a phone, at the latitude of Tokyo, metres. */
const PLAN_METRES_AT_0 = 2.2e7;
/** Minimum distance shown around the middle, metres. */
const LEAST_M = 300;

/** A home of a list, with its position if it is known. */
interface PlacedHome {
  facility_id: string;
  name: string;
  lat: number | null;
  lon: number | null;
  cost_estimate: CostEstimate;
}

/**
 * Homes of a list on a plan, with their numbers in the list and their monthly costs; null when no position is known.
 * @param middle the place around which the homes were searched; null: the plan has no marked middle
 * @param figure the monthly cost on the pins
 * @param service the only service of the list; null: there are several
 */
export function homesPlan(
  ask: PageAsk,
  homes: readonly PlacedHome[],
  middle: LatLon | null,
  { figure, service }: { figure: ComparedFigure; service: string | null },
): Fragment {
  const { care, sunlight } = textsOf(ask);
  const placed = homes.slice(0, MOST_PINS).flatMap((home, i) => {
    const { lat, lon } = home;
    return lat === null || lon === null ? [] : [{ ...home, lat, lon, number: i + 1 }];
  });
  if (placed.length === 0) return null;
  const centre = middle ?? middleOf(placed);
  const plane = new LocalPlane(centre.lat, centre.lon);
  const onPlane = ({ lat, lon }: LatLon): [number, number] => [plane.x(lat, lon), plane.y(lat)];
  const pins = placed.map(({ facility_id, name, number, cost_estimate, ...place }) => {
    // The share of insured care alone would look like a whole bill.
    const monthly = isPartOfBill(cost_estimate) ? null : monthlyOf(cost_estimate);
    const label = monthly === null ? '' : care.yenShort(monthly[figure]);
    return {
      number,
      place: onPlane(place),
      label,
      title: `${isolate(name)} ${label}`,
      href: `#home-${facility_id}`,
    };
  });
  const reach = Math.max(LEAST_M, ...pins.flatMap(({ place }) => place.map(Math.abs)));
  const names = townNames(ask, onPlane, reach);
  const title = pins.some(({ label }) => label !== '') ? care.planTitle(figure) : care.planTitleAlone;
  const words = {
    title,
    description: care.planDescription,
    north: sunlight.north,
    metres: sunlight.careDistance,
  };
  const hasMap = ask.dataset.map !== null && isCovered(ask, centre.lat, centre.lon);
  const zoom = Math.floor(Math.log2(PLAN_METRES_AT_0 / reach));
  const rounded = { lat: Number(centre.lat.toFixed(5)), lon: Number(centre.lon.toFixed(5)) };
  const link = hasMap && homesMapLink(ask, rounded, zoom, service);
  const mapLink = link && html`${sentenceGap(textsOf(ask))}<a href="${link}">${care.mapLink}</a>`;
  const drawn = pinPlan(pins, names, { hasMiddle: middle !== null, leastM: LEAST_M }, words);
  return html`<figure class="no-print">${drawn}<figcaption>${title}${homes.length > MOST_PINS ? html`${sentenceGap(textsOf(ask))}${unbroken(care.planFirst(MOST_PINS))}` : null}${mapLink}</figcaption></figure>`;
}

/**
 * Names of towns on a plan, at most `MOST_NAMES`.
 * @param onPlane metres east and north of the middle of the plan
 * @param reach half the side of the plan, metres
 */
function townNames(ask: PageAsk, onPlane: (place: LatLon) => [number, number], reach: number) {
  const metresTo = (town: LatLon): number => Math.hypot(...onPlane(town));
  const towns = (ask.dataset.sunlight?.towns() ?? [])
    .filter((town) => town.name !== null && onPlane(town).every((metres) => Math.abs(metres) < reach))
    .toSorted((a, b) => metresTo(a) - metresTo(b));
  // Every `step`-th town, so that the names are from all parts of the plan, not only from its middle.
  const step = Math.max(1, Math.ceil(towns.length / MOST_NAMES));
  return towns
    .filter((_, i) => i % step === 0)
    .map((town) => ({
      // In English only the Latin name: Hirakawacho of "Hirakawacho (平河町)".
      name: ask.language === 'en' ? readable(ask, town.name ?? '', town.reading).split(' (')[0] : (town.name ?? ''),
      place: onPlane(town),
    }));
}

/** The middle of the box around some places. */
function middleOf(places: readonly LatLon[]): LatLon {
  const [lats, lons] = [places.map(({ lat }) => lat), places.map(({ lon }) => lon)];
  return {
    lat: (Math.min(...lats) + Math.max(...lats)) / 2,
    lon: (Math.min(...lons) + Math.max(...lons)) / 2,
  };
}

/** The address of a home without its name at the end, which stands beside it. */
export function addressOf({ name, address }: { name: string; address: string | null }): string | null {
  if (address === null || !address.endsWith(name)) return address;
  return address.slice(0, -name.length).trimEnd() || address;
}

/** The hazards at the position, one line each; empty when no layer covers it. */
function hazardFacts({ care, frame }: Texts, { hazards }: Facility): [name: string, text: string][] {
  const facts: [string, string][] = [];
  const { flood = null, landslide = null } = hazards ?? {};
  if (flood !== null) {
    const { from_m, to_m, river, scenario } = flood;
    const text = from_m === null ? care.floodOutside : care.floodDepth(from_m, to_m, river, scenario === 'largest');
    facts.push([care.flood, text]);
  }
  if (landslide !== null) {
    const zones = landslide.map(({ zone, phenomenon, designated }) => {
      const name = `${care.landslideZones[zone] ?? zone} (${care.phenomena[phenomenon] ?? phenomenon})`;
      return designated ? name : `${name} ${care.notDesignated}`;
    });
    facts.push([care.landslide, zones.length === 0 ? care.landslideOutside : frame.list([...new Set(zones)])]);
  }
  return facts;
}

/** The hazards at a facility's position as a section with a heading; when none is known, where to look them up. */
export function hazardSection(texts: Texts, facility: Facility): Fragment {
  const { care } = texts;
  const facts = hazardFacts(texts, facility);
  if (facts.length === 0) {
    return html`<p class="note">${care.hazardsUnknown}${sentenceGap(texts)}<a rel="noreferrer" href="https://disaportal.gsi.go.jp/">${care.hazardPortal}</a></p>`;
  }
  const row = ([name, text]: [string, string]): Html => html`<dt>${name}</dt><dd>${text}</dd>`;
  return html`<h2>${care.hazards}</h2><dl class="facts">${facts.map(row)}</dl><p class="note">${care.hazardNote}</p>`;
}

/** The municipality of a facility for readers of the page; its prefecture when the municipality is unknown. */
export function municipalityOf(
  ask: PageAsk,
  {
    municipality_code: code,
    municipality,
    prefecture,
  }: Pick<Facility, 'municipality_code' | 'municipality' | 'prefecture'>,
): string {
  const name = municipality ?? prefecture;
  return code === null ? name : wardNamed(ask, code, name);
}
