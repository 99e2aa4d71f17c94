import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { BitWriter, DamagedRecordError } from '../../src/record/bit-stream.ts';
import { decodeHead, decodeRecord, encodeRecord } from '../../src/record/codec.ts';
import { SCHEMA_VERSION } from '../../src/snapshot/manifest.ts';
import { summarise } from '../../src/sunlight/summary.ts';
import { attributesInTurn } from '../support/attributes.ts';
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
      assert.throws(() => decodeRecord(record.buildingId, cut), DamagedRecordError);
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

/** A digest of all that `encodeRecord` can write. With another layout it changes, and then SCHEMA_VERSION must grow. */
const LAYOUT = { schemaVersion: 20, digest: 'bf06428e0610a5ab' };

test('the layout of a record is that of its schema version', () => {
  const hash = createHash('sha256');
  const ring = Float64Array.of(35.68, 139.76, 35.68, 139.7601, 35.6801, 139.7601);
  for (let i = 0; i < 20; i++) {
    const minutes = (count: number) => Array.from({ length: count }, (_, m) => ((i * 31 + m * 7) % 900) * 0.6);
    hash.update(
      encodeRecord({
        buildingId: `13101-bldg-${i}`,
        wardCode: '13101',
        townCode: [null, '131010010', '13101001001'][i % 3]!,
        lat: 35.68005,
        lon: 139.76005,
        footprints: [{ rings: i % 2 === 0 ? [ring] : [ring, ring] }],
        ...attributesInTurn(i),
        baseM: i - 3,
        topM: 4 * i + 1,
        floors: [1, Math.ceil((i + 1) / 2), i + 1].map((floor) => ({ floor, heightM: floor })),
        faces: [0, 2, 5].slice(0, i % 4).map((face) => ({
          face,
          azimuthDeg: face * 45 + 1.5,
          wallLengthM: 12.34 + i,
          receptors: 3,
          sunMinutes: minutes(36),
          unshadedMinutes: minutes(12),
          windows: Array.from({ length: 36 }, (_, m) => (m % 5 === 0 ? [] : [400 + m + i, 600 + m, 700, 800 + i])),
        })),
        shadingSources: [null, '13101-bldg-7'].slice(0, i % 3).map((buildingId) => ({
          kind: 'building' as const,
          buildingId,
          distanceM: 12.5,
          azimuthDeg: 123.4,
          heightM: 56.7,
          blockedHours: 1.25,
          share: 0.4321,
        })),
        selfShadedShare: i / 100,
      }),
    );
  }
  assert.deepEqual({ schemaVersion: SCHEMA_VERSION, digest: hash.digest('hex').slice(0, 16) }, LAYOUT);
});
