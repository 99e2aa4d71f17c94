import { featureOf, propertiesOf } from '../../contract/geojson.ts';
import { sunlightBulk } from '../../contract/operations/bulk.ts';
import {
  sunlightBuilding,
  sunlightBuildingFull,
  sunlightBuildings,
} from '../../contract/operations/sunlight-building.ts';
import { sunlightBuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { sunlightBuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import {
  sunlightBuildingGeojson,
  sunlightNearGeojson,
  sunlightTownGeojson,
} from '../../contract/operations/sunlight-geojson.ts';
import { sunlightNear, sunlightPoint } from '../../contract/operations/sunlight-position.ts';
import { sunlightTownBuildings, sunlightTowns } from '../../contract/operations/sunlight-towns.ts';
import type { BuildingSummary } from '../../contract/sunlight-shapes.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import { JsonBytes } from '../../formats/json-bytes.ts';
import { bulkDownload } from '../bulk-files.ts';
import { shorten } from '../suggest.ts';
import { absentPage, Computation, Counted, implement, NEAR_LIMIT, PAGE_SIZE } from './implementation.ts';

const TYPE = { type: 'FeatureCollection' } as const;

/** A building that a list of the dataset names, as a feature. */
function feature<Members extends object>(sunlight: SunlightAnswers, summary: BuildingSummary, members: Members) {
  const footprint = sunlight.footprint(summary.building_id);
  if (footprint === null) throw new Error(`${summary.building_id}: in a list, but not in the store`);
  return featureOf(footprint, { ...members, ...propertiesOf(summary) });
}

const absentBuilding = ({ building_id }: { building_id: string }): string =>
  `There is no building ${shorten(building_id)} in this dataset.`;

/** Why there is no such floor; null where there is. */
function absentFloor(sunlight: SunlightAnswers, building_id: string, floor: number): string | null {
  const storeys = sunlight.shape(building_id)?.storeys;
  if (storeys === undefined) return absentBuilding({ building_id });
  if (floor <= storeys) return null;
  return `The building has ${storeys === 1 ? 'one storey' : `${storeys} storeys`}: there is no floor ${floor}.`;
}

function absentFace(sunlight: SunlightAnswers, building_id: string, face: string | undefined): string {
  const faces = [...(sunlight.shape(building_id)?.receptors.keys() ?? [])];
  return `The building has no face ${face}; it has ${faces.join(', ') || 'none'}.`;
}

/** The sunlight half. */
export const SUNLIGHT_HANDLERS = {
  'sunlight-building': implement(sunlightBuilding, {
    find: ({ building_id }, sunlight) => sunlight.summary(building_id),
    absent: absentBuilding,
  }),
  'sunlight-buildings': implement(sunlightBuildings, {
    find({ ids }, sunlight) {
      const { answer, found } = sunlight.summaries([...new Set(ids)]);
      return new Counted(answer, found);
    },
  }),
  'sunlight-building-full': implement(sunlightBuildingFull, {
    find: ({ building_id }, sunlight) => sunlight.full(building_id),
    absent: absentBuilding,
  }),
  'sunlight-building-floor': implement(sunlightBuildingFloor, {
    find: ({ building_id, floor, face = null, date = null, receptors }, sunlight) => {
      const shape = sunlight.shape(building_id);
      if (shape === null || floor > shape.storeys || (face !== null && !shape.receptors.has(face))) return null;
      return Computation.of<'floor'>({ kind: 'floor', buildingId: building_id, floor, face, date, receptors });
    },
    absent: ({ building_id, floor, face }, sunlight) =>
      absentFloor(sunlight, building_id, floor) ?? absentFace(sunlight, building_id, face),
  }),
  'sunlight-building-sky': implement(sunlightBuildingSky, {
    find: ({ building_id, face, floor, receptor }, sunlight) => {
      const shape = sunlight.shape(building_id);
      if (shape === null || floor > shape.storeys || receptor > (shape.receptors.get(face) ?? 0)) return null;
      return Computation.of<'sky'>({ kind: 'sky', buildingId: building_id, face, floor, receptor });
    },
    absent: ({ building_id, face, floor, receptor }, sunlight) => {
      const absent = absentFloor(sunlight, building_id, floor);
      if (absent !== null) return absent;
      const receptors = sunlight.shape(building_id)?.receptors.get(face);
      if (receptors === undefined) return absentFace(sunlight, building_id, face);
      return `Face ${face} has ${receptors === 1 ? 'one receptor' : `${receptors} receptors`}: there is no ${receptor}.`;
    },
  }),
  'sunlight-near': implement(sunlightNear, {
    find: ({ lat, lon, r }, sunlight) => sunlight.near(lat, lon, r, NEAR_LIMIT),
  }),
  'sunlight-town-buildings': implement(sunlightTownBuildings, {
    find: ({ town_code, page }, sunlight) => sunlight.town(town_code, page, PAGE_SIZE),
    absent: ({ town_code, page }, sunlight) =>
      absentPage(`town ${town_code}`, sunlight.townPages(town_code, PAGE_SIZE), page),
  }),
  'sunlight-building-geojson': implement(sunlightBuildingGeojson, {
    find({ building_id }, sunlight) {
      const summary = sunlight.summary(building_id);
      return summary === null ? null : feature(sunlight, summary.toJSON(), {});
    },
    absent: absentBuilding,
  }),
  'sunlight-near-geojson': implement(sunlightNearGeojson, {
    find({ lat, lon, r }, sunlight) {
      const { buildings, ...about } = sunlight.near(lat, lon, r, NEAR_LIMIT).toJSON();
      const features = buildings.map(({ distance_m, ...summary }) => feature(sunlight, summary, { distance_m }));
      return { ...TYPE, ...about, features };
    },
  }),
  'sunlight-town-geojson': implement(sunlightTownGeojson, {
    find({ town_code, page }, sunlight) {
      const town = sunlight.town(town_code, page, PAGE_SIZE);
      if (town === null) return null;
      const { buildings, ...about } = town.toJSON();
      const features = buildings.map((summary) => feature(sunlight, summary, {}));
      return new JsonBytes(Buffer.from(JSON.stringify({ ...TYPE, ...about, features })), about.page_count);
    },
    absent: ({ town_code, page }, sunlight) =>
      absentPage(`town ${town_code}`, sunlight.townPages(town_code, PAGE_SIZE), page),
  }),
  'sunlight-point': implement(sunlightPoint, {
    find: ({ lat, lon, height_m }) => Computation.of<'point'>({ kind: 'point', lat, lon, heightM: height_m }),
  }),
  'sunlight-bulk': implement(sunlightBulk, {
    find: ({ ward_code }, sunlight, context) => bulkDownload(context, 'sunlight', ward_code, sunlight.bulk(ward_code)),
    absent: ({ ward_code }) => `This dataset has no buildings of ward ${ward_code}.`,
  }),
  'sunlight-towns': implement(sunlightTowns, { find: (_, sunlight) => sunlight.towns() }),
};
