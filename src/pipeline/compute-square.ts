import { readFile } from 'node:fs/promises';
import { gatherScene, releaseScene, type SquarePlane, squareFrame, squarePlane } from '../city/scene-store.ts';
import { buildingAt, decodeSquare, type SquareBuilding, type SquareBuildings } from '../city/square-file.ts';
import { encodeRecord } from '../dataset/record/codec.ts';
import type { EncodedBuilding } from '../dataset/sunlight-store-writer.ts';
import { writeWhole } from '../formats/column-file.ts';
import { gridSquareCentre } from '../geo/grid-square.ts';
import { convergenceDeg, planeOf } from '../geo/plane.ts';
import { sunTable } from '../solar/day-path.ts';
import { computeBuilding, kernelOf } from '../sunlight/compute.ts';
import { storeysOf } from '../sunlight/floors.ts';
import { sunCurves } from '../sunlight/sun-curves.ts';
import type { PlannedUnit } from './plan.ts';
import { buildingRecord } from './record.ts';
import { encodeResults } from './result-file.ts';
import type { Task } from './worker-pool.ts';

/**
 * The unit of work: takes the square files of everything that can shade a grid square, and gives a result file.
 * It needs nothing else, so any machine that has the files can run it.
 */
export interface ComputeTask extends Task {
  kind: 'compute';
  unit: PlannedUnit;
  /** The square file of each need, in the order of the needs. */
  squareFiles: string[];
  /** The same squares in the unit's plane where they are at hand on shared memory; null: made from the file. */
  planes: (SquarePlane | null)[];
  /** The result file to write. */
  out: string;
}

/** Runs a unit. Throws when a file cannot be read or written. */
export async function computeSquare(task: ComputeTask): Promise<void> {
  const { unit } = task;
  const planes = await Promise.all(task.planes.map((plane, i) => plane ?? planeFromFile(task, i)));
  const own = unit.needs.findIndex(({ square }) => square === unit.square);
  const buildings = await readSquare(task.squareFiles[own]!);
  const scene = gatherScene(squareFrame(unit.square, unit.zone), unit.needs, planes);
  const kernel = kernelOf(scene.scene, scene.tree);
  const plane = planeOf(unit.zone);
  const centre = gridSquareCentre(unit.square);
  const curves = sunCurves(sunTable(unit.square), convergenceDeg(plane, centre.lat, centre.lon));

  const results: EncodedBuilding[] = [];
  for (let index = 0; index < scene.part.length; index++) {
    if (scene.part[index] !== own) continue;
    const building = buildingAt(buildings, scene.row[index]!);
    if (!isServed(building)) continue;
    const { storeys } = storeysOf(building.storeys, building.topM - building.baseM);
    const sunlight = computeBuilding(kernel, curves, index, storeys);
    const record = buildingRecord(building, sunlight, index, scene, plane);
    results.push({ buildingId: building.buildingId, bytes: encodeRecord(record) });
  }
  releaseScene(scene);
  await writeWhole(task.out, encodeResults({ square: unit.square, fingerprint: unit.fingerprint }, results));
}

const isServed = (building: SquareBuilding): building is SquareBuilding & { buildingId: string } =>
  building.buildingId !== null;

async function planeFromFile({ unit, squareFiles }: ComputeTask, need: number): Promise<SquarePlane> {
  return squarePlane(unit.needs[need]!.square, await readSquare(squareFiles[need]!), unit.zone);
}

async function readSquare(path: string): Promise<SquareBuildings> {
  return decodeSquare(await readFile(path), path).square;
}
