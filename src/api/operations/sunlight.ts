import type { Demand } from '../../compute/on-demand/on-demand.ts';
import { featureOf, propertiesOf } from '../../contract/geojson.ts';
import { sunlightBulk } from '../../contract/operations/bulk.ts';
import {
  sunlightBuilding,
  sunlightBuildingFull,
  sunlightBuildings,
} from '../../contract/operations/sunlight-building.ts';
import { sunlightBuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { sunlightBuildingRoof } from '../../contract/operations/sunlight-building-roof.ts';
import { sunlightBuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import {
  sunlightBuildingGeojson,
  sunlightNearGeojson,
  sunlightTownGeojson,
} from '../../contract/operations/sunlight-geojson.ts';
import { sunlightNear, sunlightPoint } from '../../contract/operations/sunlight-position.ts';
import { sunlightShadow } from '../../contract/operations/sunlight-shadow.ts';
import {
  sunlightTownBuildings,
  sunlightTowns,
  sunlightWardBuildings,
} from '../../contract/operations/sunlight-towns.ts';
import { sunlightWhatIf } from '../../contract/operations/sunlight-what-if.ts';
import { absent, compute, found, foundOr, refused } from '../../contract/outcome.ts';
import { PAGE_SIZE, type ValuesOf } from '../../contract/parameter.ts';
import type { BuildingSummary } from '../../contract/sunlight-shapes.ts';
import type { BuildingShape, SunlightAnswers } from '../../dataset/sunlight.ts';
import { JsonBytes } from '../../formats/json-bytes.ts';
import { plannedOf, shadowOutcome, tooFarFrom } from '../../site/sunlight/planned.ts';
import { bulkDownload } from '../bulk-files.ts';
import { shorten } from '../suggest.ts';
import { absentPage, implement, NEAR_LIMIT } from './implement.ts';

type BalconyValues = Pick<
  ValuesOf<(typeof sunlightBuildingFloor)['parameters']>,
  'overhang' | 'overhang_height' | 'side' | 'side_distance' | 'setback'
>;

/** The member that makes an object a list of features (RFC 7946). */
const FEATURE_COLLECTION = { type: 'FeatureCollection' } as const;

/** A building of a list as a GeoJSON feature. */
function feature<Members extends object>(sunlight: SunlightAnswers, summary: BuildingSummary, members: Members) {
  const footprint = sunlight.footprint(summary.building_id);
  if (footprint === null) throw new Error(`${summary.building_id}: in a list, but not in the store`);
  return featureOf(footprint, { ...members, ...propertiesOf(summary) });
}

const noBuilding = (buildingId: string): string => `There is no building ${shorten(buildingId)} in this dataset.`;

/**
 * Why a building does not have this floor, or is too low for its storeys; null when it has the floor.
 * @param changeable the parameters of the building's shape in the request
 */
function noFloor(
  { storeys, heightM, storeysFit }: BuildingShape,
  floor: number,
  changeable = 'storeys or height_m',
): string | null {
  const storeyText = storeys === 1 ? 'one storey' : `${storeys} storeys`;
  if (!storeysFit)
    return `The building is ${heightM.toFixed(1)} m high, which is too low for ${storeyText}: change ${changeable}.`;
  return floor <= storeys ? null : `The building has ${storeyText}: there is no floor ${floor}.`;
}

/** The balcony of a request, metres; undefined when it has none. The defaults are those that the contract describes. */
function balconyOf({
  overhang = 0,
  overhang_height,
  side = 0,
  side_distance = 3,
  setback = 0,
}: BalconyValues): Extract<Demand, { kind: 'floor' }>['balcony'] {
  if (overhang === 0 && side === 0 && setback === 0) return undefined;
  return {
    overhangM: overhang,
    overhangHeightM: overhang_height ?? null,
    sideM: side,
    sideDistanceM: side_distance,
    setbackM: setback,
  };
}

/** The faces of a building as a list in words. */
const facesOf = ({ faces }: BuildingShape): string => faces.map(({ face }) => face).join(', ') || 'none';

const noFace = (face: string, shape: BuildingShape): string =>
  `The building has no face ${face} and none within 67.5° of it; it has ${facesOf(shape)}.`;

const noTownPage = (sunlight: SunlightAnswers, townCode: string, page: number): string =>
  absentPage(`town ${townCode}`, sunlight.townPages(townCode, PAGE_SIZE), page);

/** The handlers of the sunlight half. */
export const SUNLIGHT_HANDLERS = {
  'sunlight-building': implement(sunlightBuilding, ({ building_id }, sunlight) =>
    foundOr(sunlight.summary(building_id), () => noBuilding(building_id)),
  ),
  'sunlight-buildings': implement(sunlightBuildings, ({ ids }, sunlight) => {
    const { answer, found: results } = sunlight.summaries([...new Set(ids)]);
    return { ...found(answer), results };
  }),
  'sunlight-building-full': implement(sunlightBuildingFull, ({ building_id }, sunlight) =>
    foundOr(sunlight.full(building_id), () => noBuilding(building_id)),
  ),
  'sunlight-building-floor': implement(
    sunlightBuildingFloor,
    (
      { building_id, floor, face: askedFace, storeys, height_m, date, month, receptors, interval, ...balcony },
      sunlight,
    ) => {
      const assumed = { storeys, heightM: height_m };
      const shape = sunlight.shape(building_id, assumed);
      if (shape === null) return absent(noBuilding(building_id));
      const floorProblem = noFloor(shape, floor);
      if (floorProblem !== null) return absent(floorProblem);
      // The face asked for, or the nearest one; undefined: all faces.
      const nearestFace = askedFace && shape.towards(askedFace);
      if (nearestFace === null) return absent(noFace(String(askedFace), shape));
      return compute({
        kind: 'floor',
        buildingId: building_id,
        floor,
        face: nearestFace?.face,
        askedFace,
        ...assumed,
        dates: date,
        month,
        receptors,
        interval,
        balcony: balconyOf(balcony),
      });
    },
  ),
  'sunlight-building-sky': implement(
    sunlightBuildingSky,
    ({ building_id, face: askedFace, floor, receptor, format, storeys, height_m, ...balcony }, sunlight) => {
      const assumed = { storeys, heightM: height_m };
      const shape = sunlight.shape(building_id, assumed);
      if (shape === null) return absent(noBuilding(building_id));
      const floorProblem = noFloor(shape, floor);
      if (floorProblem !== null) return absent(floorProblem);
      const nearestFace = shape.towards(askedFace);
      if (nearestFace === null) return absent(noFace(askedFace, shape));
      const { face, receptors } = nearestFace;
      if (receptor > receptors) {
        const receptorText = receptors === 1 ? 'one receptor' : `${receptors} receptors`;
        return absent(`Face ${face} has ${receptorText}: there is no ${receptor}.`);
      }
      return compute({
        kind: 'sky',
        buildingId: building_id,
        face,
        askedFace,
        floor,
        receptor,
        horizon: format === 'pvgis',
        ...assumed,
        balcony: balconyOf(balcony),
      });
    },
  ),
  'sunlight-building-roof': implement(sunlightBuildingRoof, ({ building_id }, sunlight) =>
    sunlight.shape(building_id) === null
      ? absent(noBuilding(building_id))
      : compute({ kind: 'roof', buildingId: building_id }),
  ),
  'sunlight-what-if': implement(
    sunlightWhatIf,
    ({ building_id, floor, storeys, ring, height_m, base_m = [], replaces = [], face, date, interval }, sunlight) => {
      const shape = sunlight.shape(building_id, { storeys });
      if (shape === null) return absent(noBuilding(building_id));
      const floorProblem = noFloor(shape, floor, 'storeys');
      if (floorProblem !== null) return absent(floorProblem);
      if (face !== undefined && shape.faces.every((wall) => wall.face !== face))
        return absent(`The building has no face ${face}; it has ${facesOf(shape)}.`);
      const missing = replaces.find((id) => sunlight.shape(id) === null);
      if (missing !== undefined) return absent(noBuilding(missing));
      if (replaces.includes(building_id))
        return refused('invalid-parameter', `replaces has ${building_id} itself: it has no floors then.`);
      const planned = plannedOf(ring, height_m, base_m);
      // Anything but a list is the refusal of a ring that is no building.
      if (!Array.isArray(planned)) return planned;
      const refusal = tooFarFrom(sunlight, building_id, planned);
      if (refusal !== null) return refusal;
      return compute({
        kind: 'what-if',
        buildingId: building_id,
        floor,
        storeys,
        face,
        planned,
        replaces: [...new Set(replaces)],
        dates: date,
        interval,
      });
    },
  ),
  'sunlight-shadow': implement(sunlightShadow, shadowOutcome),
  'sunlight-near': implement(sunlightNear, ({ lat, lon, r }, sunlight) =>
    found(sunlight.near(lat, lon, r, NEAR_LIMIT)),
  ),
  'sunlight-town-buildings': implement(sunlightTownBuildings, ({ town_code, page }, sunlight) =>
    foundOr(sunlight.town(town_code, page, PAGE_SIZE), () => noTownPage(sunlight, town_code, page)),
  ),
  'sunlight-ward-buildings': implement(sunlightWardBuildings, ({ ward_code, sort, page }, sunlight) =>
    foundOr(sunlight.ward(ward_code, sort, page, PAGE_SIZE), () =>
      absentPage(`ward ${ward_code}`, sunlight.wardPages(ward_code, PAGE_SIZE), page),
    ),
  ),
  'sunlight-building-geojson': implement(sunlightBuildingGeojson, ({ building_id }, sunlight) => {
    const summary = sunlight.summary(building_id);
    return summary === null ? absent(noBuilding(building_id)) : found(feature(sunlight, summary.toJSON(), {}));
  }),
  'sunlight-near-geojson': implement(sunlightNearGeojson, ({ lat, lon, r }, sunlight) => {
    const { buildings, ...about } = sunlight.near(lat, lon, r, NEAR_LIMIT).toJSON();
    const features = buildings.map(({ distance_m, ...summary }) => feature(sunlight, summary, { distance_m }));
    return found({ ...FEATURE_COLLECTION, ...about, features });
  }),
  'sunlight-town-geojson': implement(sunlightTownGeojson, ({ town_code, page }, sunlight) => {
    const town = sunlight.town(town_code, page, PAGE_SIZE);
    if (town === null) return absent(noTownPage(sunlight, town_code, page));
    const { buildings, ...about } = town.toJSON();
    const features = buildings.map((summary) => feature(sunlight, summary, {}));
    const json = Buffer.from(JSON.stringify({ ...FEATURE_COLLECTION, ...about, features }));
    return found(new JsonBytes(json, about.page_count));
  }),
  'sunlight-point': implement(sunlightPoint, ({ lat, lon, height_m }) =>
    compute({ kind: 'point', lat, lon, heightM: height_m }),
  ),
  'sunlight-bulk': implement(sunlightBulk, async ({ ward_code }, sunlight, context) => {
    const download = await bulkDownload(context, 'sunlight', ward_code, sunlight.bulk(ward_code));
    return foundOr(download, () => `This dataset has no buildings of ward ${ward_code}.`);
  }),
  'sunlight-towns': implement(sunlightTowns, (_, sunlight) => found(sunlight.towns())),
};
