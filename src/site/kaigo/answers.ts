import type { Facility } from '../../contract/operations/kaigo-facility.ts';

/** One service of a facility. */
export type FacilityService = Facility['services'][number];

/** What one resident pays. */
export type CostEstimate = FacilityService['cost_estimate'];
