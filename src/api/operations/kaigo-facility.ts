import { kaigoFacility as row } from '../../contract/operations/kaigo-facility.ts';
import { implement } from './implementation.ts';
import { caseOf } from './kaigo-case.ts';

export const kaigoFacility = implement(row, {
  find: (values, kaigo) => kaigo.facility(values.facility_id, caseOf(values, kaigo, [])),
  absent: ({ facility_id }) => `There is no facility ${facility_id} in this dataset.`,
});
