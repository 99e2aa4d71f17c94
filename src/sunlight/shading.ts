import type { BlockingBuilding, BuildingSunlight } from './result.ts';

/** Number of shading sources in an answer. */
const SOURCES = 5;

/**
 * Adds up for one building which others hide the sun from it. A receptor-minute is blocked while the sun is up and in
 * front of the wall but hidden; it counts for the one building that stands highest in front of the sun just then.
 */
export class ShadingTally {
  readonly #minutes = new Map<number, number>();
  readonly #own: number;

  /** `own`: scene index of the building that is being shaded. */
  constructor(own: number) {
    this.#own = own;
  }

  add(building: number, minutes: number): void {
    this.#minutes.set(building, (this.#minutes.get(building) ?? 0) + minutes);
  }

  /** The five that block most (ties by scene index) and the sums; the building's own walls only in the sums. */
  result(): Pick<BuildingSunlight, 'sources' | 'blockedMinutes' | 'selfBlockedMinutes'> {
    let blockedMinutes = 0;
    const sources: BlockingBuilding[] = [];
    for (const [building, minutes] of this.#minutes) {
      blockedMinutes += minutes;
      if (building !== this.#own && minutes > 0) sources.push({ building, blockedMinutes: minutes });
    }
    sources.sort((a, b) => b.blockedMinutes - a.blockedMinutes || a.building - b.building);
    return {
      sources: sources.slice(0, SOURCES),
      blockedMinutes,
      selfBlockedMinutes: this.#minutes.get(this.#own) ?? 0,
    };
  }
}
