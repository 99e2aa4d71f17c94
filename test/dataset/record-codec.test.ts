import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DamagedRecordError } from '../../src/dataset/bit-stream.ts';
import { decodeHead, decodeRecord, encodeRecord } from '../../src/dataset/record-codec.ts';
import { summarise } from '../../src/sunlight/summary.ts';
import { records } from './support/records.ts';

test('a record comes back as it was, with its summary', () => {
  fc.assert(
    fc.property(records, (record) => {
      const { summary, ...back } = decodeRecord(record.buildingId, encodeRecord(record));
      assert.deepEqual(back, record);
      assert.deepEqual(summary, record.faces.length > 0 ? summarise(record.faces) : null);
    }),
  );
});

test('the head alone tells the same as the whole', () => {
  fc.assert(
    fc.property(records, (record) => {
      const bytes = encodeRecord(record);
      const {
        floors: _f,
        faces: _a,
        shadingSources: _s,
        selfShadedShare: _o,
        ...head
      } = decodeRecord('13101-bldg-1', bytes);
      assert.deepEqual(decodeHead('13101-bldg-1', bytes), head);
    }),
  );
});

test('a record that is cut short is refused', () => {
  fc.assert(
    fc.property(records, fc.nat(), (record, at) => {
      const bytes = encodeRecord(record);
      const cut = bytes.subarray(0, at % bytes.length);
      assert.throws(() => decodeRecord('13101-bldg-1', cut), DamagedRecordError);
    }),
  );
});

test('what a record cannot hold is refused when it is written', () => {
  const [record] = fc.sample(records, { numRuns: 1, seed: 1 });
  assert.throws(() => encodeRecord({ ...record!, townCode: '13101' }), /town code "13101"/);
});
