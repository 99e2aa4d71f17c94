import { sunlightBulk as row } from '../../contract/operations/bulk.ts';
import { bulkDownload } from '../bulk-shelf.ts';
import { implement } from './implementation.ts';

export const sunlightBulk = implement(row, {
  find: ({ ward_code }, sunlight, context) => bulkDownload(context, 'sunlight', ward_code, sunlight.bulk(ward_code)),
  absent: ({ ward_code }) => `This dataset has no buildings of ward ${ward_code}.`,
});
