import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { built } from '../pipeline/run-build.ts';
import { ROOT, run } from '../support/run.ts';
import { type ServedCity, serveCity } from '../support/served-city.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';

const DOCS = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
const HOUSES = 12;
const COMPILED = { strict: true, skipLibCheck: true, target: 'esnext', module: 'nodenext', types: ['node'] };

/** The examples in one language. */
const examples = (language: string): string[] =>
  [...DOCS.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code);

describe('the examples of docs/clients.md', () => {
  let folder: string;
  let served: ServedCity;
  const cleanups: (() => void)[] = [];

  before(async () => {
    const cache = join(ROOT, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, 'clients-')); // below node_modules, where openapi-fetch is found
    // At the place that the examples ask about.
    await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(rowsOfHouses(HOUSES, { east: 380, north: 660 })) });
    await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
    served = await serveCity(
      { after: (cleanup) => cleanups.push(cleanup) },
      ['--data', join(folder, 'data')],
      'ignore',
    );
  });
  after(() => {
    for (const cleanup of cleanups) cleanup();
    rmSync(folder, { recursive: true, force: true });
  });

  it('TypeScript with openapi-fetch compiles against the shipped types and lists the buildings', async () => {
    const types = await run(process.execPath, [join(ROOT, 'scripts/openapi-types.ts')]);
    assert.equal(types.code, 0, types.stderr);
    const [code = ''] = examples('ts');
    await writeFiles(folder, {
      'package.json': '{ "type": "module" }',
      'node_modules/hidamari/package.json': '{ "name": "hidamari", "type": "module" }',
      'node_modules/hidamari/openapi.d.ts': types.stdout,
      'client.ts': code,
      'tsconfig.json': JSON.stringify({ compilerOptions: COMPILED, files: ['client.ts'] }),
    });
    const compiled = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    assert.equal(compiled.code, 0, compiled.stdout);
    listsTheBuildings(await run(process.execPath, [join(folder, 'client.js')], { env: { HIDAMARI_URL: served.url } }));
  });

  it('Python', async (test) => {
    const [plain = ''] = examples('python');
    if ((await run('python3', ['-c', 'import urllib.request']).catch(absent)).code !== 0) {
      test.skip('python3 is not installed');
      return;
    }
    listsTheBuildings(await run('python3', ['-c', plain], { env: { HIDAMARI_URL: served.url } }));
  });

  it('Python with httpx and pandas', async (test) => {
    const [, code = ''] = examples('python');
    if ((await run('python3', ['-c', 'import httpx, pandas, pyarrow']).catch(absent)).code !== 0) {
      test.skip('httpx, pandas and pyarrow are not installed');
      return;
    }
    const {
      code: exitCode,
      stdout,
      stderr,
    } = await run('python3', ['-c', code], { env: { HIDAMARI_URL: served.url } });
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /count +mean/);
  });

  it('R', async (test) => {
    const [list = '', bulk = ''] = examples('r');
    if ((await run('Rscript', ['-e', 'library(jsonlite)']).catch(absent)).code !== 0) {
      test.skip('Rscript with jsonlite is not installed');
      return;
    }
    const env = { HIDAMARI_URL: served.url };
    listsTheBuildings(await run('Rscript', ['-e', list], { env }));
    if ((await run('Rscript', ['-e', 'library(nanoparquet)'])).code !== 0) {
      test.diagnostic('nanoparquet is not installed: the second part was not run');
      return;
    }
    const { code, stdout, stderr } = await run('Rscript', ['-e', `${list}\n${bulk}`], { env });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Median/);
  });

  it('DuckDB, over the signed URL or on what was fetched from it', async (test) => {
    const { data } = (await (await fetch(`${served.url}/api/v1/sunlight/bulk/13101`)).json()) as {
      data: { url: string };
    };
    const file = join(folder, '13101.parquet');
    writeFileSync(file, Buffer.from(await (await fetch(data.url)).arrayBuffer()));
    const connection = await (await DuckDBInstance.create()).connect();
    const [query = ''] = examples('sql');
    const count = async (from: string): Promise<number> => {
      const rows = await connection.runAndReadAll(query.replace('{url}', from));
      return rows.getRowObjects().reduce((sum, { buildings }) => sum + Number(buildings), 0);
    };
    assert.equal(await count(file), HOUSES);
    const hasHttp = await connection.run('LOAD httpfs').then(
      () => true,
      () => false,
    );
    if (hasHttp) assert.equal(await count(data.url), HOUSES);
    else test.diagnostic('the extension httpfs is not installed: the URL itself was not read');
  });
});

/** A program that cannot be started. */
const absent = () => ({ code: 127 });

function listsTheBuildings({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): void {
  assert.equal(code, 0, stderr);
  const lines = stdout.split('\n').filter((line) => /^13101-bldg-\d+ \d+(\.\d+)?$/.test(line));
  assert.equal(lines.length, HOUSES, stdout);
}
