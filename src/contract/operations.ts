import { DOCUMENTS } from './documents.ts';
import type { Operation } from './operation.ts';
import { kaigoBulk } from './operations/kaigo-bulk.ts';
import { kaigoFacility } from './operations/kaigo-facility.ts';
import { kaigoMunicipalities } from './operations/kaigo-municipalities.ts';
import { kaigoMunicipality } from './operations/kaigo-municipality.ts';
import { kaigoNear } from './operations/kaigo-near.ts';
import { sunlightBuilding } from './operations/sunlight-building.ts';
import { sunlightBuildingFloor } from './operations/sunlight-building-floor.ts';
import { sunlightBuildingFull } from './operations/sunlight-building-full.ts';
import { sunlightBuildingSky } from './operations/sunlight-building-sky.ts';
import { sunlightBuildings } from './operations/sunlight-buildings.ts';
import { sunlightBulk } from './operations/sunlight-bulk.ts';
import { sunlightNear } from './operations/sunlight-near.ts';
import { sunlightPoint } from './operations/sunlight-point.ts';
import { sunlightTownBuildings } from './operations/sunlight-town-buildings.ts';
import { sunlightTowns } from './operations/sunlight-towns.ts';

/** The one table, in the order of the documentation; its type knows every row. */
export const OPERATION_TABLE = [
  sunlightBuilding,
  sunlightBuildings,
  sunlightBuildingFull,
  sunlightBuildingFloor,
  sunlightBuildingSky,
  sunlightNear,
  sunlightTownBuildings,
  sunlightPoint,
  sunlightBulk,
  sunlightTowns,
  kaigoFacility,
  kaigoMunicipality,
  kaigoNear,
  kaigoBulk,
  kaigoMunicipalities,
  ...DOCUMENTS,
] as const;

/** The same for those to whom one operation is like another. */
export const OPERATIONS: readonly Operation[] = OPERATION_TABLE;

/** The name of an operation of the table. */
export type OperationId = (typeof OPERATION_TABLE)[number]['id'];
