import type { FeeTable } from '../fee-table.ts';
import type { DetailMapping } from '../lists/details.ts';
import type { RegisterMapping } from '../lists/registers.ts';
import tokuyo from './details-tokuyo.json' with { type: 'json' };
import fees from './fees.json' with { type: 'json' };
import registers from './registers.json' with { type: 'json' };

/*
 * The tables that come with the program. Tests check them against their schemas. So a build loads the code of these
 * checks, hundreds of files, for tables of its user only.
 */

export const BUILT_IN_FEES = fees as unknown as FeeTable;

export const BUILT_IN_MAPPINGS: readonly DetailMapping[] = [tokuyo as DetailMapping];

/** Mappings of lists of homes whose columns have common names. */
export const BUILT_IN_REGISTERS: readonly RegisterMapping[] = registers.lists.map(({ about, name, kind }) => ({
  schema: 'hidamari-register/1',
  about,
  isBuiltIn: true,
  fields: { ...(registers.fields as Omit<RegisterMapping['fields'], 'name' | 'kind'>), name, kind },
}));
