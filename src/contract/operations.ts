import { DOCUMENTS } from './documents.ts';
import type { Operation } from './operation.ts';
import { kaigoBulk, sunlightBulk } from './operations/bulk.ts';
import { kaigoFacility } from './operations/kaigo-facility.ts';
import { kaigoMunicipalities, kaigoMunicipality } from './operations/kaigo-municipality.ts';
import { kaigoNear } from './operations/kaigo-near.ts';
import { search } from './operations/search.ts';
import { sunlightBuilding, sunlightBuildingFull, sunlightBuildings } from './operations/sunlight-building.ts';
import { sunlightBuildingFloor } from './operations/sunlight-building-floor.ts';
import { sunlightBuildingRoof } from './operations/sunlight-building-roof.ts';
import { sunlightBuildingSky } from './operations/sunlight-building-sky.ts';
import { sunlightBuildingGeojson, sunlightNearGeojson, sunlightTownGeojson } from './operations/sunlight-geojson.ts';
import { sunlightNear, sunlightPoint } from './operations/sunlight-position.ts';
import { sunlightShadow } from './operations/sunlight-shadow.ts';
import { sunlightTownBuildings, sunlightTowns, sunlightWardBuildings } from './operations/sunlight-towns.ts';
import { sunlightWhatIf } from './operations/sunlight-what-if.ts';

/** The table of operations, in the order of the documentation. Its type has every row. */
export const OPERATION_TABLE = [
  sunlightBuilding,
  sunlightBuildings,
  sunlightBuildingFull,
  sunlightBuildingFloor,
  sunlightBuildingSky,
  sunlightBuildingRoof,
  sunlightWhatIf,
  sunlightShadow,
  sunlightNear,
  sunlightTownBuildings,
  sunlightWardBuildings,
  sunlightBuildingGeojson,
  sunlightNearGeojson,
  sunlightTownGeojson,
  sunlightPoint,
  sunlightBulk,
  sunlightTowns,
  kaigoFacility,
  kaigoMunicipality,
  kaigoNear,
  kaigoBulk,
  kaigoMunicipalities,
  search,
  ...DOCUMENTS,
] as const;

/** The same table for code that does not depend on single rows. */
export const OPERATIONS: readonly Operation[] = OPERATION_TABLE;

/** The ID of an operation in the table. */
export type OperationId = (typeof OPERATION_TABLE)[number]['id'];
