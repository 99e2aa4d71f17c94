import { sunlightNear as row } from '../../contract/operations/sunlight-position.ts';
import { implement } from './implementation.ts';
import { NEAR_LIMIT } from './lists.ts';

export const sunlightNear = implement(row, {
  find: ({ lat, lon, r }, sunlight) => sunlight.near(lat, lon, r, NEAR_LIMIT),
});
