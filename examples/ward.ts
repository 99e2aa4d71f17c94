// Questions about a whole ward, asked of its Parquet file: npx node examples/ward.ts WARD_CODE
// Editors that know cells run each part behind a `%%` line by itself.

// %% Fetch the file once. The signed URL works for an hour; the file has a row for each building.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const BASE = process.env.HIDAMARI_URL ?? 'http://127.0.0.1:8080';
const [ward = '13101'] = process.argv.slice(2);

const response = await fetch(`${BASE}/api/v1/sunlight/bulk/${ward}`);
const answer = (await response.json()) as { data: { url: string }; meta: { attribution: string }; detail: string };
if (!response.ok) throw new Error(answer.detail);
const file = join(await mkdtemp(join(tmpdir(), 'ward-')), `${ward}.parquet`);
await writeFile(file, await (await fetch(answer.data.url)).bytes());

const database = await (await DuckDBInstance.create()).connect();
await database.run(`CREATE VIEW buildings AS SELECT * FROM read_parquet('${file}')`);

async function show(title: string, sql: string): Promise<void> {
  console.log(title);
  console.table((await database.runAndReadAll(sql)).getRowObjectsJson());
}

// %% Which towns have the sunniest walls on the top floor in December?
await show(
  'towns with at least 20 buildings, sunniest first',
  `SELECT town_name, count(*) AS buildings, round(avg(december_top_best_direct_sun_hours), 2) AS december_hours
   FROM buildings GROUP BY town_name HAVING count(*) >= 20 ORDER BY december_hours DESC LIMIT 5`,
);

// %% How much does height help?
await show(
  'hours of the best face in the mean of the year, by height',
  `SELECT floor(height_m / 10) * 10 AS from_m, count(*) AS buildings, round(avg(annual_mean_hours), 2) AS hours
   FROM buildings GROUP BY from_m ORDER BY from_m`,
);

// %% Print the credit with whatever you publish.
console.log(answer.meta.attribution);
