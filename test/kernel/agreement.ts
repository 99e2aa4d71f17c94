import type { BuildingSunlight } from '../../src/sunlight/result.ts';

/** What is added up. */
const COUNTS = [
  'buildings',
  'faceDays',
  'equal',
  'near',
  'within',
  'equalWindows',
  'minutes',
  'believedMinutes',
  'sameFirst',
  'sources',
  'sharedSources',
] as const;

/** How well two ways of computing agree, building by building. The second is the one that is believed. */
export class Agreement {
  buildings = 0;
  /** Minutes of one face on one floor on one of the twelve days: how many there are, … */
  faceDays = 0;
  /** … how many are equal to the minute, … */
  equal = 0;
  /** … how many to within half a minute, … */
  near = 0;
  /** … how many to within a minute, … */
  within = 0;
  /** … and the largest difference, minutes. */
  worst = 0;
  /** Face-floor-days whose windows are equal. */
  equalWindows = 0;
  minutes = 0;
  believedMinutes = 0;
  /** Buildings whose first shading source is the same (both without one included). */
  sameFirst = 0;
  /** Shading sources of the second way, and how many of them the first way has among its own five. */
  sources = 0;
  sharedSources = 0;

  /** Throws where the two do not speak of the same faces. */
  add(found: BuildingSunlight, believed: BuildingSunlight): void {
    const names = ({ faces }: BuildingSunlight): string =>
      faces.map(({ face, receptors }) => `${face}×${receptors}`).join();
    if (names(found) !== names(believed)) throw new Error(`faces ${names(found)}, expected ${names(believed)}`);
    this.buildings++;
    found.faces.forEach(({ sunMinutes, windows }, i) => {
      const other = believed.faces[i]!;
      sunMinutes.forEach((minutes, day) => {
        const difference = Math.abs(minutes - other.sunMinutes[day]!);
        this.faceDays++;
        // A mean of whole minutes over up to eight receptors: what is nearer than this is equal.
        if (difference < 1e-6) this.equal++;
        if (difference <= 0.5) this.near++;
        if (difference <= 1) this.within++;
        this.worst = Math.max(this.worst, difference);
        this.minutes += minutes;
        this.believedMinutes += other.sunMinutes[day]!;
        if (windows[day]!.join() === other.windows[day]!.join()) this.equalWindows++;
      });
    });
    const sources = believed.sources.map(({ building }) => building);
    const foundSources = found.sources.map(({ building }) => building);
    if (sources[0] === foundSources[0]) this.sameFirst++;
    this.sources += sources.length;
    this.sharedSources += sources.filter((building) => foundSources.includes(building)).length;
  }

  /** Adds the counts of another. */
  merge(other: Pick<Agreement, (typeof COUNTS)[number] | 'worst'>): void {
    this.worst = Math.max(this.worst, other.worst);
    for (const count of COUNTS) this[count] += other[count];
  }

  get nearShare(): number {
    return this.near / this.faceDays;
  }

  get withinShare(): number {
    return this.within / this.faceDays;
  }

  get equalShare(): number {
    return this.equal / this.faceDays;
  }

  /** Share by which the first way finds more minutes than the second. */
  get bias(): number {
    return this.minutes / this.believedMinutes - 1;
  }

  get sameFirstShare(): number {
    return this.sameFirst / this.buildings;
  }

  get sourceOverlap(): number {
    return this.sources === 0 ? 1 : this.sharedSources / this.sources;
  }

  toString(): string {
    const percent = (share: number, digits = 2): string => `${(100 * share).toFixed(digits)} %`;
    return [
      `${this.buildings} buildings, ${this.faceDays} face-floor-days`,
      `equal ${percent(this.equalShare)}`,
      `windows equal ${percent(this.equalWindows / this.faceDays)}`,
      `worst ${this.worst.toFixed(2)} min`,
      `bias ${percent(this.bias, 4)}`,
      `first source ${percent(this.sameFirstShare)}`,
      `five sources ${percent(this.sourceOverlap)}`,
    ].join(', ');
  }
}
