import type { ComparisonTwin } from './view.ts';

/** Limit of the compared buildings or flats, and of homes. */
export const MOST_FLATS = 4;
export const MOST_HOMES = 4;

/** A building or a flat in the URL of a comparison: ID, floor, wall. */
export const FLAT = /^(\d{5}-bldg-\d+)(?::(\d{1,3}))?(?::(N|NE|E|SE|S|SW|W|NW))?$/;
const HOME = /^\d{2}[0-9A-Z]\d{7}$/;

/** The API call about a building or one of its floors. */
export const flatCall: ComparisonTwin['partOf'] = (entry) => {
  const [, building_id, floor, face] = FLAT.exec(entry) ?? [];
  if (building_id === undefined) return null;
  const own: [string, string] = ['building_id', building_id];
  if (floor === undefined) return { operationId: 'sunlight-building-full', path: [own], query: [] };
  const query: [string, string][] = face === undefined ? [] : [['face', face]];
  return { operationId: 'sunlight-building-floor', path: [own, ['floor', floor]], query };
};

/** The API call about a home. */
export const homeCall: ComparisonTwin['partOf'] = (entry) =>
  HOME.test(entry) ? { operationId: 'kaigo-facility', path: [['facility_id', entry]], query: [] } : null;
