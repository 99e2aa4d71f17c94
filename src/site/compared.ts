import { DIRECTIONS } from '../geo/compass.ts';
import type { ComparisonTwin } from './view.ts';

/** Limits of a comparison: its buildings or flats, and its homes. */
export const MOST_FLATS = 4;
export const MOST_HOMES = 4;

/** An entry for a building or a flat in the URL of a comparison: its ID, then its floor and its wall if known. */
export const FLAT_ENTRY = new RegExp(`^(\\d{5}-bldg-\\d+)(?::(\\d{1,3}))?(?::(${DIRECTIONS.join('|')}))?$`);
const HOME = /^\d{2}[0-9A-Z]\d{7}$/;

/** The API call for an entry of a comparison: about a building, or about one of its floors; null for another text. */
export const flatCall: ComparisonTwin['callOf'] = (entry) => {
  const [, building_id, floor, face] = FLAT_ENTRY.exec(entry) ?? [];
  if (building_id === undefined) return null;
  const building: [string, string] = ['building_id', building_id];
  if (floor === undefined) return { operationId: 'sunlight-building-full', path: [building], query: [] };
  const query: [string, string][] = face === undefined ? [] : [['face', face]];
  return { operationId: 'sunlight-building-floor', path: [building, ['floor', floor]], query };
};

/** The API call for an entry of a comparison of homes; null when it is no office number. */
export const homeCall: ComparisonTwin['callOf'] = (entry) =>
  HOME.test(entry) ? { operationId: 'kaigo-facility', path: [['facility_id', entry]], query: [] } : null;
