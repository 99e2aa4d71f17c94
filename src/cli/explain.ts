import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { DatasetError } from '../dataset/manifest.ts';
import { listDatasets } from '../dataset/open.ts';
import { decodeHead } from '../dataset/record-codec.ts';
import { buildingOf, gatherScene, type SquareScene, squareFrame, squarePlane } from '../dataset/scene-store.ts';
import { ShadingSquares } from '../dataset/shading-squares.ts';
import { decodeSquare, type SquareBuildings } from '../dataset/square-file.ts';
import { readSquareIndex, squareFileName } from '../dataset/square-index.ts';
import { SUNLIGHT_STORE } from '../dataset/sunlight.ts';
import { SunlightStore } from '../dataset/sunlight-store.ts';
import { textAt } from '../dataset/text-column.ts';
import { gridSquareCentre, gridSquareNeighbours, gridSquareOf } from '../geo/grid-square.ts';
import { convergenceDeg, planeOf } from '../geo/plane.ts';
import { sunTable } from '../solar/day-path.ts';
import { createKernel } from '../sunlight/compute.ts';
import { explainBuilding } from '../sunlight/explain.ts';
import { storeysOf } from '../sunlight/floors.ts';
import { sunCurves } from '../sunlight/sun-curves.ts';
import { say } from './output.ts';

/** Adds `hidamari explain --dataset DIR BUILDING_ID`. */
export function register(program: Command): void {
  program
    .command('explain')
    .description('print all that is needed to check the sunlight of one building, as JSON')
    .requiredOption('--dataset <dir>', 'a dataset, or a data folder: then the newest dataset in it')
    .argument('<building-id>', 'such as 13101-bldg-2')
    .action(explain);
}

async function explain(buildingId: string, { dataset }: { dataset: string }): Promise<void> {
  const { manifests, refused } = await listDatasets(dataset);
  const newest = manifests[0];
  if (!newest) throw new DatasetError(refused[0] ?? `${dataset}: holds no dataset`);
  if (!newest.manifest.halves.sunlight) throw new DatasetError(`${newest.folder}: was built without city models`);
  const found = await findBuilding(newest.folder, buildingId);
  const scene = await sceneAround(newest.folder, found.square);
  const { zone } = scene.scene;
  const centre = gridSquareCentre(found.square);
  const paths = sunTable(found.square);
  const { row } = found;
  const height = found.buildings.top[row]! - found.buildings.base[row]!;
  const value = explainBuilding({
    kernel: createKernel(scene.scene, scene.tree),
    curves: sunCurves(paths, convergenceDeg(planeOf(zone), centre.lat, centre.lon)),
    paths,
    building: indexInScene(scene, found.square, row),
    storeys: storeysOf(found.buildings.storeys[row]! || null, height).storeys,
    idOf: (index) => buildingOf(scene, index).id,
  });
  say(compactJson({ dataset_id: newest.manifest.dataset_id, grid_square: found.square, ...value }));
}

interface Found {
  square: string;
  buildings: SquareBuildings;
  row: number;
}

/** The square and row of a building: those of its representative point, which the store keeps a little rounded. */
async function findBuilding(folder: string, buildingId: string): Promise<Found> {
  const store = new SunlightStore(join(folder, SUNLIGHT_STORE));
  try {
    const record = store.record(buildingId);
    if (!record) throw new DatasetError(`${buildingId}: the dataset in ${folder} has no such building`);
    const { lat, lon } = decodeHead(buildingId, record);
    const square = gridSquareOf(lat, lon);
    const known = new Set((await readSquareIndex(folder)).map((indexed) => indexed.square));
    for (const code of [square, ...gridSquareNeighbours(square)]) {
      if (!known.has(code)) continue;
      const buildings = await readSquare(folder, code);
      for (let row = 0; row < buildings.count; row++) {
        if (textAt(buildings.ids, row) === buildingId) return { square: code, buildings, row };
      }
    }
    throw new DatasetError(
      `${buildingId}: its grid square ${square} in ${folder} does not hold it: hidamari verify tells more`,
    );
  } finally {
    await store.close();
  }
}

/** The scene in which a square was computed: everything that can shade it. */
async function sceneAround(folder: string, code: string): Promise<SquareScene> {
  const squares = (await readSquareIndex(folder)).map((square) => ({
    ...square,
    // Which squares are seen does not hang on the digests, which the index leaves out.
    ladder: { ...square.ladder, digests: [] },
  }));
  const own = squares.find(({ square }) => square === code)!;
  const needs = new ShadingSquares(squares).seenFrom({ ...own, lowest: own.lowestBase! }).map(({ need }) => need);
  const planes = await Promise.all(
    needs.map(async ({ square }) => squarePlane(square, await readSquare(folder, square), own.zone)),
  );
  return gatherScene(squareFrame(code, own.zone), needs, planes);
}

async function readSquare(folder: string, code: string): Promise<SquareBuildings> {
  const path = join(folder, squareFileName(code));
  return decodeSquare(await readFile(path), path).square;
}

/** The index of a square's row in the scene; a served building whose geometry could not stand has no record and is never asked for. */
function indexInScene(scene: SquareScene, square: string, row: number): number {
  const part = scene.planes.findIndex((plane) => plane.square === square);
  for (let index = 0; index < scene.row.length; index++) {
    if (scene.part[index] === part && scene.row[index] === row) return index;
  }
  throw new DatasetError(`row ${row} of grid square ${square} does not stand in its scene`);
}

/** JSON by lines, with lists of numbers and short texts on one line each: a day has hundreds of positions. */
function compactJson(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object' || item === null) || value.length === 0)
      return JSON.stringify(value);
    return `[\n${value.map((item) => inner + compactJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${compactJson(item, inner)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}
