import assert from 'node:assert/strict';
import { openAsBlob, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { FetchSource, PMTiles, type Source } from 'pmtiles';
import type { Dataset } from '../../src/dataset/dataset.ts';
import { openDataset, openNamed, openNewest } from '../../src/dataset/open.ts';
import { CheckedFile } from '../../src/formats/checked-file.ts';
import { listFiles } from '../../src/formats/files.ts';
import { PmtilesReader } from '../../src/formats/pmtiles.ts';
import { DIRECTIONS } from '../../src/geo/compass.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { landmarkTiles } from '../../src/map/landmark-tiles.ts';
import { hasDataset } from '../../src/snapshot/listing.ts';
import { draftManifest, publishRecords } from '../dataset/support/dataset.ts';
import { records } from '../dataset/support/records.ts';
import { startServer } from '../support/api-server.ts';
import { generatedDataset } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DIGITS = '0123456789abcdef';
const FLOORS = ['first', 'middle', 'top'] as const;

/** The archive read by the reference implementation, from memory. */
async function archive(path: string): Promise<PMTiles> {
  const blob = await openAsBlob(path);
  const source: Source = {
    getKey: () => path,
    getBytes: async (offset, length) => ({ data: await blob.slice(offset, offset + length).arrayBuffer() }),
  };
  return new PMTiles(source);
}

/** The script of the map that reads tiles. */
const HOURS_STYLE = new URL('../../src/site/map/browser/hours-style.js', import.meta.url);
const MAP_LAYERS = new URL('../../src/site/map/browser/layers.js', import.meta.url);
interface MapLayers {
  mapStyle(
    parts: object,
    choices: object,
    isDark: boolean,
  ): { layers: { id: string; 'source-layer'?: string; filter?: unknown; paint?: Record<string, unknown> }[] };
  hatch(isDark: boolean): { width: number; height: number; data: Uint8Array };
  hoursFilters(choices: object): Record<string, unknown>;
}
interface HoursStyle {
  shownFace(properties: { faces: string | undefined }, choices: object): string | null;
  colouredBy(
    properties: { faces: string | undefined; best?: string },
    choices: object,
  ): { face: string; hours: number }[];
}

describe('the map of a dataset', () => {
  const out = join(tempFolder({ after }), 'data');
  let folder = '';
  let dataset: Dataset;
  let archiveFile: CheckedFile;
  before(async () => {
    const [name = ''] = readdirSync(await generatedDataset(out));
    folder = join(out, name);
    dataset = await openDataset(folder);
    archiveFile = await CheckedFile.asItIs(join(folder, 'map.pmtiles'));
  });
  after(() => dataset.close());

  /** Every feature of a layer at a zoom, by an independent decoder of archive and tiles. */
  async function features(z: number, layer: string) {
    const tiles = await archive(join(folder, 'map.pmtiles'));
    const places = [...new PmtilesReader(await CheckedFile.asItIs(join(folder, 'map.pmtiles'))).tiles()].filter(
      (tile) => tile.z === z,
    );
    const found: { x: number; y: number; properties: Record<string, string | number>; rings: number }[] = [];
    for (const { x, y } of places) {
      const tile = new VectorTile(new PbfReader((await tiles.getZxy(z, x, y))!.data));
      const { [layer]: decoded } = tile.layers;
      for (let i = 0; i < (decoded?.length ?? 0); i++) {
        const feature = decoded!.feature(i);
        const properties = feature.properties as Record<string, string | number>;
        found.push({ x, y, properties, rings: feature.loadGeometry().length });
      }
    }
    return found;
  }

  const ids = (): string[] =>
    dataset.sunlight!.towns().flatMap(({ town_code }) => {
      const page = dataset.sunlight!.town(town_code, 1, 1000);
      return page?.toJSON().buildings.map(({ building_id }) => building_id) ?? [];
    });

  it('streets, a railway, stations, a river and parks of a dense city add at most a quarter to its tiles', async () => {
    const bytes = [...new PmtilesReader(archiveFile).tiles()].reduce((sum, tile) => sum + tile.bytes.length, 0);
    const [west, south, east, north] = dataset.map!.bounds;
    const [latM, lonM] = [1 / 111_000, 1 / 90_000];
    const about = { name: null, shape: 'area' } as const;
    // Streets 6 m wide around blocks of 60 by 60 m, as the city model has them: an area from crossing to crossing.
    const strip = (x: number, y: number, width: number, height: number): Float64Array =>
      Float64Array.of(x, y, x + width, y, x + width, y + height, x, y + height, x, y);
    const landmarks: Parameters<typeof landmarkTiles>[0][number][] = [];
    for (let x = west; x < east; x += 60 * lonM) {
      for (let y = south; y < north; y += 60 * latM) {
        landmarks.push({ ...about, layer: 'roads', parts: [strip(x, y, 54 * lonM, 6 * latM)] });
        landmarks.push({ ...about, layer: 'roads', parts: [strip(x, y, 6 * lonM, 54 * latM)] });
      }
    }
    const line = Float64Array.from({ length: 80 }, (_, i) =>
      i % 2 === 0 ? west + ((east - west) * i) / 80 : south + (north - south) * (0.5 + 0.1 * Math.sin(i)),
    );
    landmarks.push({ layer: 'rails', name: '中央線', shape: 'line', parts: [line] });
    landmarks.push({ layer: 'water', name: '神田川', shape: 'line', parts: [line.map((value) => value + 0.001)] });
    landmarks.push({ layer: 'stations', name: '神田', shape: 'point', parts: [line.slice(0, 2)] });
    landmarks.push({ ...about, layer: 'parks', name: '公園', parts: [strip(west, south, 100 * lonM, 100 * latM)] });
    const added = [...landmarkTiles(landmarks, () => null)].reduce((sum, tile) => sum + gzipSync(tile.bytes).length, 0);
    assert.ok(added > 0 && added <= bytes / 4, `${added} of ${bytes} bytes`);
  });

  it('shows every building once at zoom 14 and 15, with the hours of the full answer', async () => {
    for (const z of [14, 15]) {
      const found = await features(z, 'buildings');
      const shown = found.map(({ properties }) => String(properties.building_id));
      assert.equal(new Set(shown).size, shown.length);
      assert.equal(shown.length, dataset.manifest.halves.sunlight!.counts.buildings);
      assert.deepEqual(
        ids().filter((id) => !shown.includes(id)),
        [],
      );
      let values = 0;
      for (const { properties, rings } of found) {
        assert.ok(rings > 0, String(properties.building_id));
        const full = dataset.sunlight!.full(String(properties.building_id))!.toJSON();
        if (z === 15) assert.equal(properties.height_m, Math.round(full.height_m * 10) / 10);
        for (const [f, floor] of FLOORS.entries()) {
          for (let month = 0; month < 12; month++) {
            const hours = full.faces.map((face) => face.floors[floor].months[month]!.direct_sun_hours);
            const at = 12 * f + month;
            if (z === 14) {
              const best = hours.length === 0 ? undefined : DIGITS[Math.floor(Math.max(...hours))];
              assert.equal((properties.best as string | undefined)?.[at], best);
            } else {
              for (const [i, { face }] of full.faces.entries()) {
                const text = String(properties.faces);
                const from = text.indexOf('ABCDEFGH'[DIRECTIONS.indexOf(face)]!);
                assert.equal(
                  text[from + 1 + at],
                  DIGITS[Math.floor(hours[i]!)],
                  `${full.building_id} ${face} ${floor}`,
                );
              }
            }
            values += hours.length;
          }
        }
        if (full.faces.length === 0) assert.deepEqual([properties.best, properties.faces], [undefined, undefined]);
      }
      assert.ok(values > 10_000);
    }
  });

  it('colours a town by the mean of the best faces, not by the largest mean of a face', async () => {
    const { colouredBy } = (await import(String(HOURS_STYLE))) as HoursStyle;
    const town = { best: '3'.repeat(36), faces: `A${'6'.repeat(36)}E${'2'.repeat(36)}` };
    const choices = { month: 12, floor: 'top' };
    assert.deepEqual(colouredBy(town, { ...choices, face: 'best' }), [{ face: 'best', hours: 3 }]);
    assert.deepEqual(colouredBy(town, { ...choices, face: 'S' }), [{ face: 'S', hours: 2 }]);
  });

  it('takes the nearest face within 67.5° where none looks the chosen way, as floors do', async () => {
    const { colouredBy, shownFace } = (await import(String(HOURS_STYLE))) as HoursStyle;
    let standIns = 0;
    for (const { properties } of await features(15, 'buildings')) {
      const shape = dataset.sunlight!.shape(String(properties.building_id))!;
      const faces = properties.faces === undefined ? undefined : String(properties.faces);
      for (const direction of DIRECTIONS) {
        const choices = { face: direction, month: 6, floor: 'top' };
        const shown = shownFace({ faces }, choices);
        if (faces !== undefined) assert.equal(shown, shape.towards(direction)?.face ?? null);
        if (shown !== null && shown !== direction) standIns++;
        const coloured = colouredBy({ faces }, choices);
        assert.deepEqual(
          coloured.map(({ face }) => face),
          faces === undefined || shown === null ? [] : [shown],
        );
      }
    }
    assert.ok(standIns > 100, String(standIns));
  });

  it('hatches the buildings whose hours are unknown, as legends do, also in relief', async () => {
    const { mapStyle, hatch, hoursFilters } = (await import(String(MAP_LAYERS))) as MapLayers;
    const choices = { face: 'N', month: 6, floor: 'top', relief: false };
    const colours = { scale: ['#000'], classes: [0], unknown: '#888' };
    const { layers } = mapStyle({ tiles: '', bounds: [0, 0, 1, 1], below: null, colours }, choices, false);
    const hatchedBy = (pattern: string) =>
      layers.filter(({ paint }) => paint?.[pattern] === 'hatch').map((layer) => [layer['source-layer'], layer.filter]);
    const filters = hoursFilters(choices);
    const isUnknown = filters['unknown-areas'];
    assert.deepEqual(
      hatchedBy('fill-pattern'),
      ['buildings', 'edges'].map((layer) => [layer, isUnknown]),
    );
    assert.deepEqual(hatchedBy('fill-extrusion-pattern'), [['buildings', isUnknown]]);
    assert.deepEqual(layers.find(({ id }) => id === 'building-reliefs')?.filter, ['!', isUnknown]);
    for (const isDark of [false, true]) {
      const { width, height, data } = hatch(isDark);
      assert.equal(data.length, 4 * width * height);
      assert.equal(new Set(data.filter((_, i) => i % 4 === 0)).size, 2);
    }
  });

  it('shows every town, and its name in one tile of each zoom', async () => {
    const towns = dataset.sunlight!.towns();
    for (let z = 8; z <= 13; z++) {
      const areas = new Set((await features(z, 'towns')).map(({ properties }) => properties.town_code));
      assert.deepEqual(
        [...areas].sort(),
        towns.map(({ town_code }) => town_code),
      );
      const labels = (await features(z, 'town_labels')).map(({ properties }) => properties.town_code);
      assert.deepEqual(
        labels.sort(),
        towns.map(({ town_code }) => town_code),
      );
    }
  });

  it('a town shows the means over its buildings', async () => {
    const { properties } = (await features(13, 'towns')).find(({ properties }) => Number(properties.n) > 20)!;
    const page = dataset.sunlight!.town(String(properties.town_code), 1, 1000)!.toJSON();
    const full = page.buildings.map(({ building_id }) => dataset.sunlight!.full(building_id)!.toJSON());
    const walls = full.filter(({ faces }) => faces.length > 0);
    assert.equal(properties.n, walls.length);
    const december = walls.map(({ faces }) =>
      Math.max(...faces.map((face) => face.floors.top.months[11]!.direct_sun_hours)),
    );
    const mean = december.reduce((sum, hours) => sum + hours, 0) / december.length;
    assert.equal(String(properties.best)[35], DIGITS[Math.floor(mean)]);
  });

  it('gives every tile as the reference implementation does, and says whose it is', async () => {
    const path = join(folder, 'map.pmtiles');
    const reader = new PmtilesReader(await CheckedFile.asItIs(path));
    const reference = await archive(path);
    const header = await reference.getHeader();
    assert.deepEqual([header.minZoom, header.maxZoom, header.numAddressedTiles], [8, 15, reader.count]);
    assert.equal(reader.tile(15, 0, 0), null);
    const metadata = (await reference.getMetadata()) as { attribution: string; vector_layers: { id: string }[] };
    assert.match(metadata.attribution, /架空の町/);
    assert.deepEqual(
      metadata.vector_layers.map(({ id }) => id),
      ['towns', 'town_labels', 'ward_labels', 'buildings', 'edges'],
    );
    assert.ok(readFileSync(path).length < 1_000_000);
  });

  it('no file of an invented town credits a publisher', async () => {
    for (const name of await listFiles(folder)) {
      const bytes = readFileSync(join(folder, name));
      for (const publisher of ['PLATEAU', 'e-Stat', '日本郵便', '介護サービス情報公表システム'])
        assert.ok(!bytes.includes(publisher), `${name} names ${publisher}`);
      if (name.endsWith('.parquet')) assert.ok(bytes.includes('架空の町'), name);
    }
  });

  const open = (unless?: string) => openNewest(out, unless === undefined ? {} : { unless });
  const keep = { keepMs: 60_000, has: (id: string) => hasDataset(out, id), open: (id: string) => openNamed(out, id) };
  const someTile = (): { z: number; x: number; y: number } => {
    const reader = new PmtilesReader(archiveFile);
    return [...reader.tiles()].find(({ z }) => z === 15) ?? assert.fail('no tile');
  };

  it('is served whole by ranges, as a reader of the format asks for it', async (t) => {
    const { url } = await startServer(t, { open });
    const address = `${url}/tiles/${dataset.manifest.dataset_id}.pmtiles`;
    const remote = new PMTiles(new FetchSource(address));
    const { z, x, y } = someTile();
    const tile = await fetch(`${url}/tiles/${dataset.manifest.dataset_id}/${z}/${x}/${y}.mvt`);
    assert.deepEqual(Buffer.from((await remote.getZxy(z, x, y))!.data), Buffer.from(await tile.arrayBuffer()));
    const whole = await fetch(address);
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), readFileSync(join(folder, 'map.pmtiles')));
    assert.match(whole.headers.get('cache-control')!, /immutable/);
    assert.equal((await fetch(`${url}/tiles/0000000000000000.pmtiles`)).status, 404);
    assert.equal((await fetch(`${url}/tiles/..%2f..%2fx.pmtiles`)).status, 404);
    const part = await fetch(address, { headers: { range: 'bytes=0-6' } });
    assert.deepEqual([part.status, await part.text()], [206, 'PMTiles']);
  });

  it('is described by TileJSON, whose tiles and layers are those of the archive', async (t) => {
    const { url } = await startServer(t, { open });
    const answer = await fetch(`${url}/map/tiles.json`);
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/json']);
    assert.match(answer.headers.get('cache-control')!, /^public, max-age=300/);
    const { tiles, vector_layers, bounds, ...about } = (await answer.json()) as {
      tiles: string[];
      vector_layers: { id: string; fields: object }[];
      bounds: number[];
    };
    const { attribution } = (await (await archive(join(folder, 'map.pmtiles'))).getMetadata()) as {
      attribution: string;
    };
    const { name, description, ...rest } = about as Record<string, unknown>;
    assert.deepEqual(rest, { tilejson: '3.0.0', attribution, scheme: 'xyz', minzoom: 8, maxzoom: 15 });
    assert.ok(name && description);
    const [west = 0, south = 0, east = 0, north = 0] = bounds;
    assert.ok(west < east && south < north && west > 122 && north < 46);
    const { z, x, y } = someTile();
    const path = new URL(tiles[0]!.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`)).pathname;
    const tile = new VectorTile(new PbfReader(Buffer.from(await (await fetch(url + path)).arrayBuffer())));
    const listed = new Map(vector_layers.map(({ id, fields }) => [id, Object.keys(fields)]));
    for (const [id, layer] of Object.entries(tile.layers))
      for (const field of Object.keys(layer.feature(0).properties)) assert.ok(listed.get(id)?.includes(field), id);
  });

  it('tiles and pieces of the map have a limit of their own; pages and scripts do not count against it', async (t) => {
    const { url } = await startServer(t, {
      open,
      limiters: { pages: new MemoryRateLimiter(2), tiles: new MemoryRateLimiter(3) },
    });
    const { z, x, y } = someTile();
    const id = dataset.manifest.dataset_id;
    const status = async (path: string): Promise<number> => (await fetch(url + path)).status;
    const tile = `/tiles/${id}/${z}/${x}/${y}.mvt`;
    const page = await (await fetch(`${url}/en/map/`)).text();
    const script = /\/assets\/map\/[^"]+main\.js/.exec(page)?.[0] ?? assert.fail('no script');
    assert.deepEqual([await status(tile), await status(`/tiles/${id}.pmtiles`), await status(tile)], [200, 200, 200]);
    const refused = await fetch(url + tile);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('ratelimit-policy'), '"default";q=3;w=60');
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    for (let i = 0; i < 5; i++) assert.equal(await status(script), 200);
    assert.deepEqual([await status('/en/method/'), await status('/en/about/')], [200, 429]);
  });

  it('tiles of the dataset before are there after a change of datasets', async (t) => {
    const { url, service } = await startServer(t, { open, keep });
    const { z, x, y } = someTile();
    const tile = `${url}/tiles/${dataset.manifest.dataset_id}/${z}/${x}/${y}.mvt`;
    const before = Buffer.from(await (await fetch(tile)).arrayBuffer());
    const RECORDS = fc
      .sample(records, { numRuns: 3, seed: 1 })
      .map((record, i) => ({ ...record, buildingId: `13101-bldg-${i}` }));
    const newer = await publishRecords(out, RECORDS, [], draftManifest('00000000000000ff', '2026-02-01T00:00:00Z'));
    await service.datasets.swap();
    assert.equal(service.datasets.current.dataset.manifest.dataset_id, '00000000000000ff');
    const after = await fetch(tile);
    assert.equal(after.status, 200);
    assert.deepEqual(Buffer.from(await after.arrayBuffer()), before);
    assert.equal((await fetch(`${url}/tiles/${dataset.manifest.dataset_id}.pmtiles`)).status, 200);
    assert.equal((await fetch(`${url}/tiles/00000000000000ff/${z}/${x}/${y}.mvt`)).status, 404);
    rmSync(newer, { recursive: true });
  });
});

it('the hash of the address is a view only where it names a place on earth; its zoom is one of the map', async () => {
  const { hashView } = await import(new URL('../../src/site/map/browser/tiles.js', import.meta.url).href);
  const view = { lat: 35.7, lon: 139.7 };
  for (const [hash, zoom] of [
    ['#15.5/35.7/139.7', 15.5],
    ['#99/35.7/139.7', 19],
    ['#5/35.7/139.7/45/60', 8],
  ] as const)
    assert.deepEqual(hashView(hash), { ...view, zoom });
  for (const hash of ['', '#', '#15', '#15/91/139.7', '#15/35.7/500', '#1.5.5/35.7/139.7', '#here'])
    assert.equal(hashView(hash), null, hash);
});
