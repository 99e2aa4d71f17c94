import { hoursClass } from '../../contract/sunlight-shapes.ts';
import { directionOf } from '../../geo/compass.ts';
import { RADIANS } from '../../geo/degree.ts';
import { azimuthDeg } from '../../geo/plane.ts';
import { boundsOf, pointSegmentSquared, representativePoint, signedArea } from '../../geo/polygon.ts';
import { MARK, markScale } from '../map/browser/nearest.js';
import { type Fragment, type Html, html } from '../markup.ts';
import { HOURS_SCALE } from '../scale.ts';
import { alongPath, BADGE, badge, drawing, Labels, northArrow, type Point, scaleBar, tenth } from './svg.ts';

/** Corners as metres east and north of a place, alternating; the first corner is not repeated at the end. */
type Ring = readonly number[];
/** Each polygon as its rings, the outer one first. */
type Polygons = readonly (readonly Ring[])[];

/** Words of a plan. */
export interface PlanWords {
  title: string;
  description: string;
  north: string;
  metres: (metres: number) => string;
}

/** A building with a letter, which stands for it in a list beside the plan. */
interface Lettered {
  letter: string;
  title: string;
  polygons: Polygons;
}

/** A round mark: where it is drawn (null: the drawing has no room for it), and the position that it marks. */
interface Mark {
  place: Point | null;
  target: Point;
}

/** Converts metres to positions in a square drawing with north at the top, and names buildings in it. */
export class Plan {
  readonly pixelsPerMetre: number;
  readonly labels: Labels;
  readonly #size: number;
  readonly #middle: Point;

  /**
   * @param size pixels of a side
   * @param reachM metres from the middle to a side
   * @param middle the place in the middle of the drawing, metres east and north
   */
  constructor(size: number, reachM: number, middle: Point = [0, 0]) {
    this.#size = size;
    this.#middle = middle;
    this.pixelsPerMetre = size / (2 * reachM);
    this.labels = new Labels(size, size);
    // The box of the arrow to the north.
    this.labels.reserve([size - 18, 28], [28, 44]);
  }

  /** The position in the drawing of a place, metres east and north. */
  to([east, north]: Point): Point {
    const [middleEast, middleNorth] = this.#middle;
    return [
      this.#size / 2 + (east - middleEast) * this.pixelsPerMetre,
      this.#size / 2 - (north - middleNorth) * this.pixelsPerMetre,
    ];
  }

  /** The positions in the drawing of a ring's corners. */
  corners(ring: Ring): Point[] {
    return Array.from({ length: ring.length / 2 }, (_, i) => this.to([ring[2 * i], ring[2 * i + 1]]));
  }

  /** Closed rings as the data of a path. */
  path(rings: readonly Ring[]): string {
    const ringPath = (ring: Ring): string => {
      const corners = this.corners(ring).map(([x, y]) => `${tenth(x)} ${tenth(y)}`);
      return `M${corners.join('L')}z`;
    };
    return rings.map(ringPath).join('');
  }

  /** Keeps a strip along the walls of a building, `width` pixels wide, free of letters. */
  reserveWalls(polygons: Polygons, width: number): void {
    for (const ring of polygons.flat()) {
      const corners = this.corners(ring);
      for (const place of alongPath([...corners, ...corners.slice(0, 1)], width))
        this.labels.reserve(place, [width, width]);
    }
  }

  /**
   * A badge on each building, or beside it with a line to it; none where the drawing has no room for it. The badge of a
   * building outside of the drawing is at the edge and points to it.
   */
  badges(buildings: readonly Lettered[]): Fragment {
    const shown = buildings.filter(({ polygons }) => polygons.length > 0);
    const marks = this.marks(
      shown.map(({ polygons }) => this.to(representativePoint(polygons))),
      BADGE,
    );
    const drawn = shown.map(({ letter, title }, i) => {
      const { place, target } = marks[i];
      if (place === null) return null;
      return html`${this.#isOutside(target) ? pointer(place, target) : null}${badge(letter, place, title)}`;
    });
    return [this.leaders(marks), drawn];
  }

  /**
   * Round marks of some targets, in their order: each is on its target, or beside it if other marks cover it. Lines from
   * marks to their targets run under no mark, except where a mark has no other place. The mark of a target outside of the
   * drawing is at the edge.
   */
  marks(targets: readonly Point[], radius: number): Mark[] {
    const lines: { place: Point; target: Point }[] = [];
    const isApart = ([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): boolean =>
      pointSegmentSquared(x, y, ax, ay, bx, by) > (radius + 2) ** 2;
    /** True when the line of this mark runs under no placed mark, and the line of no placed mark under this one. */
    const isClear = (place: Point, target: Point): boolean =>
      lines.every((other) => isApart(other.place, place, target) && isApart(place, other.place, other.target));
    const placeAt = (places: Iterable<Point>): Point | null =>
      this.labels.place(places, [2 * radius + 1, 2 * radius + 1]);
    return targets.map((target) => {
      const isOutside = this.#isOutside(target);
      const place = isOutside
        ? placeAt(this.#alongEdge(target))
        : (placeAt(this.#around(target).filter((one) => isClear(one, target))) ?? placeAt(this.#around(target)));
      // No line leads out of the drawing: the mark has a pointer instead.
      if (place !== null) lines.push({ place, target: isOutside ? place : target });
      return { place, target };
    });
  }

  /** Lines from the marks that stand beside their targets. */
  leaders(marks: readonly Mark[]): Fragment {
    return marks.map(({ place, target }) =>
      place === null || place === target || this.#isOutside(target)
        ? null
        : html`<path class="leader" d="M${place.map(tenth).join(' ')}L${target.map(tenth).join(' ')}"/><circle class="leader" cx="${tenth(target[0])}" cy="${tenth(target[1])}" r="1.5"/>`,
    );
  }

  #isOutside(target: Point): boolean {
    return target.some((value) => value < 0 || value > this.#size);
  }

  /**
   * Positions for the mark of a target: the target itself, then positions around it, the nearest first. Of positions
   * equally near, those away from the middle of the drawing come first.
   */
  *#around(target: Point): Generator<Point> {
    yield target;
    const [x, y] = target;
    const outwards = Math.atan2(y - this.#size / 2, x - this.#size / 2);
    for (const length of LEADER_LENGTHS) {
      for (const turn of TURNS) {
        const angle = outwards + turn * (Math.PI / 6);
        yield [x + length * Math.cos(angle), y + length * Math.sin(angle)];
      }
    }
  }

  /** The position at the edge of the drawing in the direction of a target outside, then positions beside it. */
  *#alongEdge([x, y]: Point): Generator<Point> {
    const middle = this.#size / 2;
    /** How far from the middle, to each side, a badge may be. */
    const edge = middle - BADGE_MARGIN;
    const [dx, dy] = [x - middle, y - middle];
    const reach = edge / Math.max(Math.abs(dx), Math.abs(dy));
    for (const badgesAside of [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6]) {
      const moved = badgesAside * (2 * BADGE + BADGE_GAP);
      /** The coordinate at an offset from the middle, at most at the edge. */
      const clamped = (offset: number): number => middle + Math.min(edge, Math.max(-edge, offset));
      yield Math.abs(dx) > Math.abs(dy)
        ? [clamped(dx * reach), clamped(dy * reach + moved)]
        : [clamped(dx * reach + moved), clamped(dy * reach)];
    }
  }

  /**
   * The whole drawing: the ground, the content and the arrow to the north. The scale bar is below it, in a drawing of
   * its own, where it covers no building.
   */
  drawn(id: string, words: PlanWords, content: Fragment, role: 'img' | 'group' = 'img'): Html {
    const { title, description } = words;
    const plan = drawing({ id, width: this.#size, height: this.#size, title, description, role }, [
      html`<rect class="ground" width="${this.#size}" height="${this.#size}"/>`,
      content,
      northArrow(this.#size, words.north),
    ]);
    return html`${plan}<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.#size} ${SCALE_STRIP}" aria-hidden="true">${scaleBar(SCALE_STRIP, this.pixelsPerMetre, words.metres)}</svg>`;
  }
}

/** Height of the drawing with the scale bar, pixels. */
const SCALE_STRIP = 24;
/** Lengths of the lines from marks to their targets, pixels, and their directions, in steps of 30°. */
const LEADER_LENGTHS = [20, 32, 46, 62, 80, 100, 122, 146];
const TURNS = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6];
/** Space between two badges at the edge, pixels. */
const BADGE_GAP = 3;
/** Distance of the badges of buildings outside from the edge. */
const BADGE_MARGIN = BADGE + 8;

/** A tip beside a badge that points to its building. */
function pointer([x, y]: Point, [toX, toY]: Point): Html {
  const degrees = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
  return html`<path class="pointer" transform="translate(${tenth(x)} ${tenth(y)}) rotate(${tenth(degrees)})" d="M${BADGE - 1} -5l8 5l-8 5z"/>`;
}

const SIZE = 440;
/** Metres from the middle to the edge. */
export const REACH_M = 120;
/** True when the middle of a building is inside a plan of this reach: a letter of another one is at the edge. */
export const isInPlan = (polygons: Polygons): boolean =>
  polygons.length > 0 && representativePoint(polygons).every((metres) => Math.abs(metres) <= REACH_M);

/** Width that is kept free of letters along the walls of the chosen building, pixels. */
const OWN_WALL = 8;

/** A building of a plan. */
interface Planned {
  id: string;
  /** Its letter; null: none. */
  letter: string | null;
  polygons: Polygons;
}

/** The shape of a building; its title is shown by a pointer over it. */
const block = (plan: Plan, polygons: Polygons, kind: string, title: string | null = null): Html =>
  html`<path class="${kind}" fill-rule="evenodd" d="${plan.path(polygons.flat())}">${title === null ? null : html`<title>${title}</title>`}</path>`;

/** The buildings with a letter in order of letters, with their IDs in the titles of their badges. */
const lettered = (buildings: readonly Planned[]): Lettered[] =>
  buildings
    .flatMap(({ id, letter, polygons }) => (letter === null ? [] : [{ letter, title: `${letter} ${id}`, polygons }]))
    .sort((a, b) => (a.letter < b.letter ? -1 : 1));

/** A surrounding building that casts shade. */
interface Caster extends Planned {
  heightM: number;
  /** Roof surfaces, each as its rings: metres east, north and above the ground, alternating. None: it is a prism. */
  roof: readonly (readonly number[][])[];
}

/**
 * Buildings and their shadows on level ground from above, at one time, with the chosen building emphasized. At night
 * the words `night` take the place of the shadows.
 * @param chosen ID of the chosen building
 */
export function shadowPlan(
  casters: readonly Caster[],
  chosen: string,
  sun: { azimuthDeg: number; altitudeDeg: number },
  words: PlanWords & { night: string },
): Html {
  const plan = new Plan(SIZE, REACH_M);
  const isDay = sun.altitudeDeg > 0;
  // Letters stand beside the walls of the chosen building, not on them.
  plan.reserveWalls(casters.find(({ id }) => id === chosen)?.polygons ?? [], OWN_WALL);
  return plan.drawn('shadows', words, [
    isDay
      ? html`<path class="cast" d="${casters.map((caster) => plan.path(shadowRings(caster, sun))).join('')}"/>`
      : html`<text class="halo middle strong" x="${SIZE / 2}" y="24">${words.night}</text>`,
    casters.map(({ id, polygons }) => block(plan, polygons, `block${id === chosen ? ' chosen' : ''}`)),
    plan.badges(lettered(casters)),
  ]);
}

/** A building of a small map. */
interface PlacedBuilding {
  polygons: Polygons;
  hours: number | null;
  /** The page that a press opens, and its title. */
  link?: { href: string; title: string };
  /** Its letter in a list beside the map. */
  letter?: string;
}

/** Buildings around a place from above, coloured by their hours, with the place in the middle. */
export function placePlan(buildings: readonly PlacedBuilding[], words: PlanWords): Html {
  const plan = new Plan(SIZE, REACH_M);
  const shape = ({ hours, polygons }: PlacedBuilding): Html =>
    block(plan, polygons, hours === null ? 'block' : `roof h${hoursClass(hours)}`);
  const named = buildings.flatMap(({ letter, polygons }) =>
    letter === undefined ? [] : [{ letter, title: letter, polygons }],
  );
  return plan.drawn(
    'place',
    words,
    [
      buildings.map((one) =>
        one.link === undefined
          ? shape(one)
          : html`<a href="${one.link.href}" aria-label="${one.link.title}">${shape(one)}</a>`,
      ),
      // Letters already name the building in the middle.
      named.length > 0 ? plan.badges(named) : html`<circle class="here" cx="${SIZE / 2}" cy="${SIZE / 2}" r="9"/>`,
    ],
    buildings.some(({ link }) => link !== undefined) ? 'group' : 'img',
  );
}

/** A building around a planned one. */
interface PlannedAround extends Planned {
  /** Its title for a pointer. */
  title: string;
  /** True when it is changed or removed. */
  isChanged: boolean;
}

/** The plan of a what-if page: the buildings around the chosen one, and the outlines of planned ones. */
export function whatIfPlan(
  buildings: readonly PlannedAround[],
  chosen: string,
  planned: readonly Ring[],
  words: PlanWords,
): Html {
  const plan = new Plan(SIZE, REACH_M);
  const kind = ({ id, isChanged }: PlannedAround): string => {
    if (id === chosen) return 'block chosen';
    return isChanged ? 'block changed' : 'block';
  };
  // Letters stand beside the walls of the chosen building, not on them.
  plan.reserveWalls(buildings.find(({ id }) => id === chosen)?.polygons ?? [], OWN_WALL);
  return plan.drawn('planned', words, [
    buildings.map((one) => block(plan, one.polygons, kind(one), one.title)),
    planned.map((ring) => html`<path class="planned" d="${plan.path([ring])}"/>`),
    plan.badges(lettered(buildings)),
  ]);
}

/** The greatest length of a shadow: longer ones leave the drawing. */
const LONGEST_M = 400;

/**
 * The shadow of a building on level ground as overlapping rings: for each roof surface its shadow, and a strip from each
 * of its edges to the shadow of this edge. They overlap; the caller paints all in one colour.
 */
function shadowRings({ heightM, polygons, roof }: Caster, sun: { azimuthDeg: number; altitudeDeg: number }): Ring[] {
  const perMetre = 1 / Math.tan(sun.altitudeDeg * RADIANS);
  const [east, north] = [-Math.sin(sun.azimuthDeg * RADIANS), -Math.cos(sun.azimuthDeg * RADIANS)];
  // Outer rings of the roof surfaces: east, north and height of each corner. A prism has its outline at its height.
  const surfaces =
    roof.length > 0
      ? roof.map(([outer = []]) => outer)
      : polygons.map(([outer = []]) => outer.flatMap((value, i) => (i % 2 === 0 ? [value] : [value, heightM])));
  return surfaces.flatMap((outer) => {
    const corners = Array.from({ length: outer.length / 3 }, (_, i): Point => [outer[3 * i], outer[3 * i + 1]]);
    const shadows = corners.map((corner, i): Point => {
      const length = Math.min(LONGEST_M, outer[3 * i + 2] * perMetre);
      return [corner[0] + length * east, corner[1] + length * north];
    });
    const strips = corners.map((corner, i) => {
      const next = (i + 1) % corners.length;
      return clockwise([...corner, ...corners[next], ...shadows[next], ...shadows[i]]);
    });
    return [clockwise(shadows.flat()), ...strips];
  });
}

/** A ring with its corners in clockwise order: filled rings of one direction cut no holes into each other. */
function clockwise(ring: Ring): Ring {
  if (signedArea(ring) <= 0) return ring;
  return ring.flatMap((_, i) => (i % 2 === 0 ? [ring[ring.length - 2 - i], ring[ring.length - 1 - i]] : []));
}

/** A measuring point in front of a wall. */
export interface PlanSpot {
  face: string;
  /** Number within its face, from 1. */
  receptor: number;
  /** Metres east and north of the middle of the plan. */
  place: Point;
  hours: number;
  href: string;
  chosen: boolean;
}

/** The data of the plan of a building. */
interface WallPlanParts {
  polygons: Polygons;
  /** Hours of a face on the shown floor; null when unknown. */
  hoursOf: (face: string) => number | null;
  hrefOf: (face: string) => string;
  chosenFace: string;
  spots: readonly PlanSpot[];
  /** Buildings that shade the chosen face. */
  shaders: readonly Lettered[];
  /** Other buildings with a letter. They have a badge; their outlines are those of `neighbours`. */
  seen: readonly Lettered[];
  /** Other surrounding buildings. A press opens the page of one. */
  neighbours: readonly { href: string; title: string; polygons: Polygons }[];
}

interface WallPlanWords extends PlanWords {
  wall: (face: string, hours: number | null) => string;
  spot: (spot: PlanSpot) => string;
}

/** A side of the plan of a building, pixels. */
const WALL_PLAN = 380;
/** Width between a large building and the edge of the drawing, pixels. */
const MARGIN = 70;
/** Distance shown around a building, metres. */
export const PLAN_AROUND_M = 60;
/** Radius of a measuring point, metres, and its bounds in the drawing, pixels. */
const SPOT_M = 1.4;
const SPOT_SIZES = { least: 2.5, most: 5 } as const;
/** Width of the walls and measuring points that letters do not cover, pixels. */
const COLOURED_WALL = 16;

/**
 * The building from above: its walls coloured by hours of sun, each a link to its face, and its measuring points as
 * dots.
 */
export function wallPlan(parts: WallPlanParts, words: WallPlanWords): Html {
  const { polygons, spots, shaders, seen, neighbours } = parts;
  const [west, south, east, north] = boundsOf(polygons.flat());
  const size = Math.max(east - west, north - south, 1);
  const reachAroundM = size / 2 + PLAN_AROUND_M;
  // With this reach, the building alone fills the drawing between its margins.
  const leastReachM = (size * WALL_PLAN) / (2 * (WALL_PLAN - 2 * MARGIN));
  const reachM = Math.max(reachAroundM, leastReachM);
  const plan = new Plan(WALL_PLAN, reachM, [(west + east) / 2, (south + north) / 2]);
  // No badge covers the coloured walls.
  plan.reserveWalls(polygons, COLOURED_WALL);
  const neighbour = ({ href, title, polygons: around }: (typeof neighbours)[number]): Html =>
    html`<a href="${href}" tabindex="-1" aria-hidden="true">${block(plan, around, 'block', title)}</a>`;
  return plan.drawn(
    'plan',
    words,
    [
      // Keyboard users reach neighbours by other links of the page.
      neighbours.map(neighbour),
      shaders.map(({ polygons: around, title }) => block(plan, around, 'shader', title)),
      block(plan, polygons, 'plan-body'),
      polygons.map((rings) => rings.map((ring, i) => walls(plan, ring, i === 0, parts, words))),
      spots.map((spot) => dot(plan, spot, words)),
      plan.badges([...shaders, ...seen]),
    ],
    'group',
  );
}

/** The walls along a ring. Repeated corners have no wall: null. */
function walls(plan: Plan, ring: Ring, isOuter: boolean, parts: WallPlanParts, words: WallPlanWords): Fragment[] {
  // The outside is on the right of a counter-clockwise ring; of courtyards it is on the left.
  const side = signedArea(ring) > 0 === isOuter ? 1 : -1;
  const corners = plan.corners(ring);
  return corners.map(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    // In the drawing, y grows to the south.
    const [east, north] = [nextX - x, y - nextY];
    if (east === 0 && north === 0) return null;
    const [outEast, outNorth] = [side * north, -side * east];
    const face = directionOf(azimuthDeg(outEast, outNorth));
    return wall(`M${tenth(x)} ${tenth(y)}L${tenth(nextX)} ${tenth(nextY)}`, face, parts, words);
  });
}

/** A wall from its path data: a link to its face, coloured by the face's hours. */
function wall(d: string, face: string, { hoursOf, hrefOf, chosenFace }: WallPlanParts, words: WallPlanWords): Html {
  const hours = hoursOf(face);
  const kind = hours === null ? 'unknown' : `h${hoursClass(hours)}`;
  return html`<a href="${hrefOf(face)}" tabindex="-1" aria-hidden="true"><path class="wall ${kind}${face === chosenFace ? ' chosen' : ''}" data-face="${face}" d="${d}"><title>${words.wall(face, hours)}</title></path></a>`;
}

/** A measuring point: a link to it, coloured by its hours. The chosen one is larger. */
function dot(plan: Plan, spot: PlanSpot, words: WallPlanWords): Html {
  const [x, y] = plan.to(spot.place);
  const size = Math.min(SPOT_SIZES.most, Math.max(SPOT_SIZES.least, SPOT_M * plan.pixelsPerMetre));
  const style = `spot h${hoursClass(spot.hours)}${spot.chosen ? ' chosen' : ''}`;
  const radius = tenth(spot.chosen ? size + 2 : size);
  return html`<a href="${spot.href}" tabindex="-1" aria-hidden="true">
<circle class="${style}" data-face="${spot.face}" data-receptor="${spot.receptor}" data-hours="${spot.hours}" cx="${tenth(x)}" cy="${tenth(y)}" r="${radius}"><title>${words.spot(spot)}</title></circle></a>`;
}

/**
 * The outline of a building as a small mark for lists, north up, in the colour of its hours; null when the outline is
 * unknown.
 */
export function outlineMark(polygons: Polygons, hours: number | null | undefined): Fragment {
  if (polygons.length === 0) return null;
  const [west, south, east, north] = boundsOf(polygons.flat());
  const halfSideM = MARK.side / 2 / markScale(east - west, north - south);
  const plan = new Plan(MARK.side, halfSideM, [(west + east) / 2, (south + north) / 2]);
  const colour = hours === null || hours === undefined ? 'unknown' : `h${hoursClass(hours)}`;
  return html`<svg class="outline-mark" viewBox="0 0 ${MARK.side} ${MARK.side}" width="${MARK.side}" height="${MARK.side}" aria-hidden="true">${block(plan, polygons, colour)}</svg>`;
}

/** The classes of the scale, for `h0` to `h7` of drawings and tables. */
export const SCALE_STYLE: string = HOURS_SCALE.map(
  ({ fill, ink }, i) =>
    `.h${i}{fill:${fill};stroke:${fill};background:${fill};color:${ink}}.h${i} small{color:inherit}`,
).join('');
