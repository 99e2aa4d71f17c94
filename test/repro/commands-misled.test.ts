import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hidamari } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Before, such a key was written with a year of five digits, and the whole key file was refused from then on.
test('a key that would expire after the year 9999 is refused, and no key file is written', async (t) => {
  const keys = join(tempFolder(t), 'keys.json');
  const added = await hidamari(['keys', 'add', 'x', '--keys', keys, '--expires', '9999-12-31T23:59:59-05:00']);
  assert.equal(added.code, 2);
  assert.match(added.stderr, /--expires <when>.*must lie before the year 10000 in UTC/);
  assert.ok(!existsSync(keys));
  assert.equal((await hidamari(['keys', 'add', 'x', '--keys', keys, '--expires', '9999-12-31'])).code, 0);
  assert.match((await hidamari(['keys', 'list', '--keys', keys])).stdout, /9999-12-31T15:00:00Z/);
});

// Before, --store was ignored, and only the folder was pruned.
test('prune refuses a data folder together with a store', async (t) => {
  const folder = tempFolder(t);
  const { code, stderr } = await hidamari(['prune', folder, '--store', join(folder, 'store'), '--keep', '1']);
  assert.equal(code, 2);
  assert.match(stderr, /give either a data folder or --store\n$/);
});

// Before, every JavaScript object had such a command: "hidamari toString --help lists them".
test('an unknown command with the name of a member of every object is unknown', async () => {
  const { code, stderr } = await hidamari(['toString']);
  assert.deepEqual([code, stderr], [2, "hidamari: unknown command 'toString'; hidamari --help lists them\n"]);
});

// Before, a folder that has only hazard layers was read, then refused as unknown.
test('inspect reads a folder of hazard layers only', async (t) => {
  const folder = join(tempFolder(t), 'hazards');
  mkdirSync(folder);
  const coordinates = [
    [
      [139.7, 35.6],
      [139.71, 35.6],
      [139.71, 35.61],
      [139.7, 35.6],
    ],
  ];
  const properties = { A33_001: 1, A33_002: 1 };
  const feature = { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates } };
  const path = join(folder, 'A33-20_13.geojson');
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
  for (const given of [folder, path]) {
    const { code, stdout } = await hidamari(['inspect', given, '--json']);
    const { tables, not_opened } = JSON.parse(stdout);
    assert.deepEqual([code, tables.length, not_opened], [0, 1, []], given);
  }
});

// Before, only a program named chromium counted, though the tests use this one, too.
test('doctor finds the Chromium without windows', { skip: process.platform === 'win32' }, async (t) => {
  const programs = tempFolder(t);
  const chromium = join(programs, 'chromium-headless-shell');
  writeFileSync(chromium, '#!/bin/sh\n');
  chmodSync(chromium, 0o755);
  const { stdout } = await hidamari(['doctor'], { env: { PATH: programs } });
  assert.match(stdout, /good {3}chromium: there/);
});

// Before, the message of the system came alone, and below /proc the command never ended.
test('a static export names the folder that cannot be made, and what to do', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const below = process.platform === 'linux' ? ['/proc/hidamari'] : [];
  for (const place of [file, join(file, 'below'), ...below]) {
    const { code, stderr } = await hidamari(['export', folder, '--static', place, '--site-url', 'https://sun.example']);
    assert.equal(code, 1, place);
    assert.match(stderr, /: this folder cannot be made: E[A-Z]+: .+; make it, or name another one\n$/);
    assert.ok(stderr.includes(`${place}: `), stderr);
  }
});
