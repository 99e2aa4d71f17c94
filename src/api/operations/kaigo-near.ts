import { kaigoNear as row } from '../../contract/operations/kaigo-near.ts';
import { implement } from './implementation.ts';
import { NEAR_LIMIT } from './lists.ts';

export const kaigoNear = implement(row, {
  find: ({ lat, lon, r, service }, kaigo) => kaigo.near(lat, lon, r, service ?? null, NEAR_LIMIT),
});
