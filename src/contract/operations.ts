import { KAIGO_OPERATIONS } from './kaigo.ts';
import type { Operation } from './operation.ts';
import { SITE_OPERATIONS } from './site.ts';
import { SUNLIGHT_OPERATIONS } from './sunlight.ts';

/** The one table: every operation of the service, in the order of the documentation. */
export const OPERATIONS: readonly Operation[] = [...SUNLIGHT_OPERATIONS, ...KAIGO_OPERATIONS, ...SITE_OPERATIONS];
