import { planeOf } from '../../src/geo/plane.ts';
import { makeReceptors, placeReceptors } from '../../src/sunlight/receptors.ts';
import type { Scene } from '../../src/sunlight/scene.ts';
import type { Tree } from '../../src/sunlight/tree.ts';
import { type City, readTokyo } from '../../test/kernel/cities.ts';
import { onThreads, sampleOf, sharedTree, THREADS } from './threads.ts';
import type { Task } from './worker.ts';

/**
 * Times at most `wanted` buildings of Tokyo's six wards, and the buildings of one ward in the scene of that ward and in
 * that of all six.
 */
export async function speed(wanted: number): Promise<void> {
  const six = await readTokyo(null);
  const sixTree = sharedTree(six);
  const sample = sampleOf(six, wanted);
  console.log(
    `\nSpeed at Tokyo's density: ${six.squares.length} buildings in the scene, ${sample.length} computed, ${THREADS} threads`,
  );
  console.log(`Full rule over the whole city: ${meanColumns(six).toFixed(2)} columns a building`);
  console.table([
    {
      columns: 'one on each of four faces',
      ...(await timed(six, sixTree, sample, 'four')),
      'wanted, buildings/s': 13000,
    },
    { columns: 'the full receptor rule', ...(await timed(six, sixTree, sample, 'full')), 'wanted, buildings/s': 5200 },
  ]);

  const ward = await readTokyo(['13101']);
  const inWard = sampleOf(ward, wanted);
  const inSix = sameBuildings(ward, inWard, six);
  const alone = await timed(ward, sharedTree(ward), inWard, 'full');
  const together = await timed(six, sixTree, inSix, 'full');
  console.log(`\nScale: the same ${inWard.length} buildings of ward 13101, full rule`);
  console.table([
    { scene: ward.name, 'buildings in it': ward.squares.length, ...alone },
    { scene: six.name, 'buildings in it': six.squares.length, ...together },
    {
      scene: 'ratio of CPU time (wanted: at most 1.3)',
      'CPU ms/building': (Number(together['CPU ms/building']) / Number(alone['CPU ms/building'])).toFixed(2),
    },
  ]);

  const edges = six.scene.xy.length / 2;
  const perEdge = (bytes: number): string => (bytes / edges).toFixed(1);
  console.log(`\nMemory: ${edges} wall edges`);
  console.table([
    { part: 'scene', 'bytes/edge': perEdge(sceneBytes(six.scene)) },
    { part: 'tree', 'bytes/edge': perEdge(sixTree.bytes.length) },
    { part: 'both (wanted: at most 300)', 'bytes/edge': perEdge(sceneBytes(six.scene) + sixTree.bytes.length) },
  ]);
}

/** Mean number of receptor columns per building of the city, by the full rule. */
function meanColumns({ scene, squares }: City): number {
  const receptors = makeReceptors();
  const plane = planeOf(scene.zone);
  let columns = 0;
  for (let building = 0; building < squares.length; building++) {
    placeReceptors(scene, building, receptors, plane);
    columns += receptors.count;
  }
  return columns / squares.length;
}

async function timed(city: City, tree: Tree, buildings: number[], what: Task['what']) {
  const { done, wallMs } = await onThreads({ city, tree, buildings, what });
  const cpuMs = done.reduce((sum, { cpuMs: ms }) => sum + ms, 0);
  const columns = done.reduce((sum, thread) => sum + thread.columns, 0);
  return {
    'columns/building': (columns / buildings.length).toFixed(2),
    'buildings/s, wall': Math.round((1000 * buildings.length) / wallMs),
    'buildings/s a core, CPU': Math.round((1000 * buildings.length) / cpuMs),
    'CPU ms/building': (cpuMs / buildings.length).toFixed(3),
  };
}

/** Finds the buildings of one city in another city that contains it, by their first corner and top. */
function sameBuildings(from: City, buildings: readonly number[], to: City): number[] {
  const key = ({ scene }: City, building: number): string => {
    const vertex = scene.ringVertices[scene.prismRings[scene.buildingPrisms[building]]];
    const [x, y] = [scene.originX + scene.xy[2 * vertex], scene.originY + scene.xy[2 * vertex + 1]];
    return `${x.toFixed(3)} ${y.toFixed(3)} ${scene.top[building]}`;
  };
  const known = new Map(to.squares.map((_, building) => [key(to, building), building]));
  return buildings.map((building) => known.get(key(from, building))!);
}

/** The bytes of every column of a scene, those of its roofs too. */
const sceneBytes = ({ roofs, ...columns }: Scene): number =>
  [...Object.values(columns), ...Object.values(roofs)].reduce<number>(
    (sum, column) => sum + (ArrayBuffer.isView(column) ? column.byteLength : 0),
    0,
  );
