import { kaigoFacility as row } from '../../contract/operations/kaigo-facility.ts';
import { implement } from './implementation.ts';

export const kaigoFacility = implement(row, {
  find: ({ facility_id }, kaigo) => kaigo.facility(facility_id),
  absent: ({ facility_id }) => `There is no facility ${facility_id} in this dataset.`,
});
