import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kaigoBulkName } from '../../src/dataset/kaigo.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import { publishDataset, startDraft } from '../../src/snapshot/publish.ts';
import type { Verification } from '../../src/snapshot/verification.ts';
import { type Built, sharedBuild } from './support/build.ts';
import { sampleOfFile } from './support/sample.ts';

const KAIGO_RECORDS = 'kaigo.records';

const sample = sharedBuild(sampleOfFile());

/** Hands out a copy of the files of one build, to be damaged. */
const withBuilt = (use: (built: Built) => Promise<void>): Promise<void> =>
  sample(async ({ folder, manifest, half, answers, ids }) => {
    const copy = mkdtempSync(join(tmpdir(), 'hidamari-kaigo-'));
    try {
      cpSync(folder, copy, { recursive: true });
      await use({ half, answers, folder: copy, manifest: structuredClone(manifest), ids });
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

/** Verifies the files as they are now, published anew: what is wrong in them is not damage of the disk. */
async function verified({ folder, manifest }: Built): Promise<Verification> {
  const data = mkdtempSync(join(tmpdir(), 'hidamari-kaigo-'));
  try {
    const draft = await startDraft(data);
    for (const name of Object.keys(manifest.files)) cpSync(join(folder, name), join(draft, name), { recursive: true });
    const rows = Object.entries(manifest.files).flatMap(([name, { rows }]) =>
      rows === undefined ? [] : [[name, rows]],
    );
    return await verifyDataset(await publishDataset(data, draft, manifest, { rows: Object.fromEntries(rows) }));
  } finally {
    rmSync(data, { recursive: true });
  }
}

/** Writes one text of the records over with another of the same length, from its last place backwards. */
function overwrite({ folder }: Built, text: string, other: string): void {
  const path = join(folder, KAIGO_RECORDS);
  const bytes = readFileSync(path);
  const at = bytes.lastIndexOf(text);
  assert.ok(at >= 0 && Buffer.byteLength(text) === Buffer.byteLength(other));
  bytes.write(other, at);
  writeFileSync(path, bytes);
}

test('verify finds no fault in a new build and decodes every facility and table', () =>
  withBuilt(async (built) => {
    const { checked, differences } = await verified(built);
    assert.deepEqual(differences, []);
    assert.equal(checked.facilities, built.ids.length);
    assert.ok(checked.comparisons! > 10);
  }));

test('verify reports a record that is not JSON, with its facility', () =>
  withBuilt(async (built) => {
    overwrite(built, '"services":[', '"services":{');
    assert.match(
      (await verified(built)).differences[0]!,
      /^kaigo\.records: facility \w{10}: its record cannot be decoded/,
    );
  }));

test('verify reports a record of another facility, and one at another position', () =>
  withBuilt(async (built) => {
    const last = built.ids.at(-1)!;
    overwrite(built, `{"facility_id":"${last}"`, '{"facility_id":"0000000000"');
    assert.ok(
      (await verified(built)).differences.includes(
        `${KAIGO_RECORDS}: facility ${last}: its record is that of 0000000000`,
      ),
    );
    overwrite(built, '"lat":35.', '"lat":34.');
    assert.ok((await verified(built)).differences.some((line) => line.includes('is not found at 34.')));
  }));

test('verify reports a table in wrong order, and one with facilities that do not offer its service', () =>
  withBuilt(async (built) => {
    const bytes = readFileSync(join(built.folder, KAIGO_RECORDS)).toString();
    const first = /^\{"facility_id":"(\w{10})"/.exec(bytes)![1]!;
    const path = join(built.folder, KAIGO_RECORDS);
    writeFileSync(path, bytes.replace(`{"facility_id":"${first}"`, '{"facility_id":"9999999999"'));
    const { differences } = await verified(built);
    assert.ok(
      differences.some((line) =>
        /^kaigo\.records: municipality \d{6}, service \d{3}: 9999999999 does not offer it$/.test(line),
      ),
      differences.join('\n'),
    );
  }));

test('verify reports a bulk file with a wrong number of rows', () =>
  withBuilt(async (built) => {
    const name = kaigoBulkName('13');
    built.manifest.files[name]!.rows = 1;
    assert.match(
      (await verified(built)).differences.join('\n'),
      /bulk\/kaigo\/13\.parquet: has 1 rows, the store \d+ services/,
    );
  }));
