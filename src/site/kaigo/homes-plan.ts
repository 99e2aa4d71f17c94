import { type CostEstimate, isPartOfBill } from '../../contract/kaigo-cost.ts';
import { LocalPlane } from '../../geo/plane.ts';
import { pinPlan } from '../charts/pin-plan.ts';
import { type Gap, html, isolate } from '../markup.ts';
import { readable } from '../names.ts';
import { type PageAsk, textsOf } from '../view.ts';
import { monthlyOf } from './money.ts';

/** Limit of the homes on a plan: more pins would cover each other. */
const MOST_PINS = 20;
const MOST_NAMES = 14;
/** Minimum distance shown around the middle, metres. */
const LEAST_M = 300;

interface PlacedHome {
  facility_id: string;
  name: string;
  lat: number | null;
  lon: number | null;
  cost_estimate: CostEstimate;
}

/**
 * Homes of a list on a plan, with their numbers in the list and their monthly costs; nothing when no position is known.
 */
export function homesPlan(
  ask: PageAsk,
  homes: readonly PlacedHome[],
  middle: { lat: number; lon: number } | null,
): Gap {
  const { care, sunlight } = textsOf(ask);
  const placed = homes.slice(0, MOST_PINS).flatMap((home, i) => {
    const { lat, lon } = home;
    return lat === null || lon === null ? [] : [{ ...home, lat, lon, number: i + 1 }];
  });
  if (placed.length === 0) return null;
  const centre = middle ?? middleOf(placed);
  const plane = new LocalPlane(centre.lat, centre.lon);
  const placeOf = ({ lat, lon }: { lat: number; lon: number }): [number, number] => [plane.x(lat, lon), plane.y(lat)];
  const metresTo = (town: { lat: number; lon: number }): number => Math.hypot(...placeOf(town));
  const pins = placed.map(({ facility_id, name, number, cost_estimate, ...place }) => {
    // The share of insured care alone would look like a whole bill.
    const monthly = isPartOfBill(cost_estimate) ? null : monthlyOf(cost_estimate);
    const label = monthly === null ? '' : care.yenShort(monthly.typical);
    return {
      number,
      place: placeOf(place),
      label,
      title: `${isolate(name)} ${label}`,
      href: `#home-${facility_id}`,
    };
  });
  const reach = Math.max(LEAST_M, ...pins.flatMap(({ place }) => place.map(Math.abs)));
  const towns = (ask.dataset.sunlight?.towns() ?? [])
    .filter((town) => town.name !== null && placeOf(town).every((metres) => Math.abs(metres) < reach))
    .toSorted((a, b) => metresTo(a) - metresTo(b));
  // Towns from all parts of the plan, not only of its middle.
  const every = Math.max(1, Math.ceil(towns.length / MOST_NAMES));
  const names = towns
    .filter((_, i) => i % every === 0)
    .map((town) => ({
      name: ask.language === 'en' ? readable(ask, town.name ?? '', town.reading).split(' (')[0] : (town.name ?? ''),
      place: placeOf(town),
    }));
  const title = pins.some(({ label }) => label !== '') ? care.planTitle : care.planTitleAlone;
  const words = {
    title,
    description: care.planDescription,
    north: sunlight.north,
    metres: sunlight.careDistance,
  };
  const drawn = pinPlan(pins, names, { hasMiddle: middle !== null, leastM: LEAST_M }, words);
  return html`<figure class="no-print">${drawn}<figcaption>${title}${homes.length > MOST_PINS ? ` ${care.planFirst(MOST_PINS)}` : null}</figcaption></figure>`;
}

function middleOf(places: readonly { lat: number; lon: number }[]): { lat: number; lon: number } {
  const [lats, lons] = [places.map(({ lat }) => lat), places.map(({ lon }) => lon)];
  return {
    lat: (Math.min(...lats) + Math.max(...lats)) / 2,
    lon: (Math.min(...lons) + Math.max(...lons)) / 2,
  };
}
