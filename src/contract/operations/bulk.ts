import type { Static } from 'typebox';
import { PrefectureCode, WardCode } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import { inPath } from '../parameter.ts';
import { count, Text, Type } from '../schema.ts';

/** The answer of a bulk operation. */
export const BulkDownload = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'Where to download the file with GET; no key, ranges are served.',
      examples: [
        'https://hidamari.example/bulk/0f3a/sunlight/$ward_code.parquet?expires=1767225600&key=1&signature=n4bQgYhM',
      ],
    }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'When the URL stops working (RFC 3339).',
      examples: ['2026-01-01T00:00:00Z'],
    }),
    format: Text('Format of the file.', 'parquet'),
    rows: count('Rows in the file.', 11581),
    bytes: count('Size of the file.', 3145728),
    sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the file, hexadecimal.',
      examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    }),
  },
  { title: 'BulkDownload', description: 'A signed URL to a Parquet file.' },
);
export type BulkDownload = Static<typeof BulkDownload>;

const wardCode = inPath('ward_code', WardCode, 'Code of the ward.', '$ward_code');

export const sunlightBulk = {
  id: 'sunlight-bulk',
  path: '/api/v1/sunlight/bulk/{ward_code}',
  section: 'sunlight',
  summary: 'All results of a ward as Parquet',
  description: 'A signed URL to a GeoParquet file with one row for each building of the ward, valid for one hour.',
  parameters: [wardCode],
  costUnits: 20,
  answer: { form: 'envelope', data: BulkDownload },
  cache: 'no-store',
  tool: { name: 'bulk_download', leaveOut: [] },
} as const satisfies Operation;

const prefectureCode = inPath('prefecture_code', PrefectureCode, 'Code of the prefecture.', '$prefecture_code');

export const kaigoBulk = {
  id: 'kaigo-bulk',
  path: '/api/v1/kaigo/bulk/{prefecture_code}',
  section: 'kaigo',
  summary: 'All facilities of a prefecture as Parquet',
  description:
    'A signed URL to a GeoParquet file with one row for each facility and service of the prefecture, valid for one hour.',
  parameters: [prefectureCode],
  costUnits: 10,
  answer: { form: 'envelope', data: BulkDownload },
  cache: 'no-store',
  tool: { name: 'bulk_download', leaveOut: [] },
} as const satisfies Operation;
