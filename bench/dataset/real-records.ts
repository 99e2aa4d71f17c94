import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { gridSquareOf } from '../../src/geo/grid-square.ts';
import { azimuthDeg, convergenceDeg, planeOf, toPlane } from '../../src/geo/plane.ts';
import { representativePoint } from '../../src/geo/polygon.ts';
import type { Footprint } from '../../src/plateau/building.ts';
import type { BuildingRecord } from '../../src/record/building-record.ts';
import type { EncodedBuilding } from '../../src/record/codec.ts';
import { encodeRecord } from '../../src/record/codec.ts';
import { sunTable } from '../../src/solar/day-path.ts';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { frameAt, SceneBuilder } from '../../src/sunlight/scene.ts';
import { storeysOf } from '../../src/sunlight/storeys.ts';
import { type SunCurves, sunCurves } from '../../src/sunlight/sun-curves.ts';
import { ONLY_ESTIMATED } from '../../test/support/attributes.ts';

interface Published {
  id: string;
  town: string | undefined;
  heightM: number;
  footprints: Footprint[];
  lat: number;
  lon: number;
}

const RECEPTOR_DAYS = 12 * 3;

/**
 * Computes the buildings of `tokyo6wards.ndjson.gz` (flat ground) with the kernel and writes their records, in order
 * of ID, as one file for the other benches: `u16 length of ID · ID · u32 length · record` each.
 *
 *     node bench/dataset/real-records.ts ../shared/data/plateau/tokyo6wards.ndjson.gz OUT [MOST BUILDINGS]
 */
async function main(input: string, output: string, most: number): Promise<void> {
  const buildings = await read(input);
  const frame = frameAt(35.68, 139.75);
  const builder = new SceneBuilder(frame);
  const placed = buildings.filter(({ footprints, heightM }) => builder.add(footprints, 0, heightM).building !== null);
  const scene = builder.finish();
  const kernel = kernelOf(scene);
  const plane = planeOf(frame.zone);
  const curves = new Map<string, SunCurves>();
  const file = createWriteStream(output);
  const order = placed.map((_, index) => index).sort((a, b) => (placed[a].id < placed[b].id ? -1 : 1));
  const step = Math.max(1, Math.floor(order.length / most));
  let bytes = 0;
  let count = 0;
  for (let at = 0; at < order.length; at += step) {
    const index = order[at];
    const { id, town, heightM, footprints, lat, lon } = placed[index];
    const square = gridSquareOf(lat, lon);
    const sun = curves.get(square) ?? sunCurves(sunTable(square), convergenceDeg(plane, lat, lon));
    curves.set(square, sun);
    const { storeys } = storeysOf(null, heightM, null);
    const result = computeBuilding(kernel, sun, index, storeys);
    const columns = result.faces.reduce((sum, face) => sum + face.receptors, 0);
    const own: [number, number] = [0, 0];
    toPlane(plane, lat, lon, own);
    const record: BuildingRecord = {
      ...ONLY_ESTIMATED,
      buildingId: id,
      wardCode: id.slice(0, 5),
      townCode: town ?? null,
      lat,
      lon,
      measuredHeightM: heightM,
      baseM: 0,
      topM: heightM,
      storeys,
      footprints,
      floors: result.floors,
      faces: result.faces,
      shadingSources: result.sources.map(({ building, blockedMinutes }) => {
        const other = placed[building];
        const point: [number, number] = [0, 0];
        toPlane(plane, other.lat, other.lon, point);
        return {
          kind: 'building' as const,
          buildingId: other.id,
          distanceM: Math.hypot(point[0] - own[0], point[1] - own[1]),
          azimuthDeg: (azimuthDeg(point[0] - own[0], point[1] - own[1]) + 360) % 360,
          heightM: other.heightM,
          blockedHours: blockedMinutes / 60 / (columns * RECEPTOR_DAYS),
          share: blockedMinutes / result.blockedMinutes,
        };
      }),
      selfShadedShare: result.blockedMinutes > 0 ? result.selfBlockedMinutes / result.blockedMinutes : 0,
    };
    const encoded = encodeRecord(record);
    const head = Buffer.alloc(6 + id.length);
    head.writeUInt16LE(id.length, 0);
    head.write(id, 2, 'latin1');
    head.writeUInt32LE(encoded.length, 2 + id.length);
    bytes += encoded.length;
    count++;
    if (!file.write(Buffer.concat([head, encoded]))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  console.log(`${count} records, ${(bytes / count).toFixed(0)} bytes each on average`);
}

async function read(input: string): Promise<Published[]> {
  const found: Published[] = [];
  for await (const line of createInterface({ input: createReadStream(input).pipe(createGunzip()) })) {
    if (line === '') continue;
    const { building_id, measuredHeight, town, coordinates } = JSON.parse(line);
    const footprints: Footprint[] = coordinates.map((rings: number[][][]) => ({
      rings: rings.map((ring) => Float64Array.from(ring.slice(0, -1).flatMap(([lon, lat]) => [lat, lon]))),
    }));
    const [lat, lon] = representativePoint(footprints.map(({ rings }) => rings));
    found.push({ id: building_id, town, heightM: measuredHeight, footprints, lat, lon });
  }
  return found;
}

/** Reads the file of records that this script writes, as an iterable for the store's writer. */
export async function readRecords(path: string): Promise<() => Generator<EncodedBuilding>> {
  const file = await open(path);
  const all = await file.readFile();
  await file.close();
  return function* () {
    for (let at = 0; at < all.length; ) {
      const idEnd = at + 2 + all.readUInt16LE(at);
      const end = idEnd + 4 + all.readUInt32LE(idEnd);
      yield { buildingId: all.toString('latin1', at + 2, idEnd), bytes: all.subarray(idEnd + 4, end) };
      at = end;
    }
  };
}

if (import.meta.main) {
  const [input, output, most] = process.argv.slice(2);
  if (!input || !output) throw new Error('usage: node bench/dataset/real-records.ts INPUT OUT [MOST BUILDINGS]');
  await main(input, output, Number(most ?? Infinity));
}
