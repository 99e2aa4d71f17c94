import type { Command } from 'commander';
import { idOfBuilding, type SquareScene, squareKernel } from '../city/scene-store.ts';
import { DatasetScenes } from '../city/scenes-on-demand.ts';
import { squareSun } from '../city/square-sun.ts';
import { openGmlIds } from '../dataset/gml-ids.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../dataset/sunlight-store.ts';
import { attributeAnswers } from '../record/answers.ts';
import type { BuildingHead } from '../record/building-record.ts';
import { decodeHead } from '../record/codec.ts';
import { openFiles } from '../snapshot/dataset-files.ts';
import { newestDataset } from '../snapshot/listing.ts';
import { DatasetError } from '../snapshot/manifest.ts';
import { Engine } from '../sunlight/engine.ts';
import { explainBuilding } from '../sunlight/explain.ts';
import { say } from './output.ts';

/** Adds `hidamari explain --dataset DIR BUILDING_ID`. */
export function define(command: Command): void {
  command
    .requiredOption('--dataset <dir>', 'a dataset, or a data folder: then the newest dataset in it')
    .argument('<building-id>', 'such as 13101-bldg-2, or the gml:id of its element in the city model')
    .action(explain);
}

/** Prints the checkable facts of a building. */
async function explain(buildingId: string, { dataset }: { dataset: string }): Promise<void> {
  const { folder, manifest } = await newestDataset(dataset);
  if (!manifest.halves.sunlight) throw new DatasetError(`${folder}: was built without city models`);
  const { square, squareScene, indexInSquare, head } = await findBuilding(folder, buildingId);
  const { paths, curves } = squareSun(square, squareScene.zone);
  // A scene may have only some buildings of the square, a range of its rows. The building has another index in it.
  const { scene, index: indexInScene } = squareScene.buildings.at(squareScene.part, indexInSquare);
  const firstOfScene = indexInSquare - indexInScene;
  const value = explainBuilding({
    kernel: squareKernel(new Engine(), squareScene, scene, firstOfScene),
    curves,
    paths,
    building: indexInScene,
    storeys: head.storeys,
    idOf: (number) => idOfBuilding(squareScene, number),
  });
  say(
    compactJson({
      dataset_id: manifest.dataset_id,
      grid_square: square,
      quality: attributeAnswers('quality', head),
      ...value,
    }),
  );
}

/** A building of a dataset, in the scene in which it was computed. */
interface PlacedBuilding {
  square: string;
  squareScene: SquareScene;
  indexInSquare: number;
  head: BuildingHead;
}

/**
 * Finds a building in the dataset in a folder.
 * @param id building ID or gml:id
 * @throws DatasetError when the dataset has no such building
 */
async function findBuilding(folder: string, id: string): Promise<PlacedBuilding> {
  const files = await openFiles(folder);
  try {
    const buildingIdsOf = openGmlIds(files);
    // An unknown gml:id may be a building ID. Of several buildings with one gml:id the first is explained.
    const [buildingId = id] = buildingIdsOf(id);
    const record = new SunlightStore(files.open(SUNLIGHT_STORE)).record(buildingId);
    if (!record) throw new DatasetError(`${buildingId}: the dataset in ${folder} has no such building`);
    const head = decodeHead(buildingId, record);
    const scenes = DatasetScenes.open(folder, (name) => files.readNow(name));
    const { square, index } = scenes.find(buildingId, head.lat, head.lon);
    return { square, squareScene: scenes.ofSquare(square), indexInSquare: index, head };
  } finally {
    files.close();
  }
}

/** JSON with lists of numbers and short texts on one line each: a day has hundreds of positions. */
function compactJson(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object' || item === null)) return JSON.stringify(value);
    return `[\n${value.map((item) => inner + compactJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${compactJson(item, inner)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}
