import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { hidamari } from '../support/run.ts';
import { smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('a setting that is wrong only when a command uses it is named, not only counted', async (t) => {
  const folder = tempFolder(t);
  const doctor = await hidamari(['doctor'], { env: { ...process.env, HIDAMARI_S3_ENDPOINT: 'foo' } });
  assert.equal(doctor.code, 2);
  assert.match(doctor.stderr, /HIDAMARI_S3_ENDPOINT/);
  const keyFile = join(folder, 'no-key');
  const mcp = await hidamari(['mcp', '--url', 'http://127.0.0.1:9'], {
    env: { ...process.env, HIDAMARI_KEY_FILE: keyFile },
  });
  assert.equal(mcp.code, 2);
  assert.match(mcp.stderr, /HIDAMARI_KEY_FILE/);
});

it('an export takes no address of another kind for a folder', async (t) => {
  const folder = tempFolder(t);
  const args = ['export', await smallDataset(folder), '--static', 'gs://bucket/x', '--site-url', 'https://x.example'];
  const { code, stderr } = await hidamari(args, { cwd: folder });
  assert.equal(code, 2);
  assert.match(stderr, /It must be s3:\/\/bucket\/prefix or a folder/);
  assert.ok(!existsSync(join(folder, 'gs:')));
});

// Before, the message was that there is no such folder, to build a dataset in it.
it('a server takes neither an address of another kind nor no text for its data folder', async () => {
  for (const data of ['gs://bucket/x', 'S3://bucket/x', '']) {
    const { code, stderr } = await hidamari(['serve', '--data', data]);
    assert.equal(code, 2);
    assert.match(stderr, /--data <place>.* It must be s3:\/\/bucket\/prefix or a folder/, data);
  }
});
