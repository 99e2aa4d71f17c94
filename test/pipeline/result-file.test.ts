import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { checkedResults, encodeResults, hasBuildings, mergedResults } from '../../src/pipeline/result-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'hidamari-test-'));
after(() => rmSync(folder, { recursive: true }));

const META = { square: '53394611', fingerprint: 'f' };

/** Hours that tell a building by its number, more or fewer. */
const hoursOf = (n: number): Uint16Array => Uint16Array.from({ length: 49 * (n % 9) }, (_, i) => (n + i) % 65_536);

describe('result files', () => {
  it('are merged into one order of ID, every record whole', () => {
    const record = fc.uint8Array({ minLength: 1, maxLength: 60_000, size: 'max' });
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 99_999 }), { maxLength: 30 });
    fc.assert(
      fc.property(
        ids,
        fc.array(record, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        (numbers, records, files) => {
          const all = numbers
            .map((n, i) => ({ buildingId: `13101-bldg-${n}`, bytes: records[i % records.length]!, hours: hoursOf(n) }))
            .sort((a, b) => (a.buildingId < b.buildingId ? -1 : 1));
          const readers = Array.from({ length: files }, (_, f) => {
            const path = join(folder, `r${f}`);
            writeFileSync(
              path,
              encodeResults(
                META,
                all.filter((_, i) => i % files === f),
              ),
            );
            return checkedResults(path, META);
          });
          const merged = [...mergedResults(readers)].length;
          assert.equal(merged, all.length);
          let at = 0;
          for (const { buildingId, bytes, hours } of mergedResults(readers)) {
            assert.equal(buildingId, all[at]!.buildingId);
            assert.deepEqual(Buffer.from(bytes), Buffer.from(all[at]!.bytes));
            assert.deepEqual(hours, all[at]!.hours);
            at++;
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('hold a row as large as its fields allow, larger than what is read at a time, and refuse a larger one', () => {
    const hours = (length: number) => Uint16Array.from({ length }, (_, i) => i);
    const all = [65_535, 0, 40_000].map((length, i) => ({
      buildingId: `13101-bldg-${i}`,
      bytes: Buffer.alloc(200_000 * (2 - i) + 1, i + 1),
      hours: hours(length),
    }));
    const path = join(folder, 'large');
    writeFileSync(path, encodeResults(META, all));
    const read = [...mergedResults([checkedResults(path, META)])];
    assert.deepEqual(
      read.map(({ bytes, file: _, ...rest }) => ({ ...rest, bytes: Buffer.from(bytes) })),
      all,
    );
    assert.throws(() => encodeResults(META, [{ ...all[0]!, hours: hours(65_536) }]), RangeError);
  });

  it('give the buildings of one ward', () => {
    const ids = ['13101-bldg-1', '13101-bldg-9', '13102-bldg-5', '13104-bldg-1', '13104-bldg-2'];
    const readers = [0, 1].map((file) => {
      const path = join(folder, `w${file}`);
      const own = ids.filter((_, i) => i % 2 === file);
      writeFileSync(
        path,
        encodeResults(
          META,
          own.map((buildingId) => ({ buildingId, bytes: Buffer.from(buildingId), hours: new Uint16Array(0) })),
        ),
      );
      return checkedResults(path, META);
    });
    for (const ward of ['13100', '13101', '13102', '13103', '13104', '13105', '']) {
      const found = Array.from(mergedResults(readers, ward), ({ buildingId, bytes }) => [
        buildingId,
        Buffer.from(bytes).toString(),
      ]);
      const expected = ids.filter((id) => id.startsWith(ward));
      assert.deepEqual(
        found,
        expected.map((id) => [id, id]),
      );
      assert.equal(
        readers.some((file) => hasBuildings(file, ward)),
        ward !== '' && expected.length > 0,
      );
    }
  });

  it('are refused when damaged', () => {
    const path = join(folder, 'damaged');
    writeFileSync(
      path,
      encodeResults(META, [{ buildingId: '13101-bldg-1', bytes: Uint8Array.of(1, 2, 3), hours: hoursOf(1) }]),
    );
    truncateSync(path, 50);
    assert.throws(() => checkedResults(path, META), { name: 'ColumnFileError', message: /damaged/ });
  });
});
