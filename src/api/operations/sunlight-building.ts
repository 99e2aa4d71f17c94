import { sunlightBuilding as row } from '../../contract/operations/sunlight-building.ts';
import { shorten } from '../echo.ts';
import { implement } from './implementation.ts';

export const sunlightBuilding = implement(row, {
  find: ({ building_id }, sunlight) => sunlight.summary(building_id),
  absent: ({ building_id }) => `There is no building ${shorten(building_id)} in this dataset.`,
});
