import { sunlightTowns as row } from '../../contract/operations/sunlight-towns.ts';
import { implement } from './implementation.ts';

export const sunlightTowns = implement(row, { find: (_, sunlight) => sunlight.towns() });
