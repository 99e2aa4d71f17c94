import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DamageError } from '../../src/formats/checked-file.ts';
import { BitWriter } from '../../src/record/bit-stream.ts';
import { decodeHead, decodeRecord, encodeRecord } from '../../src/record/codec.ts';
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
      } = decodeRecord(record.buildingId, bytes);
      assert.deepEqual(decodeHead(record.buildingId, bytes), head);
    }),
  );
});

test('a record that is cut short is refused', () => {
  fc.assert(
    fc.property(records, fc.nat(), (record, at) => {
      const bytes = encodeRecord(record);
      const cut = bytes.subarray(0, at % bytes.length);
      assert.throws(() => decodeRecord(record.buildingId, cut), DamageError);
    }),
  );
});

test('what a record cannot hold is refused when it is written', () => {
  const [record] = fc.sample(records, { numRuns: 1, seed: 1 });
  assert.throws(() => encodeRecord({ ...record!, townCode: '13101' }), /town code "13101"/);
});

test('records written one after the other are each as alone, also after one that was refused', () => {
  fc.assert(
    fc.property(fc.array(records, { minLength: 1, maxLength: 4 }), fc.integer({ min: 16, max: 4096 }), (some, room) => {
      const out = new BitWriter(room);
      const written = some.map((record) => {
        const blocked = { azimuthDeg: 0, blockedHours: 1, share: 1 };
        const source = { kind: 'building', buildingId: null, distanceM: 1, heightM: -1e9, ...blocked } as const;
        assert.throws(() => encodeRecord({ ...record, shadingSources: [source] }, out), RangeError);
        return encodeRecord(record, out);
      });
      assert.deepEqual(
        written.map((bytes) => Buffer.from(bytes)),
        some.map((record) => Buffer.from(encodeRecord(record))),
      );
    }),
    { numRuns: 25 },
  );
});
