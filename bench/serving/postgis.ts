import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Place } from './targets.ts';

const execute = promisify(execFile);

/** Where Debian puts a version of PostgreSQL. */
const VERSIONS = '/usr/lib/postgresql';

/** The newest PostgreSQL with PostGIS on this machine, or what to do about it. */
export function findPostgis(): { bin: string } | { missing: string } {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const version = versions.find((name) => existsSync(`/usr/share/postgresql/${name}/extension/postgis.control`));
  if (version !== undefined) return { bin: join(VERSIONS, version, 'bin') };
  return { missing: 'PostgreSQL with PostGIS is not installed (on Debian: apt-get install postgresql-15-postgis-3)' };
}

/**
 * Buildings as a table of footprints in metres (EPSG:6677, zone 9), clustered by a GiST index, with the text of each
 * summary. This is the fastest layout for PostGIS to find the nearest.
 */
const schema = (rows: string): string => `
CREATE EXTENSION postgis;
CREATE TABLE raw (id text, lat float8, lon float8, wkb text, summary text);
\\copy raw FROM '${rows}' (FORMAT csv)
CREATE TABLE buildings AS
  SELECT id, summary, ST_Transform(ST_GeomFromWKB(decode(wkb, 'hex'), 4326), 6677) AS footprint FROM raw;
CREATE INDEX footprints ON buildings USING gist (footprint);
CLUSTER buildings USING footprints;
`;

/**
 * The fastest form of those tried: the place as a sub-query that runs once, the index for the radius, then the nearest
 * of the rest, with ties by ID as in the answers of the server. A join took a fifth longer; ordering by the index was
 * not faster.
 */
const NEAREST = (radius: number, limit: number, places: number): string => {
  const place = '(SELECT point FROM places WHERE i = :i)';
  return `
\\set i random(1, ${places})
SELECT json_agg(q) FROM (
  SELECT footprint <-> ${place} AS distance_m, summary
  FROM buildings
  WHERE ST_DWithin(footprint, ${place}, ${radius})
  ORDER BY footprint <-> ${place}, id LIMIT ${limit}
) AS q;
`;
};

/** PostgreSQL with the buildings of a dataset, in a temporary folder with a socket. */
export class Postgis {
  readonly #bin: string;
  readonly #folder: string;
  readonly #owner: { uid?: number; gid?: number };
  #server: ChildProcess | null = null;
  #places = 0;

  /** @param bin folder of the PostgreSQL programs. */
  constructor(bin: string) {
    this.#bin = bin;
    this.#folder = mkdtempSync(join(tmpdir(), 'hidamari-pg-'));
    // PostgreSQL refuses to run as root.
    const of = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    this.#owner = process.getuid?.() === 0 ? { uid: of('-u'), gid: of('-g') } : {};
    if (this.#owner.uid !== undefined) chownSync(this.#folder, this.#owner.uid, this.#owner.gid!);
  }

  get pid(): number {
    return this.#server!.pid!;
  }

  /** Creates the database and fills it from the bulk files of a dataset. */
  async start(dataset: string, places: readonly Place[]): Promise<void> {
    const data = join(this.#folder, 'data');
    const options = ['--auth=trust', '--username=bench', '--encoding=UTF8', '--locale=C', '--no-sync'];
    await execute(join(this.#bin, 'initdb'), ['-D', data, ...options], this.#owner);
    const settings = [
      ...['listen_addresses=', `unix_socket_directories=${this.#folder}`, 'fsync=off', 'autovacuum=off', 'jit=off'],
      ...['shared_buffers=512MB', 'max_parallel_workers_per_gather=0'],
    ];
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    this.#server = spawn(join(this.#bin, 'postgres'), args, { ...this.#owner, stdio: 'ignore' });
    while (!(await this.#sql('SELECT 1').then(...YES_OR_NO))) {
      if (this.#server.exitCode !== null) throw new Error('PostgreSQL has ended');
      await delay(100);
    }
    const rows = await buildingRows(dataset, this.#folder);
    await this.#sql(schema(rows));
    const values = places.map(({ lat, lon }, i) => `(${i + 1}, ${lon}, ${lat})`).join(',\n');
    await this.#sql(
      `CREATE TABLE places AS SELECT i, ST_Transform(ST_SetSRID(ST_MakePoint(lon, lat), 4326), 6677) AS point
       FROM (VALUES ${values}) AS v(i, lon, lat);
       ALTER TABLE places ADD PRIMARY KEY (i); ANALYZE;`,
    );
    this.#places = places.length;
  }

  /**
   * Requests the nearest buildings of random places; returns answers per second, and processor time per answer in
   * microseconds.
   */
  async nearest(
    radius: number,
    limit: number,
    connections: number,
    seconds: number,
  ): Promise<{ rate: number; cpu: number }> {
    const script = join(this.#folder, 'nearest.sql');
    // One statement has to stand on one line.
    const [set, ...lines] = NEAREST(radius, limit, this.#places).trim().split('\n');
    writeFileSync(script, `${set}\n${lines.join(' ')}\n`);
    const backends = this.#children();
    const before = this.#cpu();
    const [time, clients] = [
      ['-T', String(Math.ceil(seconds))],
      ['-c', String(connections)],
    ];
    const args = [
      '-h',
      this.#folder,
      '-U',
      'bench',
      '-n',
      '-M',
      'prepared',
      '-f',
      script,
      ...time,
      ...clients,
      'postgres',
    ];
    const { stdout } = await execute(join(this.#bin, 'pgbench'), args);
    // The time of a backend is counted when it has ended.
    while (this.#children() > backends) await delay(10);
    const answers = Number(/transactions actually processed: (\d+)/.exec(stdout)![1]);
    const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)![1]);
    return { rate, cpu: (this.#cpu() - before) / answers };
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server !== null && server.exitCode === null) {
      server.kill('SIGINT');
      await new Promise((resolve) => server.once('exit', resolve));
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The queries run in child processes. When they end, their time is added to that of the parent. Microseconds. */
  #cpu(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0) * 10_000; // ticks of 1/100 s
  }

  #children(): number {
    return readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').split(' ').length;
  }

  async #sql(text: string): Promise<void> {
    const file = join(this.#folder, 'statements.sql');
    writeFileSync(file, text);
    const options = ['-h', this.#folder, '-U', 'bench', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, 'postgres'];
    await execute(join(this.#bin, 'psql'), options);
  }
}

const YES_OR_NO = [() => true, () => false] as const;

/** The rows of all wards as CSV: ID, position, footprint as hexadecimal WKB, everything else as JSON. */
async function buildingRows(dataset: string, folder: string): Promise<string> {
  const out = join(folder, 'buildings.csv');
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const files = join(dataset, 'bulk', 'sunlight', '*.parquet');
  await connection.run('SET enable_geoparquet_conversion = false');
  const columns = await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${files}'`);
  const plain = columns
    .getRows()
    .map(([name]) => String(name))
    .filter((name) => !/_minutes_|^(geometry|bbox)$/.test(name));
  const summary = `to_json(struct_pack(${plain.map((name) => `${name} := ${name}`).join(', ')}))`;
  await connection.run(
    `COPY (SELECT building_id, lat, lon, hex(geometry), ${summary} FROM '${files}') TO '${out}' (FORMAT csv, HEADER false)`,
  );
  connection.closeSync();
  database.closeSync();
  return out;
}
