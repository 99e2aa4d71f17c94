import { sunlightBuildingFull as row } from '../../contract/operations/sunlight-building.ts';
import { shorten } from '../echo.ts';
import { implement } from './implementation.ts';

export const sunlightBuildingFull = implement(row, {
  find: ({ building_id }, sunlight) => sunlight.full(building_id),
  absent: ({ building_id }) => `There is no building ${shorten(building_id)} in this dataset.`,
});
