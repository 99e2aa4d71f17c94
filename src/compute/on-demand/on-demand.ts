import { DatasetScenes } from '../../city/scenes-on-demand.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { BuildingRoof } from '../../contract/operations/sunlight-building-roof.ts';
import type { BuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import type { PointSunlight } from '../../contract/operations/sunlight-position.ts';
import type { ShadowStudy } from '../../contract/operations/sunlight-shadow.ts';
import type { WhatIf } from '../../contract/operations/sunlight-what-if.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../../dataset/sunlight-store.ts';
import { SunshineIndex } from '../../dataset/sunshine-index.ts';
import { gridSquareOf } from '../../geo/grid-square.ts';
import { representativePoint } from '../../geo/polygon.ts';
import { methodOf, monthAnswer } from '../../record/answers.ts';
import type { BuildingHead } from '../../record/building-record.ts';
import { decodeHead } from '../../record/codec.ts';
import { type DatasetFiles, openFiles } from '../../snapshot/dataset-files.ts';
import { Engine } from '../../sunlight/engine.ts';
import { type FloorRequest, floorAnswer } from './floor.ts';
import { type Ground, type GroundRequest, groundAnswer } from './ground.ts';
import { PointFinder } from './point.ts';
import { roofAnswer } from './roof.ts';
import { type ShadowRequest, shadowAnswer } from './shadow.ts';
import { type SkyRequest, skyAnswer } from './sky.ts';
import { type ReadyBuilding, ReadyBuildings, SquareSuns } from './squares.ts';
import { SquareSunshine } from './sunshine.ts';
import { computeWhatIf, type WhatIfRequest } from './what-if.ts';

/** The kinds of computed answers, with their requests. */
export type Demand =
  | ({ kind: 'floor' } & FloorRequest)
  | ({ kind: 'sky' } & SkyRequest)
  | ({ kind: 'what-if' } & WhatIfRequest)
  | ({ kind: 'shadow' } & ShadowRequest)
  | ({ kind: 'ground' } & GroundRequest)
  | { kind: 'roof'; buildingId: string }
  | { kind: 'point'; lat: number; lon: number; heightM: number };

/** The answer of each kind. */
export interface DemandAnswers {
  floor: BuildingFloor;
  sky: BuildingSky;
  'what-if': WhatIf;
  shadow: ShadowStudy;
  ground: Ground;
  roof: BuildingRoof;
  point: PointSunlight;
}

/** Memory for blocks of a dataset in a thread. It is small because the server caches repeated answers. */
const CACHE_BYTES = 16 << 20;

/** Computes answers that are not in a dataset. Some demands take long, so it belongs on a thread of its own. */
export class OnDemand {
  readonly #files: DatasetFiles;
  readonly #store: SunlightStore;
  readonly #scenes: DatasetScenes;
  readonly #buildings: ReadyBuildings;
  readonly #suns: SquareSuns;
  readonly #points: PointFinder;
  readonly #sunshine: SquareSunshine;

  private constructor(files: DatasetFiles, scenes: DatasetScenes, engine: Engine) {
    this.#files = files;
    this.#store = new SunlightStore(files.open(SUNLIGHT_STORE));
    this.#scenes = scenes;
    this.#buildings = new ReadyBuildings(scenes, engine);
    this.#suns = new SquareSuns(this.#store);
    this.#sunshine = new SquareSunshine(SunshineIndex.open(files));
    this.#points = new PointFinder(scenes, this.#store, engine, this.#suns);
  }

  /** @throws DatasetError, or the error of a file that cannot be read. */
  static async open(folder: string, engine: Engine = new Engine()): Promise<OnDemand> {
    const files = await openFiles(folder, { cacheBytes: CACHE_BYTES });
    const scenes = DatasetScenes.open(files.folder, (name) => files.readNow(name));
    return new OnDemand(files, scenes, engine);
  }

  /** @throws Error when there is no such building. Floor, face and receptor are not checked. */
  async answer<D extends Demand>(demand: D): Promise<DemandAnswers[D['kind']]> {
    return this.#answer(demand) as DemandAnswers[D['kind']];
  }

  close(): void {
    this.#files.close();
  }

  /** The answer to a demand, by its kind. */
  #answer(demand: Demand): DemandAnswers[Demand['kind']] {
    const method = methodOf(this.#files.manifest);
    if (demand.kind === 'point') return { ...this.#pointAnswer(demand), method };
    if (demand.kind === 'ground') return groundAnswer(this.#scenes, this.#points, demand);
    if (demand.kind === 'shadow') {
      const building = demand.buildingId === null ? null : this.#building(demand.buildingId).building;
      return shadowAnswer(building, this.#scenes, this.#points, demand);
    }
    const { head, building } = this.#building(demand.buildingId);
    if (demand.kind === 'roof') return roofAnswer(building, this.#suns, this.#sunshine, head, method);
    if (demand.kind === 'what-if') {
      const planned = demand.planned.map(({ ring, heightM, baseM }) => {
        const base = baseM ?? this.#points.groundAt(...representativePoint([[ring]])) ?? head.baseM;
        return { ring, baseM: base, topM: base + heightM };
      });
      const replaced = demand.replaces.map((id) => this.#building(id).building);
      return computeWhatIf(building, planned, replaced, this.#scenes, this.#suns, head, demand, method);
    }
    return demand.kind === 'floor'
      ? floorAnswer(building, this.#suns, this.#sunshine, head, demand, method)
      : skyAnswer(building, head, demand, method);
  }

  /** The sun at a free point, which counts as one receptor. */
  #pointAnswer({ lat, lon, heightM }: { lat: number; lon: number; heightM: number }): Omit<PointSunlight, 'method'> {
    const { sunMinutes, unshadedMinutes, windows, inside, surroundings } = this.#points.find(lat, lon, heightM);
    const { monthHours, ...year } = this.#sunshine.answer(gridSquareOf(lat, lon), windows, 1);
    const months = windows.map((lit, i) => ({
      ...monthAnswer(i + 1, sunMinutes[i] ?? 0, unshadedMinutes[i] ?? 0, lit),
      expected_hours: monthHours(i),
    }));
    return { lat, lon, height_m: heightM, inside, surroundings, months, ...year };
  }

  /** @throws Error when there is no such building */
  #building(buildingId: string): { head: BuildingHead; building: ReadyBuilding } {
    const record = this.#store.record(buildingId);
    if (record === undefined) throw new Error(`there is no building ${buildingId} in ${this.#files.folder}`);
    const head = decodeHead(buildingId, record);
    return { head, building: this.#buildings.find(buildingId, head.lat, head.lon) };
  }
}
