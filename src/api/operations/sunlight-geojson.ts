import * as rows from '../../contract/operations/sunlight-geojson.ts';
import type { BuildingSummary } from '../../contract/sunlight-shapes.ts';
import { featureOf, propertiesOf } from '../../dataset/geojson.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import { shorten } from '../echo.ts';
import { implement } from './implementation.ts';
import { absentPage, NEAR_LIMIT, PAGE_SIZE } from './lists.ts';

const TYPE = { type: 'FeatureCollection' } as const;

/** A building that a list of the dataset names, as a feature. */
function feature<Members extends object>(sunlight: SunlightAnswers, summary: BuildingSummary, members: Members) {
  const footprint = sunlight.footprint(summary.building_id);
  if (footprint === null) throw new Error(`${summary.building_id}: in a list, but not in the store`);
  return featureOf(footprint, { ...members, ...propertiesOf(summary) });
}

export const sunlightBuildingGeojson = implement(rows.sunlightBuildingGeojson, {
  find({ building_id }, sunlight) {
    const summary = sunlight.summary(building_id);
    return summary === null ? null : feature(sunlight, summary.toJSON(), {});
  },
  absent: ({ building_id }) => `There is no building ${shorten(building_id)} in this dataset.`,
});

export const sunlightNearGeojson = implement(rows.sunlightNearGeojson, {
  find({ lat, lon, r }, sunlight) {
    const { buildings, ...about } = sunlight.near(lat, lon, r, NEAR_LIMIT).toJSON();
    const features = buildings.map(({ distance_m, ...summary }) => feature(sunlight, summary, { distance_m }));
    return { ...TYPE, ...about, features };
  },
});

export const sunlightTownGeojson = implement(rows.sunlightTownGeojson, {
  find({ town_code, page }, sunlight) {
    const town = sunlight.town(town_code, page, PAGE_SIZE);
    if (town === null) return null;
    const { buildings, ...about } = town.toJSON();
    return { ...TYPE, ...about, features: buildings.map((summary) => feature(sunlight, summary, {})) };
  },
  absent: ({ town_code, page }, sunlight) =>
    absentPage(`town ${town_code}`, sunlight.townPages(town_code, PAGE_SIZE), page),
});
