import { kaigoBulk as row } from '../../contract/operations/bulk.ts';
import { bulkDownload } from '../bulk-shelf.ts';
import { implement } from './implementation.ts';

export const kaigoBulk = implement(row, {
  find: ({ prefecture_code }, kaigo, context) =>
    bulkDownload(context, 'kaigo', prefecture_code, kaigo.bulk(prefecture_code)),
  absent: ({ prefecture_code }) => `This dataset has no facilities of prefecture ${prefecture_code}.`,
});
