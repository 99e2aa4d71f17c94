import { sunlightPoint as row } from '../../contract/operations/sunlight-point.ts';
import { implement } from './implementation.ts';

export const sunlightPoint = implement(row, {
  find: ({ lat, lon, height_m }, sunlight) => sunlight.point(lat, lon, height_m),
});
