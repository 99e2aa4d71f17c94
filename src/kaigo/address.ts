import { CITIES, municipalityNamed } from './municipalities.ts';
import { tidy } from './text.ts';

/** A cleaned address and what had to be done to it. */
interface CleanAddress {
  /** Null when there was none. */
  address: string | null;
  /** The prefecture or the municipality was put before it. */
  prefixed: boolean;
  /** Its beginning stood there twice. */
  repeated: boolean;
  /** The building's column only repeated what the address says. */
  buildingRepeated: boolean;
}

const DASH_BETWEEN_DIGITS = /(?<=\d)[‐‑‒–—―−－ーｰ](?=\d)/g;
/** A county or an island may stand before a town's name: 石狩郡当別町, 三宅島三宅村. */
const BEFORE_TOWN = /^.{1,5}[郡島]$/;

/**
 * An address that begins with prefecture and municipality, once each, with half-width digits and spaces and with
 * the building behind it. An address in another municipality than the row's keeps its own.
 * @param prefecture of the row's municipality, such as 北海道
 * @param municipality such as 札幌市中央区; empty when not known
 */
export function cleanAddress(
  published: string,
  building: string,
  prefecture: string,
  municipality: string,
): CleanAddress {
  const typed = tidy(published).replace(DASH_BETWEEN_DIGITS, '-');
  const house = tidy(building).replace(DASH_BETWEEN_DIGITS, '-');
  if (typed === '') return { address: null, prefixed: false, repeated: false, buildingRepeated: false };
  const { rest, prefectures, municipalities } = withoutPrefix(typed, prefecture, municipality);
  const elsewhere = municipalities === 0 && namesMunicipality(rest, prefecture, municipality);
  const buildingRepeated = house !== '' && rest.includes(house);
  return {
    address:
      prefecture + (elsewhere ? '' : municipality) + rest + (house === '' || buildingRepeated ? '' : ` ${house}`),
    prefixed: prefectures === 0 || (municipalities === 0 && !elsewhere && municipality !== ''),
    repeated: prefectures > 1 || municipalities > 1,
    buildingRepeated,
  };
}

/** What stands behind prefecture and municipality, and how often each was there. */
function withoutPrefix(address: string, prefecture: string, municipality: string) {
  const ward = CITIES.find(({ name }) => municipality.startsWith(name) && municipality !== name);
  let rest = address;
  let prefectures = 0;
  let municipalities = 0;
  for (let left = rest.length + 1; left > rest.length; ) {
    left = rest.length;
    if (prefecture !== '' && rest.startsWith(prefecture)) {
      rest = rest.slice(prefecture.length).trimStart();
      prefectures++;
    }
    if (municipality !== '' && rest.startsWith(municipality)) {
      rest = rest.slice(municipality.length).trimStart();
      municipalities++;
    }
  }
  const wardName = ward === undefined ? '' : municipality.slice(ward.name.length);
  if (municipalities === 0 && wardName !== '' && rest.startsWith(wardName)) {
    return { rest: rest.slice(wardName.length), prefectures, municipalities };
  }
  return { rest, prefectures, municipalities };
}

/** Whether what follows the prefecture names a municipality by itself: the row's behind a county, or another one. */
function namesMunicipality(rest: string, prefecture: string, municipality: string): boolean {
  const at = municipality === '' ? -1 : rest.indexOf(municipality);
  if (at > 0 && BEFORE_TOWN.test(rest.slice(0, at))) return true;
  for (let end = 2; end <= Math.min(rest.length, 10); end++) {
    const name = rest.slice(0, end);
    if (!/[市区町村]$/.test(name)) continue;
    if (municipalityNamed(prefecture, name) !== undefined) return true;
    if (CITIES.some((city) => city.prefecture === prefecture && city.name === name)) return true;
  }
  return false;
}
