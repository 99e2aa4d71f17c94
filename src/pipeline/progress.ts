/** Events of a running build. The command line prints them; tests collect them. */
export type BuildEvent =
  | { event: 'stage'; stage: StageName; total: number; unit: string }
  | { event: 'progress'; stage: StageName; done: number; total: number }
  | { event: 'stage_done'; stage: StageName; done: number; seconds: number }
  | { event: 'remark'; message: string };

/** The stages of a build in their order, with their names for people. */
export const STAGE_TITLES = {
  inputs: 'Find inputs',
  terrain: 'Read elevation',
  read: 'Read city models',
  merge: 'Sort into grid squares',
  ground: 'Mesh the ground and its horizons',
  compute: 'Compute sunlight',
  kaigo: 'Read and write care facilities',
  write: 'Write the dataset',
  map: 'Draw the map',
} as const;
export type StageName = keyof typeof STAGE_TITLES;
export const STAGES = Object.keys(STAGE_TITLES) as StageName[];

export type Listener = (event: BuildEvent) => void;

/** Times each stage and reports progress to a listener. */
export class Progress {
  /** Wall-clock seconds of finished stages. */
  readonly seconds: Partial<Record<StageName, number>> = {};
  readonly #listener: Listener;

  constructor(listener: Listener = () => {}) {
    this.#listener = listener;
  }

  /** Runs `work` as a stage of `total` units. `work` calls `advance` when units are finished. */
  async stage<T>(
    stage: StageName,
    total: number,
    unit: string,
    work: (advance: (units: number) => void) => Promise<T>,
  ): Promise<T> {
    const start = performance.now();
    let done = 0;
    this.#listener({ event: 'stage', stage, total, unit });
    const result = await work((units) => {
      done += units;
      this.#listener({ event: 'progress', stage, done, total });
    });
    const seconds = (performance.now() - start) / 1000;
    this.seconds[stage] = (this.seconds[stage] ?? 0) + seconds;
    this.#listener({ event: 'stage_done', stage, done, seconds });
    return result;
  }

  /** Reports a sentence for people. */
  remark(message: string): void {
    this.#listener({ event: 'remark', message });
  }
}
