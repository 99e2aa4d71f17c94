import { BulkDownload } from '../bulk-download.ts';
import { PrefectureCode } from '../kaigo-identifiers.ts';
import { type Operation, UNCACHED_API_STATUSES } from '../operation.ts';
import { inPath } from '../parameters.ts';

const prefectureCode = inPath('prefecture_code', PrefectureCode, 'Code of the prefecture.', '13');

export const kaigoBulk = {
  id: 'kaigo-bulk',
  path: '/api/v1/kaigo/bulk/{prefecture_code}',
  half: 'kaigo',
  summary: 'All facilities of a prefecture as Parquet',
  description:
    'A signed URL to a GeoParquet file with one row for each facility and service of the prefecture, valid for one hour.',
  parameters: [prefectureCode],
  costUnits: 10,
  answer: { form: 'envelope', data: BulkDownload },
  cache: 'no-store',
  statuses: UNCACHED_API_STATUSES,
  examples: [{ summary: 'A whole prefecture', parameters: { prefecture_code: prefectureCode.example } }],
  tool: { name: 'bulk_download', leaveOut: [] },
} as const satisfies Operation;
