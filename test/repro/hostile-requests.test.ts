import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AnswerReader, MalformedAnswer } from '../../bench/faults/hostile/answers.ts';
import { shotOf } from '../../bench/faults/hostile/shots.ts';
import { ROUTES } from '../../bench/faults/hostile/targets.ts';
import { attack } from '../../bench/faults/hostile.ts';
import { onlyDataset } from '../../bench/serving/soak.ts';
import { generatedDataset } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The short form of `npm run bench:faults -- --only hostile`, without its time limits.
test('hostile requests: no 500, no wrong answer, nothing that is not HTTP', {
  skip: existsSync('/proc/self/status') ? false : 'what a process holds open is read from /proc',
}, async (t) => {
  const folder = tempFolder(t);
  const dataset = onlyDataset(await generatedDataset(join(folder, 'built')));
  const plan = { seed: 34, requests: 600, from: 0, perSecond: 0, rounds: 1, aloneMs: 100 };
  const { report, wrong } = await attack(folder, dataset, plan);
  assert.deepEqual(wrong, []);
  assert.ok(report.requests >= 600, `${report.requests} requests`);
  assert.ok((report.statuses[200] ?? 0) > 100 && (report.statuses[400] ?? 0) > 50, JSON.stringify(report.statuses));
});

test('a shot is the same for the same seed and number, and another for others', () => {
  const known = { target: '/x', status: 200, etag: null, digest: null };
  const all = { values: {}, targets: [known], files: [{ target: '/f?expires=1', path: '/f', bytes: 10 }] };
  const bytes = (seed: number, number: number): string =>
    shotOf(seed, number, all)
      .asked.map((one) => one.bytes.toString('latin1'))
      .join();
  const first = Array.from({ length: 200 }, (_, i) => bytes(1, i));
  assert.deepEqual(
    Array.from({ length: 200 }, (_, i) => bytes(1, i)),
    first,
  );
  assert.ok(new Set(first).size > 150);
  assert.ok(first.filter((one, i) => one !== bytes(2, i)).length > 150);
  assert.ok(ROUTES.length > 50);
});

test('answers that are not well formed are told from those that are', () => {
  const read = (text: string): number[] => {
    const reader = new AnswerReader(1000);
    reader.push(Buffer.from(text));
    const statuses: number[] = [];
    for (let one = reader.next(false, true); one !== null; one = reader.next(false, true)) statuses.push(one.status);
    return statuses;
  };
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';
  assert.deepEqual(read(ok + ok), [200, 200]);
  assert.deepEqual(
    read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'),
    [200],
  );
  assert.deepEqual(read('HTTP/1.1 304 Not Modified\r\n\r\n'), [304]);
  assert.deepEqual(read('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi'), []);
  for (const bad of [
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nhi',
    'HTTP/1.1 200 OK\r\nBad Name: 1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n',
    'HTTP/1.1 200 OK\r\n\r\nhi',
    `${ok}left over\r\n\r\n`,
  ]) {
    assert.throws(() => read(bad), MalformedAnswer, bad);
  }
});
