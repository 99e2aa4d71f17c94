import { kaigoNear as row } from '../../contract/operations/kaigo-near.ts';
import { implement } from './implementation.ts';
import { caseOf } from './kaigo-case.ts';
import { NEAR_LIMIT } from './lists.ts';

export const kaigoNear = implement(row, {
  find: ({ lat, lon, r, service, ...values }, kaigo) =>
    kaigo.near(lat, lon, r, service ?? null, NEAR_LIMIT, caseOf(values, kaigo, service ?? [])),
});
