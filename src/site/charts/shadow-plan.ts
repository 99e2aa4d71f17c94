import { hoursClass } from '../../contract/sunlight-shapes.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { at, BADGE, badge, drawing } from './svg.ts';

/** A surrounding building; rings of metres east and north of the middle, alternating. */
interface Caster {
  id: string;
  /** Its letter; null: none. */
  letter: string | null;
  heightM: number;
  polygons: readonly (readonly number[][])[];
  /** Roof surfaces, each as its rings: metres east, north and above the ground, alternating. None: it is a prism. */
  roof?: readonly (readonly number[][])[];
}

/** Words of the drawing. */
interface ShadowPlanWords {
  title: string;
  description: string;
  north: string;
  night: string;
  metres: (metres: number) => string;
}

const SIZE = 440;
/** Metres from the middle to the edge. */
export const REACH_M = 120;
const SCALE = SIZE / (2 * REACH_M);
/** Longer shadows leave the drawing. */
const LONGEST_M = 400;
const RADIANS = Math.PI / 180;

/** Buildings and their shadows on level ground from above, at one time, with the chosen building emphasized. */
export function shadowPlan(
  casters: readonly Caster[],
  chosen: string,
  sun: { azimuthDeg: number; altitudeDeg: number },
  words: ShadowPlanWords,
): Html {
  const isDay = sun.altitudeDeg > 0;
  return drawing({ id: 'shadows', width: SIZE, height: SIZE, title: words.title, description: words.description }, [
    html`<rect class="ground" width="${SIZE}" height="${SIZE}"/>`,
    isDay ? html`<path class="cast" d="${casters.flatMap((caster) => swept(caster, sun)).join('')}"/>` : night(words),
    casters.map(
      ({ id, polygons }) =>
        html`<path class="block${id === chosen ? ' chosen' : ''}" fill-rule="evenodd" d="${polygons.map(outline).join('')}"/>`,
    ),
    casters.map(({ id, letter, polygons }) => (letter === null ? null : badgeOn(letter, id, polygons))),
    bearings(words),
  ]);
}

/** A badge on a building, or at the edge of the drawing for a building outside. */
function badgeOn(letter: string, id: string, polygons: Caster['polygons']): Html {
  const [outer = []] = polygons[0] ?? [];
  const middle = (axis: 0 | 1): number =>
    outer.reduce((sum, value, i) => (i % 2 === axis ? sum + value : sum), 0) / (outer.length / 2);
  const inside = (value: number): number => Math.min(SIZE - BADGE - 2, Math.max(BADGE + 2, value));
  return badge(letter, inside(x(middle(0))), inside(y(middle(1))), `${letter} ${id}`);
}

const outline = (rings: readonly (readonly number[])[]): string => rings.map(path).join('');

/** The direction of north, and the length of 50 m. */
const bearings = ({ north, metres }: Pick<ShadowPlanWords, 'north' | 'metres'>): Html =>
  html`<path class="north" d="M${SIZE - 18} 30l-6 -4 6 -16 6 16z"/><text class="halo middle" x="${SIZE - 18}" y="46">${north}</text><path class="scale-bar" d="M12 ${SIZE - 12}v4h${at(50 * SCALE)}v-4"/><text class="halo" x="${18 + 50 * SCALE}" y="${SIZE - 7}">${metres(50)}</text>`;

/** Words of a small map. */
interface PlacePlanWords {
  title: string;
  description: string;
  north: string;
  metres: (metres: number) => string;
}

/** A building of a small map. */
interface PlacedBuilding extends Pick<Caster, 'polygons'> {
  hours: number | null;
  /** The page that a press opens, and its title. */
  link?: { href: string; title: string };
  /** Its letters in a list beside the map. */
  letter?: string;
}

/** Buildings around a place from above, coloured by their hours, with the place in the middle. */
export function placePlan(buildings: readonly PlacedBuilding[], words: PlacePlanWords): Html {
  const shape = ({ hours, polygons }: PlacedBuilding): Html =>
    html`<path class="${hours === null ? 'block' : `roof h${hoursClass(hours)}`}" fill-rule="evenodd" d="${polygons.map(outline).join('')}"/>`;
  const isGroup = buildings.some(({ link }) => link !== undefined);
  const { title, description } = words;
  return drawing({ id: 'place', width: SIZE, height: SIZE, title, description, role: isGroup ? 'group' : 'img' }, [
    html`<rect class="ground" width="${SIZE}" height="${SIZE}"/>`,
    buildings.map((one) =>
      one.link === undefined
        ? shape(one)
        : html`<a href="${one.link.href}" aria-label="${one.link.title}">${shape(one)}</a>`,
    ),
    buildings.map(({ letter, link, polygons }) =>
      letter === undefined ? null : badgeOn(letter, link?.title ?? '', polygons),
    ),
    // Letters already name the building in the middle.
    buildings.some(({ letter }) => letter !== undefined)
      ? null
      : html`<circle class="here" cx="${SIZE / 2}" cy="${SIZE / 2}" r="9"/>`,
    bearings(words),
  ]);
}

/** A building around a planned one. */
interface PlannedAround extends Pick<Caster, 'id' | 'letter' | 'polygons'> {
  /** Its title for a pointer. */
  title: string;
  /** True when it is changed or removed. */
  isChanged: boolean;
}

/** Buildings around the chosen one, and the outlines `[x, y, …]` of planned ones. */
export function plannedPlan(
  buildings: readonly PlannedAround[],
  chosen: string,
  planned: readonly (readonly number[])[],
  { title, description, ...words }: PlacePlanWords,
): Html {
  const kind = ({ id, isChanged }: PlannedAround): string =>
    id === chosen ? 'block chosen' : isChanged ? 'block changed' : 'block';
  return drawing({ id: 'planned', width: SIZE, height: SIZE, title, description }, [
    html`<rect class="ground" width="${SIZE}" height="${SIZE}"/>`,
    buildings.map(
      (one) =>
        html`<path class="${kind(one)}" fill-rule="evenodd" d="${one.polygons.map(outline).join('')}"><title>${one.title}</title></path>`,
    ),
    planned.map((ring) => html`<path class="planned" d="${path(ring)}"/>`),
    buildings.map(({ letter, id, polygons }) => (letter === null ? null : badgeOn(letter, id, polygons))),
    bearings(words),
  ]);
}

function night({ night: said }: ShadowPlanWords): Gap {
  return html`<text class="halo middle strong" x="${SIZE / 2}" y="24">${said}</text>`;
}

const x = (eastM: number): number => at(SIZE / 2 + eastM * SCALE);
const y = (northM: number): number => at(SIZE / 2 - northM * SCALE);

function path(ring: readonly number[]): string {
  let d = '';
  for (let i = 0; i < ring.length; i += 2) d += `${i === 0 ? 'M' : 'L'}${x(ring[i])} ${y(ring[i + 1])}`;
  return `${d}z`;
}

/** For each edge of the roof the strip that its shadow covers, and the shifted roof, all in one opaque colour. */
function swept({ heightM, polygons, roof = [] }: Caster, sun: { azimuthDeg: number; altitudeDeg: number }): string[] {
  const perMetre = 1 / Math.tan(sun.altitudeDeg * RADIANS);
  const [east, north] = [-Math.sin(sun.azimuthDeg * RADIANS), -Math.cos(sun.azimuthDeg * RADIANS)];
  const edges =
    roof.length > 0
      ? roof.map(([outer = []]) => outer)
      : polygons.map(([outer = []]) => outer.flatMap((value, i) => (i % 2 === 0 ? [value] : [value, heightM])));
  return edges.flatMap((outer) => {
    const far: number[] = [];
    for (let i = 0; i < outer.length; i += 3) {
      const length = Math.min(LONGEST_M, outer[i + 2] * perMetre);
      far.push(outer[i] + length * east, outer[i + 1] + length * north);
    }
    const strips = [path(turned(far))];
    for (let i = 0; i < far.length; i += 2) {
      const j = (i + 2) % far.length;
      const near = [(i / 2) * 3, (j / 2) * 3].map((at) => [outer[at], outer[at + 1]]);
      strips.push(path(turned([...near[0], ...near[1], far[j], far[j + 1], far[i], far[i + 1]])));
    }
    return strips;
  });
}

/** A clockwise ring: rings of one direction cut no holes into each other. */
function turned(ring: readonly number[]): number[] {
  let area = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    area += ring[i] * ring[j + 1] - ring[j] * ring[i + 1];
  }
  if (area <= 0) return [...ring];
  const points: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) points.push(ring[i], ring[i + 1]);
  return points;
}
