import type { OperationId } from '../contract/operations.ts';
import * as documents from './operations/documents.ts';
import type { Implementation } from './operations/implementation.ts';
import { kaigoBulk } from './operations/kaigo-bulk.ts';
import { kaigoFacility } from './operations/kaigo-facility.ts';
import { kaigoMunicipalities } from './operations/kaigo-municipalities.ts';
import { kaigoMunicipality } from './operations/kaigo-municipality.ts';
import { kaigoNear } from './operations/kaigo-near.ts';
import { search } from './operations/search.ts';
import { sunlightBuilding } from './operations/sunlight-building.ts';
import { sunlightBuildingFloor } from './operations/sunlight-building-floor.ts';
import { sunlightBuildingFull } from './operations/sunlight-building-full.ts';
import { sunlightBuildingSky } from './operations/sunlight-building-sky.ts';
import { sunlightBuildings } from './operations/sunlight-buildings.ts';
import { sunlightBulk } from './operations/sunlight-bulk.ts';
import { sunlightBuildingGeojson, sunlightNearGeojson, sunlightTownGeojson } from './operations/sunlight-geojson.ts';
import { sunlightNear } from './operations/sunlight-near.ts';
import { sunlightPoint } from './operations/sunlight-point.ts';
import { sunlightTownBuildings } from './operations/sunlight-town-buildings.ts';
import { sunlightTowns } from './operations/sunlight-towns.ts';

/** Operations whose answer is a file, which is sent and not found: `bulk-download.ts`. */
type Download = 'bulk-file';

/** The handler of every operation: one that is missing, or of another operation, is a type error. */
const HANDLERS: { readonly [Id in Exclude<OperationId, Download>]: Implementation<Id> } = {
  'sunlight-building': sunlightBuilding,
  'sunlight-buildings': sunlightBuildings,
  'sunlight-building-full': sunlightBuildingFull,
  'sunlight-building-floor': sunlightBuildingFloor,
  'sunlight-building-sky': sunlightBuildingSky,
  'sunlight-near': sunlightNear,
  'sunlight-town-buildings': sunlightTownBuildings,
  'sunlight-building-geojson': sunlightBuildingGeojson,
  'sunlight-near-geojson': sunlightNearGeojson,
  'sunlight-town-geojson': sunlightTownGeojson,
  'sunlight-point': sunlightPoint,
  'sunlight-bulk': sunlightBulk,
  'sunlight-towns': sunlightTowns,
  'kaigo-facility': kaigoFacility,
  'kaigo-municipality': kaigoMunicipality,
  'kaigo-near': kaigoNear,
  'kaigo-bulk': kaigoBulk,
  'kaigo-municipalities': kaigoMunicipalities,
  search,
  'landing-json': documents.landingJson,
  openapi: documents.openapi,
  schema: documents.schema,
  'problems-json': documents.problemsJson,
  'problem-json': documents.problemJson,
  'pricing-json': documents.pricingJson,
  health: documents.health,
  readiness: documents.readiness,
};

/** Every operation with its handler, in the order of the contract. */
export const IMPLEMENTATIONS: readonly Implementation[] = Object.values(HANDLERS);
