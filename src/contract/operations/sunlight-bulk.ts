import { BulkDownload } from '../bulk-download.ts';
import { WardCode } from '../identifiers.ts';
import { type Operation, UNCACHED_API_STATUSES } from '../operation.ts';
import { inPath } from '../parameters.ts';

const wardCode = inPath('ward_code', WardCode, 'Code of the ward.', '13101');

export const sunlightBulk = {
  id: 'sunlight-bulk',
  path: '/api/v1/sunlight/bulk/{ward_code}',
  half: 'sunlight',
  summary: 'All results of a ward as Parquet',
  description: 'A signed URL to a GeoParquet file with one row for each building of the ward, valid for one hour.',
  parameters: [wardCode],
  costUnits: 20,
  answer: { form: 'envelope', data: BulkDownload },
  cache: 'no-store',
  statuses: UNCACHED_API_STATUSES,
  examples: [{ summary: 'A whole ward', parameters: { ward_code: wardCode.example } }],
  tool: { name: 'bulk_download', leaveOut: [] },
} as const satisfies Operation;
