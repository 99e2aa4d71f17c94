import { readFile } from 'node:fs/promises';
import { PUBLISHED, valueThatCounts } from '../building/attributes.ts';
import type { TownIndex } from '../census/town.ts';
import { squareFrame } from '../city/scene-store.ts';
import { buildingAt, encodeSquare, SquareBuilder, type SquareBuilding } from '../city/square-file.ts';
import { summariseSquare } from '../city/square-summary.ts';
import { type HeightRule, withChosenHeight } from '../city/standing-height.ts';
import { emptyPartsOf, landOf } from '../city/surroundings.ts';
import { type TreeEntry, treeEntry } from '../city/tree-file.ts';
import type { GmlId } from '../dataset/gml-ids.ts';
import { contentDigest, textAt } from '../formats/column-file.ts';
import { writeWhole } from '../formats/files.ts';
import { gridSquareCentre } from '../geo/grid-square.ts';
import { planeOf } from '../geo/plane.ts';
import { zoneOf } from '../geo/zones.ts';
import type { RoofSurface } from '../plateau/building.ts';
import { wardCodeOf } from '../record/building-record.ts';
import { movesOf } from '../sunlight/model-error.ts';
import { makeReceptors } from '../sunlight/receptors.ts';
import { floorsOf } from '../sunlight/result.ts';
import { columnsAboveRoof } from '../sunlight/roof.ts';
import { type Scene, SceneBuilder, type SceneFrame } from '../sunlight/scene.ts';
import { PLACEHOLDER, storeysOf } from '../sunlight/storeys.ts';
import { buildTree } from '../sunlight/tree.ts';
import type { BuildFolder } from './build-folder.ts';
import { findDuplicates, type PortionKeys } from './duplicates.ts';
import { Overlap } from './overlap.ts';
import type { Part } from './part.ts';
import type { PlannedSquare, SquareWithLand } from './plan.ts';
import { candidateAt, decodePortion, heldPortions, type Portion, portionPath, sourceAt } from './portion-file.ts';
import type { Progress } from './progress.ts';
import type { ReadInput } from './read-stage.ts';
import { addFindings, type FindingsByReason, note } from './report.ts';
import type { Runner, Task } from './worker-pool.ts';

interface MergeStage {
  /** In order of code. */
  squares: PlannedSquare[];
  /** By code. */
  city: Map<string, CitySquare>;
  findings: FindingsByReason;
}

/** A merged square: its own zone, and its tree in the plane of that zone. */
export interface CitySquare {
  zone: number;
  tree: TreeEntry;
}

/** A portion: the buildings of one input in one square (portion-file.ts). */
interface PortionAt {
  square: string;
  path: string;
  keys: PortionKeys;
}

/**
 * Merges the portions of every grid square, so that each building stands once.
 * @param part the part of the country to build; squares that cannot shade it are passed over. Null: all squares
 */
export async function mergeStage(
  inputs: readonly ReadInput[],
  folder: BuildFolder,
  pool: Runner,
  progress: Progress,
  { part, heights }: { part: Part | null; heights: HeightRule },
): Promise<MergeStage> {
  const allPortions: (PortionAt & { buildings: number })[] = inputs.flatMap(({ folder: portionsFolder, list, keys }) =>
    list.squares.map(({ square, buildings }, i) => ({
      square,
      buildings,
      path: portionPath(portionsFolder, square),
      keys: keys[i],
    })),
  );
  const portions = allPortions.filter(({ square }) => part === null || part.isInReach(square));
  // A task for each square. `addPortions` then gives each its portions.
  const tasks = mergeTasks(portions, folder, heights);
  const stage: MergeStage = { squares: [], city: new Map(), findings: {} };
  const squares: SquareWithLand[] = [];
  for (const { square, buildings } of allPortions) {
    if (part?.isInReach(square) === false) note(stage.findings, 'out_of_reach', `grid square ${square}`, buildings);
  }
  await progress.stage('merge', tasks.size, 'grid squares', async (advance) => {
    await addPortions(tasks, portions, stage.findings);
    const results = await Promise.all(
      [...tasks.values()].map(async (task) => {
        const result = await pool.run<MergedSquare>(task);
        advance(1);
        return result;
      }),
    );
    for (const { square, tree, findings } of results) {
      addFindings(stage.findings, findings);
      if (square === null || tree === null) continue;
      squares.push(square);
      stage.city.set(square.square, { zone: square.zone, tree });
    }
  });
  // `emptyParts`: land without buildings. Whether it is a gap of the data depends on all squares: another one may have
  // buildings of its town.
  const emptyParts = emptyPartsOf(squares.map(({ land }) => land));
  stage.squares = squares.map(({ land: _, ...square }, i) => ({ ...square, emptyParts: emptyParts[i] }));
  return stage;
}

/** One task for each square, in order of code, still without portions. */
function mergeTasks(portions: readonly PortionAt[], folder: BuildFolder, heights: HeightRule): Map<string, MergeTask> {
  const codes = [...new Set(portions.map(({ square }) => square))].sort();
  return new Map(
    codes.map((square) => [
      square,
      {
        kind: 'merge',
        name: `grid square ${square}`,
        square,
        portions: [],
        heights,
        townsFile: null,
        out: folder.file(square, 'square'),
        treeOut: folder.file(square, 'tree'),
        namesOut: folder.file(square, 'names'),
      },
    ]),
  );
}

/**
 * Adds each portion to the task of its square, with the rows of duplicates to drop, and the further bodies of a
 * building, which may be in other portions, to join. Counts both in the findings.
 */
async function addPortions(
  tasks: ReadonlyMap<string, MergeTask>,
  portions: readonly PortionAt[],
  findings: FindingsByReason,
): Promise<void> {
  const { dropped, joined } = await findDuplicates(
    portions.map(({ keys }) => keys),
    portionLoader(portions),
    findings,
  );
  const joinedByPortion = Map.groupBy(joined, ({ main }) => main.portion);
  for (const [i, { square, path }] of portions.entries()) {
    const joins = (joinedByPortion.get(i) ?? []).map(({ main, others }) => ({
      row: main.row,
      bodies: others.map(({ portion, row }) => ({ path: portions[portion].path, row })),
    }));
    tasks.get(square)?.portions.push({ path, drop: Uint32Array.from(dropped.get(i) ?? []), joins });
  }
}

/** A function that loads a possible duplicate, by the number of its portion and its row. */
function portionLoader(portions: readonly PortionAt[]) {
  const portionAt = heldPortions();
  return async (portion: number, row: number) => candidateAt(await portionAt(portions[portion].path), row);
}

/** Merges the portions of a grid square to its square file, without the dropped rows. */
export interface MergeTask extends Task {
  kind: 'merge';
  square: string;
  /** In order of the inputs' names. */
  portions: { path: string; drop: Uint32Array; joins: Join[] }[];
  heights: HeightRule;
  /** A file with the towns (`v8.serialize`); null: the towns that the thread got at its start. */
  townsFile: string | null;
  /** The files to write: the square, its tree, and the `gml:id`s of its buildings (`gmlIdsIn`). */
  out: string;
  treeOut: string;
  namesOut: string;
}

/** A building with further bodies in other rows, of this portion or others. */
interface Join {
  row: number;
  bodies: { path: string; row: number }[];
}

export interface MergedSquare {
  /** Null when none of its buildings has valid geometry; then there is no file. */
  square: SquareWithLand | null;
  tree: TreeEntry | null;
  /** Findings about the buildings, and what was repaired or left out. */
  findings: FindingsByReason;
}

/** A building with valid geometry, which is kept. */
interface Keeper {
  portion: Portion;
  row: number;
  building: SquareBuilding;
  /** Its main body alone, in the scene of its portion. */
  ownScene: { scene: Scene; index: number };
  bodies: Join['bodies'];
}

/**
 * Merges a square. Buildings are in order of ID; those without ID come last, in order of their points. Buildings
 * without valid geometry (no area, no height) are left out and reported. Writes the buildings, their names and their
 * tree; returns what the plan needs.
 * @throws ColumnFileError when a portion is damaged
 */
export async function mergeSquare(task: MergeTask, towns: TownIndex): Promise<MergedSquare> {
  const findings: FindingsByReason = {};
  const centre = gridSquareCentre(task.square);
  const frame = squareFrame(task.square, zoneOf(centre.lat, centre.lon));
  const keepers = await buildingsToKeep(task, frame, findings);
  if (keepers.length === 0) return { square: null, tree: null, findings };
  const builder = new SquareBuilder();
  const scene = new SceneBuilder(frame);
  const gmlIdLines = await addKeepers(keepers, { task, frame, towns, findings, builder, scene });
  const finishedScene = scene.finish();
  const buildings = {
    ...builder.finish(),
    // How the errors of the model may move each building.
    moves: movesOf(finishedScene, (index) => errorSource(keepers[index].building)),
  };
  const bytes = encodeSquare(buildings, { square: task.square });
  await writeWhole(task.out, bytes);
  await writeWhole(task.namesOut, Buffer.from(gmlIdLines.join('')));
  const tree = buildTree(finishedScene, { moves: buildings.moves });
  recordAboveRoof(findings, finishedScene, keepers);
  await writeWhole(task.treeOut, tree.bytes);
  const land = landOf(task.square, buildings, {
    townAt: (lat, lon) => towns.townAt(lat, lon),
    hasIdOfItsTown: (row) => hasIdOfItsTown(keepers[row].building, towns),
  });
  const placeholders = keepers.flatMap(({ building }) =>
    building.heightMethod === PLACEHOLDER ? [building.lat, building.lon] : [],
  );
  return {
    square: { ...summariseSquare(task.square, buildings), digest: contentDigest(bytes), land, placeholders },
    tree: treeEntry(tree),
    findings,
  };
}

/** Adds a building to a scene; false when its geometry is not valid. */
const addTo = (scene: SceneBuilder, { footprints, baseM, topM, roofSurfaces }: SquareBuilding): boolean =>
  scene.add(footprints, baseM, topM, roofSurfaces).building !== null;

/** What buildings are added to while a square is merged. */
interface Merging {
  task: MergeTask;
  frame: SceneFrame;
  towns: TownIndex;
  findings: FindingsByReason;
  builder: SquareBuilder;
  scene: SceneBuilder;
}

/**
 * Adds the buildings to the square and its scene, in the order of `keepers`. A building of several bodies (parts with one
 * ID) is joined of them first.
 * @returns for each body a line with building ID and `gml:id`
 */
async function addKeepers(
  keepers: readonly Keeper[],
  { task, frame, towns, findings, builder, scene }: Merging,
): Promise<string[]> {
  // The main bodies are in memory already; further bodies may be in portions of other squares.
  const portionAt = heldPortions();
  const gmlIdLines: string[] = [];
  for (const { portion, row, building: mainBody, ownScene, bodies } of keepers) {
    const others = await Promise.all(
      bodies.map(async ({ path, row }) => {
        const portion = await portionAt(path);
        return { portion, row, building: withChosenHeight(buildingAt(portion.square, row), task.heights) };
      }),
    );
    const withShape = others.filter(({ building }) => addTo(new SceneBuilder(frame), building));
    const joined =
      withShape.length === 0 ? null : joinedBuilding([mainBody, ...withShape.map(({ building }) => building)]);
    // The main body stands alone when all bodies together are too complex. It is in the scene of its portion already.
    const isJoined = joined !== null && addTo(scene, joined);
    if (!isJoined) scene.addFromScene(ownScene.scene, ownScene.index);
    const building = isJoined ? joined : mainBody;
    for (const other of others)
      if (!isJoined || !withShape.includes(other))
        note(findings, 'body_left_out', () => sourceAt(other.portion, other.row));
    gmlIdLines.push(...[{ portion, row }, ...others].map((body) => gmlIdLine(building.buildingId, body)));
    building.townCode = towns.townAt(building.lat, building.lon)?.townCode ?? null;
    builder.add(building);
    recordFindings(findings, building, () => sourceAt(portion, row), towns.towns.length > 0);
  }
  return gmlIdLines;
}

/** The facts that determine the possible error of a building. */
const errorSource = ({ mapLevel, heightMethod, roof }: SquareBuilding) => ({
  mapLevel,
  heightMethod,
  hasRoof: roof === 'surfaces',
});

/**
 * True when a building belongs to the municipality of its position. A building whose ID names no municipality of the
 * census is trusted.
 */
function hasIdOfItsTown({ buildingId, cityCode, townCode }: SquareBuilding, towns: TownIndex): boolean {
  const ward = buildingId === null ? null : wardCodeOf(buildingId, cityCode);
  return ward === null || townCode?.slice(0, 5) === ward || !towns.hasWard(ward);
}

/**
 * Records each column of receptors above the roof of its own building, of buildings that get results. A prism has none: its
 * walls reach its roof.
 */
function recordAboveRoof(findings: FindingsByReason, scene: Scene, keepers: readonly Keeper[]): void {
  const receptors = makeReceptors();
  const plane = planeOf(scene.zone);
  for (const [index, { portion, row, building }] of keepers.entries()) {
    if (building.buildingId === null || building.roof === 'prism') continue;
    const height = scene.top[index] - scene.base[index];
    const floors = floorsOf(storeysOf(building.storeys, height, building.usageCode).storeys, height);
    const columns = columnsAboveRoof(scene, index, floors.at(-1)?.heightM ?? 0, receptors, plane);
    for (let column = 0; column < columns; column++) note(findings, 'above_own_roof', () => sourceAt(portion, row));
  }
}

/**
 * Records missing and unusual values of a building.
 * @param hasTowns false: the build has no towns, so a building without one is not reported
 */
function recordFindings(
  findings: FindingsByReason,
  building: SquareBuilding,
  source: () => string,
  hasTowns: boolean,
): void {
  if (building.buildingId === null) note(findings, 'without_id', source);
  else if (building.townCode === null && hasTowns) note(findings, 'without_town', source);
  if (building.heightMethod === PLACEHOLDER) {
    note(findings, building.storeys === null ? 'placeholder' : 'placeholder_with_storeys', source);
  } else if (building.measuredHeightM === null) note(findings, 'without_height', source);
  if (building.storeys === null) note(findings, 'without_storeys', source);
  if (building.usageCode === null) note(findings, 'without_usage', source);
  if (building.footprints.length > 1) note(findings, 'several_prisms', source);
  if (building.footprints.some(({ rings }) => rings.length > 1)) note(findings, 'inner_rings', source);
  if (building.lod !== 1) note(findings, `lod${building.lod}`, source);
  if (building.roof === 'surfaces') note(findings, 'roof_surfaces', source);
}

/** The buildings to keep, in order of ID and point. Records what is repaired or left out. */
async function buildingsToKeep(task: MergeTask, frame: SceneFrame, findings: FindingsByReason): Promise<Keeper[]> {
  const keepers: Keeper[] = [];
  const overlap = new Overlap(task.square);
  const portionAt = heldPortions();
  for (const { path, drop, joins } of task.portions) {
    const portion = decodePortion(await readFile(path), path);
    const dropped = new Set(drop);
    // Further bodies of a building, in this portion or others, by the row of its first body. They are in `drop` of their
    // portions, so they are no buildings of their own.
    const bodies = new Map(joins.map((join) => [join.row, join.bodies]));
    const builder = new SceneBuilder(frame);
    // In the order of the scene: `addIfValid` adds to the scene exactly those for which it returns null.
    const buildings: Omit<Keeper, 'ownScene'>[] = [];
    for (let first = 0; first < portion.square.count; first++) {
      if (dropped.has(first)) continue;
      // The first body with a valid shape stands for its building.
      const allBodies = [{ path, row: first }, ...(bodies.get(first) ?? [])];
      const refusals: Refusal[] = [];
      let keeper: Omit<Keeper, 'ownScene'> | null = null;
      for (const [i, { path: bodyPath, row }] of allBodies.entries()) {
        const at = i === 0 ? portion : await portionAt(bodyPath);
        const source = (): string => sourceAt(at, row);
        const building = withChosenHeight(buildingAt(at.square, row), task.heights);
        const reason = addIfValid(building, builder, overlap, { findings, source });
        if (reason === null) {
          keeper = { portion: at, row, building, bodies: allBodies.slice(i + 1) };
          break;
        }
        refusals.push({ reason, source });
      }
      if (keeper !== null) buildings.push(keeper);
      noteRefusals(refusals, keeper !== null, findings);
    }
    const scene = builder.finish();
    for (const [index, keeper] of buildings.entries()) keepers.push({ ...keeper, ownScene: { scene, index } });
  }
  return keepers.sort(byIdThenPoint);
}

/** Why a body cannot stand for its building, and where it was published. */
interface Refusal {
  reason: string;
  source: () => string;
}

/**
 * Records the bodies of a building that cannot stand. When none can, the building is left out for the reason of its
 * first body. The other bodies are no buildings: the search for duplicates has counted them as `joined_body`.
 */
function noteRefusals(refusals: readonly Refusal[], isKept: boolean, findings: FindingsByReason): void {
  for (const [i, { reason, source }] of refusals.entries())
    note(findings, isKept || i > 0 ? 'body_left_out' : `left_out_${reason}`, source);
}

/**
 * Adds a building to the scene of its portion. Records what is repaired.
 * @param overlap counts the buildings on each point of the square
 * @returns why it is left out: its geometry is not valid, or too many buildings cover its point; null: it stands
 */
function addIfValid(
  { footprints, baseM, topM, roofSurfaces, lat, lon }: SquareBuilding,
  scene: SceneBuilder,
  overlap: Overlap,
  { findings, source }: { findings: FindingsByReason; source: () => string },
): string | null {
  if (!overlap.add(footprints, lat, lon)) return 'on_one_spot';
  const { building, repairs } = scene.add(footprints, baseM, topM, roofSurfaces);
  const kinds = new Set(repairs.map(({ kind }) => kind));
  if (building === null) {
    return (['no_height', 'too_complex'] as const).find((kind) => kinds.has(kind)) ?? 'no_area';
  }
  for (const kind of kinds) note(findings, `repaired_${kind}`, source);
  return null;
}

type Body = Pick<Keeper, 'portion' | 'row'>;

/** A text without control characters, which would end a line or a field. */
const PLAIN = /^\P{Cc}+$/u;

/** A line with a building ID and the `gml:id` of a body; empty when one of them is missing. */
function gmlIdLine(buildingId: string | null, { portion, row }: Body): string {
  const gmlId = textAt(portion.gmlIds, row);
  return buildingId === null || gmlId === null || !PLAIN.test(gmlId) ? '' : `${buildingId}\t${gmlId}\n`;
}

/** Parses the lines of {@link gmlIdLine}: the `gml:id` of each building of a merged square. */
export function gmlIdsIn(lines: string): GmlId[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      return { buildingId: line.slice(0, tab), gmlId: line.slice(tab + 1) };
    });
}

/**
 * Joins several bodies to one building: all footprints, the lowest base, the highest top, and for each published
 * attribute the value chosen by `ofSeveral`. Everything else is that of the first body.
 */
function joinedBuilding(bodies: readonly SquareBuilding[]): SquareBuilding {
  const [first] = bodies;
  const published = PUBLISHED.map(({ key, from }) => {
    const values = bodies.map((building): string | number | null => building[key]);
    return [key, values.reduce((a, b) => valueThatCounts(from.ofSeveral, a, b))];
  });
  const roof = bodies.some(({ roofSurfaces }) => roofSurfaces !== undefined)
    ? { roof: 'surfaces' as const, roofSurfaces: bodies.flatMap((body) => body.roofSurfaces ?? levelRoof(body)) }
    : {};
  return {
    ...first,
    ...Object.fromEntries(published),
    ...roof,
    footprints: bodies.flatMap(({ footprints }) => footprints),
    baseM: Math.min(...bodies.map(({ baseM }) => baseM)),
    topM: Math.max(...bodies.map(({ topM }) => topM)),
  };
}

/** A level roof for a body that is a prism, when other bodies have roof surfaces. */
const levelRoof = ({ footprints, topM }: SquareBuilding): RoofSurface[] =>
  footprints.map(({ rings }) => ({
    rings: rings.map((ring) => {
      const points = new Float64Array((3 * ring.length) / 2);
      for (let i = 0; i < ring.length / 2; i++) points.set([ring[2 * i], ring[2 * i + 1], topM], 3 * i);
      return points;
    }),
  }));

/** Sorts by ID; buildings without ID come last, by point and heights. */
function byIdThenPoint({ building: a }: Keeper, { building: b }: Keeper): number {
  if (a.buildingId !== b.buildingId) {
    if (a.buildingId === null || b.buildingId === null) return a.buildingId === null ? 1 : -1;
    return a.buildingId < b.buildingId ? -1 : 1;
  }
  return a.lat - b.lat || a.lon - b.lon || a.topM - b.topM || a.baseM - b.baseM;
}
