import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { writeZip, type ZipMember } from '../support/write-zip.ts';
import { type Fault, Replica, redirect, serve } from './replica.ts';
import { fetchAll, first, inputs, lockOf, MODEL, publish as publishOn } from './support.ts';

const replica = new Replica();
before(() => replica.listen());
after(() => replica.close());

const ZIP = '/13101_chiyoda-ku_2023_citygml_1_op.zip';
const building = (code: string) => `13101_city/udx/bldg/${code}_bldg_6697_op.gml`;
/** Not to be packed, so that reading all of the zip shows. */
const TERRAIN: ZipMember = {
  name: '13101_city/udx/dem/533946_dem_6697_op.gml',
  data: Array.from({ length: 300_000 }, (_, i) => String((i * 7919) % 99991)).join(' '),
};
const TWO: ZipMember[] = [
  { name: building('53394600'), data: MODEL('zip', 50) },
  { name: building('53394601'), data: MODEL('zip2', 50) },
];

function publish(test: TestContext, members: ZipMember[], { zip64 = false, idleMs = 20_000 } = {}) {
  const { folder, options } = publishOn(replica, test, idleMs);
  const old = `${replica.origin}/13101_chiyoda-ku_2020_citygml_4_op.zip`;
  const resources = [{ url: old }, null, { url: replica.origin + ZIP }, { url: 'readme.pdf' }];
  const results = [{ resources }, { resources: null }, null];
  replica.put('/search?q=13101', JSON.stringify({ success: true, result: { count: 3, results } }));
  writeZip(join(folder, 'city.zip'), members, { zip64 });
  const body = readFileSync(join(folder, 'city.zip'));
  replica.put(ZIP, body);
  const file = replica.files.get(ZIP);
  assert.ok(file);
  return { folder, options: { ...options, route: 'zip' as const }, file };
}

/** A fault for each request from the `first`th on, counted from 0. */
const from = (first: number, ...faults: Fault[]): Fault[] => [...Array.from({ length: first }, () => serve), ...faults];

describe('fetch out of a published zip', () => {
  it('reads the buildings alone, by ranges; a second run reads the directory alone', async (test) => {
    for (const zip64 of [false, true]) {
      const { options, file } = publish(test, [...TWO, TERRAIN], { zip64 });
      const { fetched } = await fetchAll(options);
      assert.equal(fetched, 2);
      assert.equal(inputs(options), MODEL('zip', 50));
      const bytes = replica.requests.reduce((sum, { path, range }) => {
        const [, start, end] = /bytes=(\d+)-(\d+)/.exec(range ?? '') ?? [];
        return path === ZIP ? sum + Math.min(file.body.length, Number(end) + 1) - Number(start) : sum;
      }, 0);
      assert.ok(bytes < file.body.length, `${bytes} of ${file.body.length} bytes were asked for`);
      assert.deepEqual((await fetchAll(options)).unchanged, 2);
    }
  });

  it('fetches again what was damaged in place, by its checksum', async (test) => {
    const { options } = publish(test, TWO);
    await fetchAll(options);
    writeFileSync(join(options.into, first), MODEL('pig', 50));
    const { fetched, unchanged } = await fetchAll(options);
    assert.deepEqual([fetched, unchanged], [1, 1]);
    assert.equal(inputs(options), MODEL('zip', 50));
  });

  it('takes several files of a grid square, folders in folders, names of Windows; says what it leaves out', async (test) => {
    const { options } = publish(test, [
      { name: '13101_city/udx/bldg/53394600_bldg_6697_2_op.gml', data: MODEL('two', 50) },
      { name: '13101_city/udx/bldg/53394600_bldg_6697_1_op.gml', data: MODEL('one', 50) },
      { name: '13101_city/udx/bldg/5339/53394610_bldg_6697.GML', data: MODEL('deep', 50) },
      { name: Buffer.from('udx\\bldg\\53394611_bldg_6697_op.gml'), data: MODEL('windows', 50) },
      { name: '../../../udx/bldg/53394612_bldg_6697_op.gml', data: MODEL('above', 50) },
      { name: '13101_city/udx/bldg/annex.gml', data: MODEL('annex', 50) },
      { name: '13101_city/udx/bldg/readme.txt', data: 'x' },
      { name: '__MACOSX/13101_city/udx/bldg/._53394600_bldg_6697_1_op.gml', data: 'x' },
      { name: '../../etc/passwd', data: 'x' },
    ]);
    const { fetched, failed, remarks } = await fetchAll(options);
    assert.deepEqual([fetched, failed], [5, []]);
    const names = ['53394600', '53394600-2', '53394610', '53394611', '53394612'].map((code) => `${code}_bldg.gml`);
    assert.deepEqual(readdirSync(join(options.into, 'citygml/13101')).sort(), names.sort());
    assert.equal(inputs(options), MODEL('one', 50));
    assert.equal(inputs(options, 'citygml/13101/53394600-2_bldg.gml'), MODEL('two', 50));
    assert.deepEqual(
      remarks.map((line) => line.replace(replica.origin, '')),
      [`${ZIP}: "13101_city/udx/bldg/annex.gml": left out, since its name does not begin with a grid square`],
    );
  });

  // Before, the old file of the entry was moved below earlier/, though nothing took its place.
  it('a zip of which an entry is left out moves no file of an earlier one away', async (test) => {
    const { options, folder } = publish(test, TWO);
    await fetchAll(options);
    const [{ name, data }, other] = [TWO[0]!, TWO[1]!];
    writeZip(join(folder, 'city.zip'), [
      { name, data },
      { ...other, name: '13101_city/udx/bldg/annex.gml' },
    ]);
    replica.put(ZIP, readFileSync(join(folder, 'city.zip')));
    const { failed, withdrawn } = await fetchAll(options);
    assert.deepEqual([failed, withdrawn], [[], []]);
    assert.equal(inputs(options, 'citygml/13101/53394601_bldg.gml'), MODEL('zip2', 50));
  });

  it('a bad entry has its line, and the others are there', async (test) => {
    const { options, file } = publish(test, [
      { name: building('53394600'), data: MODEL('secret', 50), encrypted: true },
      { name: building('53394601'), data: MODEL('zip', 50) },
      { name: building('53394602'), data: MODEL('damaged', 50), stored: true },
      { name: building('53394603'), data: MODEL('long', 1e6) },
      { name: building('53394604'), data: '<core:CityModel>cut' },
    ]);
    file.body.write('Damaged', file.body.indexOf('damaged'));
    // The last says in the directory that it is shorter than it is.
    file.body.writeUInt32LE(500, file.body.lastIndexOf(building('53394603')) - 22);
    const { fetched, failed } = await fetchAll(options);
    assert.equal(fetched, 1);
    assert.deepEqual(Object.keys(lockOf(options)), ['citygml/13101/53394601_bldg.gml']);
    const reasons = failed.map(({ path, reason }) => `${path.slice(14, 22)} ${reason.replace(/^.*: /, '')}`);
    assert.match(reasons.join('\n'), /^53394600 .* is encrypted$/m);
    assert.match(reasons.join('\n'), /^53394602 wrong checksum \(CRC-32\)$/m);
    assert.match(reasons.join('\n'), /^53394603 too many bytes in the stream\. expected 500\. got at least/m);
    assert.match(reasons.join('\n'), /^53394604 holds a city model without its end$/m);
    assert.deepEqual(readdirSync(join(options.into, 'citygml/13101')), ['53394601_bldg.gml']);
  });

  it('a zip of which no file names a grid square has failed', async (test) => {
    const { options } = publish(test, [{ name: '13101_city/udx/bldg/annex.gml', data: MODEL('annex', 50) }]);
    const { fetched, failed } = await fetchAll(options);
    assert.deepEqual([fetched, failed.length], [0, 1]);
    assert.match(failed[0]?.reason ?? '', /no name below udx\/bldg begins with a grid square$/);
  });

  it('goes on where the directory or an entry breaks off or stalls', async (test) => {
    for (const fault of [tenBytes(30), tenBytes(null)]) {
      for (const at of [1, 2, 3]) {
        const { options, file } = publish(test, TWO, { idleMs: 200 });
        file.faults = from(at, fault);
        const { fetched, failed } = await fetchAll(options);
        assert.deepEqual([fetched, failed], [2, []], `request ${at}`);
        assert.equal(inputs(options), MODEL('zip', 50));
      }
    }
  });

  it('a block that could not be read is requested again for the next entry', async (test) => {
    // The local headers of both entries are in the first block, the directory is far behind.
    const { options, file } = publish(test, [...TWO, TERRAIN]);
    let broken = 0;
    const outage: Fault = (request, response, published) => {
      if (!request.headers.range?.startsWith('bytes=0-262143') || broken === 3)
        return serve(request, response, published);
      broken++;
      response.destroy();
    };
    file.faults = Array.from({ length: 30 }, () => outage);
    const { fetched, failed } = await fetchAll(options);
    assert.deepEqual([broken, fetched, failed.map(({ path }) => path)], [3, 1, [first]]);
  });

  it('a zip that changes while it is read is said to have changed', async (test) => {
    const { options, file } = publish(test, TWO);
    file.faults = [
      (request, response) => {
        serve(request, response, file);
        file.etag = '"another"';
      },
    ];
    const { failed } = await fetchAll(options);
    assert.match(failed[0]?.reason ?? '', /changed while it was read; run it again/);
  });

  const wrong: [string, (file: { body: Buffer; faults?: Fault[] }) => void, RegExp][] = [
    [
      'gives no ranges',
      (file) => (file.faults = [(_, response) => void response.writeHead(200).end('whole')]),
      /status 200, the whole file for a range: this server supports none/,
    ],
    [
      'gives more than was asked for',
      (file) =>
        (file.faults = from(1, (_, response, { body, etag = '' }) => {
          const range = `bytes 0-${body.length - 1}/${body.length}`;
          response.writeHead(206, { etag, 'content-range': range }).end(Buffer.concat([body, body]));
        })),
      /more than the \d+ bytes/,
    ],
    [
      'lies about its size',
      (file) =>
        (file.faults = [
          (_, response) => void response.writeHead(206, { 'content-range': 'bytes 0-0/1000000' }).end('P'),
        ]),
      /changed while it was read|directory cannot be read|status 416/,
    ],
    ['is a web page', (file) => (file.body = Buffer.from('<html>'.repeat(100))), /its directory cannot be read/],
    ['has no directory', (file) => file.body.fill(0, file.body.length - 22), /its directory cannot be read/],
    [
      'says that its directory lies elsewhere',
      (file) => file.body.writeUInt32LE(7, file.body.length - 6),
      /its directory cannot be read/,
    ],
    [
      'says that it has more entries than it has',
      (file) => file.body.writeUInt16LE(60_000, file.body.length - 12),
      /ends before its directory says so/,
    ],
    [
      'has entries that overlap',
      (file) => file.body.writeUInt32LE(file.body.length, file.body.lastIndexOf(building('53394601')) - 26),
      /its entries overlap, so that it is no sound zip/,
    ],
    [
      'names more files than a city has',
      (file) => {
        const at = file.body.lastIndexOf(building('53394600')) - 46;
        const entry = file.body.subarray(at, at + 46 + building('53394600').length);
        entry.writeUInt32LE(0, 20);
        const count = 20_001;
        const end = file.body.subarray(-22);
        end.writeUInt16LE(count, 8);
        end.writeUInt16LE(count, 10);
        end.writeUInt32LE(count * entry.length, 12);
        end.writeUInt32LE(at, 16);
        file.body = Buffer.concat([file.body.subarray(0, at), ...Array.from({ length: count }, () => entry), end]);
      },
      /more than 20000 building files/,
    ],
    [
      'leads to a stranger',
      (file) => (file.faults = [redirect('http://127.0.0.2:9/x.zip')]),
      /leads to 127\.0\.0\.2:9, which is not a host/,
    ],
  ];
  for (const [name, arrange, reason] of wrong) {
    it(`a zip that ${name}: a clear line, nothing in place`, async (test) => {
      const { options, file } = publish(test, TWO);
      arrange(file);
      const { fetched, failed } = await fetchAll(options);
      assert.equal(fetched, 0);
      assert.equal(failed.length, 1);
      assert.match(failed[0]?.reason ?? '', reason);
      assert.ok(!existsSync(join(options.into, first)));
    });
  }

  it('an entry that says it unpacks to more than there is room for stops the run before it is read', async (test) => {
    const { options, file } = publish(test, TWO, { zip64: true });
    const size = file.body.lastIndexOf(Buffer.from([1, 0, 24, 0])) + 4;
    file.body.writeBigUInt64LE(2n ** 50n, size);
    await assert.rejects(fetchAll(options), /\d+ bytes are to come and \d+ are free/);
  });

  it('finds the zip of the 23 wards of Tokyo by the name of its own, and names it to who asks for one ward', async (test) => {
    const { options } = publish(test, TWO);
    const whole = '/13100_tokyo23-ku_2022_citygml_1_2_op.zip';
    replica.files.set(whole, replica.files.get(ZIP)!);
    const results = [{ resources: [{ url: `${replica.origin}${whole}?download=1` }] }];
    replica.put('/search?q=tokyo23ku', JSON.stringify({ result: { results } }));
    replica.put('/search?q=13102', JSON.stringify({ result: { results: [] } }));
    replica.put(`${whole}?download=1`, replica.files.get(ZIP)?.body ?? '');
    const { fetched, failed } = await fetchAll({ ...options, cities: ['13100', '13102'] });
    assert.equal(fetched, 2);
    assert.match(
      failed[0]?.reason ?? '',
      /no zip of 13102's city model among 0 packages; --city 13100 takes the one of all 23 wards/,
    );
  });
});

/** Promises what was asked for, gives ten bytes of it, and cuts the connection after so many milliseconds; null: never. */
const tenBytes =
  (cutMs: number | null): Fault =>
  (request, response, file) => {
    response.end = ((body: Buffer) => {
      response.write(body.subarray(0, 10));
      if (cutMs !== null) setTimeout(() => response.destroy(), cutMs);
      return response;
    }) as typeof response.end;
    serve(request, response, file);
  };
