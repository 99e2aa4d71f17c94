import { BuildingFeature, COLLECTION_TYPE, NearbyFeature } from '../geojson.ts';
import type { Operation } from '../operation.ts';
import { Type } from '../schema.ts';
import { sunlightBuilding } from './sunlight-building.ts';
import { BuildingsNear, sunlightNear } from './sunlight-position.ts';
import { sunlightTownBuildings, TownBuildings } from './sunlight-towns.ts';

/** The lists of buildings as GeoJSON, for maps. Costs, limits, pages and problems are those of the JSON operations. */

const { buildings: _near, ...nearMembers } = BuildingsNear.properties;
const { buildings: _town, ...townMembers } = TownBuildings.properties;

const NearFeatures = Type.Object(
  { type: COLLECTION_TYPE, ...nearMembers, features: Type.Array(NearbyFeature, { maxItems: 50 }) },
  { title: 'NearFeatures', description: 'The buildings around a point as GeoJSON.' },
);

const TownFeatures = Type.Object(
  { type: COLLECTION_TYPE, ...townMembers, features: Type.Array(BuildingFeature, { maxItems: 100 }) },
  { title: 'TownFeatures', description: 'One page of the buildings of a town as GeoJSON.' },
);

const AS_GEOJSON = 'Footprints, with the columns of the bulk files as properties. Provisional.';

const { tool: _buildingTool, ...building } = sunlightBuilding;
const { tool: _nearTool, ...near } = sunlightNear;
const { tool: _townTool, ...town } = sunlightTownBuildings;

export const sunlightBuildingGeojson = {
  ...building,
  id: 'sunlight-building-geojson',
  path: '/api/v1/sunlight/building/{building_id}/footprint.geojson',
  summary: 'One building as GeoJSON',
  description: `A feature. ${AS_GEOJSON}`,
  answer: { form: 'geojson', schema: BuildingFeature },
} as const satisfies Operation;

export const sunlightNearGeojson = {
  ...near,
  id: 'sunlight-near-geojson',
  path: '/api/v1/sunlight/near.geojson',
  summary: 'Buildings around a point as GeoJSON',
  description: `A collection of features, nearest first, at most 50. ${AS_GEOJSON}`,
  answer: { form: 'geojson', schema: NearFeatures },
} as const satisfies Operation;

export const sunlightTownGeojson = {
  ...town,
  id: 'sunlight-town-geojson',
  path: '/api/v1/sunlight/town/{town_code}/buildings.geojson',
  summary: 'Buildings of a town as GeoJSON, page by page',
  description: `A collection of features in order of ID, 100 per page. ${AS_GEOJSON}`,
  answer: { form: 'geojson', schema: TownFeatures },
} as const satisfies Operation;
