import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { gridSquareOf } from '../../src/geo/grid-square.ts';
import { storeysOf } from '../../src/sunlight/floors.ts';
import type { Scene } from '../../src/sunlight/scene.ts';
import { frameAt, SceneBuilder } from '../../src/sunlight/scene-builder.ts';

/** A city ready to be computed. */
export interface City {
  name: string;
  scene: Scene;
  /** Per building of the scene. */
  squares: string[];
  storeys: number[];
}

/** Reads the footprints of Tokyo (`tokyo6wards.ndjson.gz`), of some wards or all, onto flat ground. */
export async function readTokyo(file: string, wards: readonly string[] | null): Promise<City> {
  const builder = new SceneBuilder(frameAt(35.68, 139.75));
  const squares: string[] = [];
  const storeys: number[] = [];
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Infinity });
  for await (const line of lines) {
    if (line === '') continue;
    const { building_id, measuredHeight, coordinates } = JSON.parse(line);
    if (wards !== null && !wards.includes(building_id.slice(0, 5))) continue;
    const footprints = coordinates.map((rings: number[][][]) => ({
      rings: rings.map((ring) => ring.slice(0, -1).flatMap(([lon, lat]) => [lat!, lon!])),
    }));
    const { building } = builder.add(footprints, 0, measuredHeight);
    if (building === null) continue;
    const [lon, lat] = coordinates[0][0][0];
    squares.push(gridSquareOf(lat, lon));
    storeys.push(storeysOf(null, measuredHeight).storeys);
  }
  return {
    name: wards === null ? 'Tokyo, six wards' : `Tokyo ${wards.join(', ')}`,
    scene: builder.finish(),
    squares,
    storeys,
  };
}
