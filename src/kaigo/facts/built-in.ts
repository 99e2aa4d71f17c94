import type { FeeTable } from '../fee-schema.ts';
import type { DetailMapping } from '../lists/detail-mapping.ts';
import tokuyo from './details-tokuyo.json' with { type: 'json' };
import fees from './fees.json' with { type: 'json' };

/*
 * The tables that come with the program. The tests hold them to their schemas, so that only a build with tables of its own
 * waits for the hundreds of files that check one.
 */

export const BUILT_IN_FEES = fees as unknown as FeeTable;

export const BUILT_IN_MAPPINGS: readonly DetailMapping[] = [tokuyo as DetailMapping];
