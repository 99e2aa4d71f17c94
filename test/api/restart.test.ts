import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../bench/serving/server.ts';
import { freePort } from '../support/free-port.ts';
import { generatedDataset } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const CODINGS = ['identity', 'gzip', 'br'];

/** Status, tag and bytes as they come over the wire. */
async function ask(port: number, path: string, headers: Record<string, string>) {
  const [response] = (await once(get({ port, path, headers, agent: false }), 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode, tag: response.headers.etag, body: Buffer.concat(parts).toString('base64') };
}

/** Every answer that may be cached, in every coding; each is asked for again with its tag. */
async function everyAnswer(port: number, targets: readonly string[]): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const target of targets) {
    const tags = new Set<string>();
    for (const coding of CODINGS) {
      const headers = { 'accept-encoding': coding };
      const { status, tag, body } = await ask(port, target, headers);
      assert.equal(status, 200, target);
      const again = await ask(port, target, { ...headers, 'if-none-match': tag! });
      assert.deepEqual(again, { status: 304, tag, body: '' }, `${coding} ${target}`);
      answers[`${coding} ${target}`] = { tag, body };
      tags.add(tag!);
    }
    // Small answers are sent as they are, whatever the client takes.
    assert.ok(tags.size === CODINGS.length || tags.size === 1, target);
  }
  return answers;
}

test('the same dataset gives the same bytes and tags on two servers and after a restart, 304 in every coding', async (t) => {
  const data = await generatedDataset(join(tempFolder(t), 'data'));
  const common = ['--data', data, '--rate-limit', 'off', '--log-level', 'warn'];
  const first = await startServer(common);
  t.after(() => first.child.kill('SIGKILL'));
  // Bulk files are signed for a time; what a person searches for, and prices, are not to be kept.
  const targets = first.targets.filter((target) => !/\/bulk\/|\/search\?|\/pricing\//.test(target));
  assert.ok(targets.length > 8);
  const answers = await everyAnswer(first.port, targets);

  const otherPort = await freePort();
  const other = await startServer([...common, '--port', String(otherPort), '--site-url', first.url]);
  t.after(() => other.child.kill('SIGKILL'));
  assert.deepEqual(await everyAnswer(otherPort, targets), answers);

  assert.equal(await first.stop(), 0);
  const again = await startServer([...common, '--port', String(first.port)]);
  t.after(() => again.child.kill('SIGKILL'));
  assert.deepEqual(await everyAnswer(again.port, targets), answers);
});
