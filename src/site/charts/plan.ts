import { hoursClass } from '../../contract/sunlight-shapes.ts';
import { directionOf } from '../../geo/compass.ts';
import { DEGREE_M } from '../../geo/degree.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { HOURS_SCALE } from '../scale.ts';
import { at, BADGE, badge, drawing } from './svg.ts';

/** A place, degrees. */
type Place = readonly [lat: number, lon: number];

/** A measuring point in front of a wall. */
export interface PlanSpot {
  face: string;
  /** Number within its face, from 1. */
  receptor: number;
  place: Place;
  hours: number;
  href: string;
  chosen: boolean;
}

/** A ring of a footprint, open, in either direction. */
export interface PlanRing {
  places: readonly Place[];
  /** False for a courtyard. */
  isOuter: boolean;
}

/** The data of the plan. */
interface PlanParts {
  rings: readonly PlanRing[];
  /** Hours of a face on the shown floor; null when unknown. */
  hoursOf: (face: string) => number | null;
  hrefOf: (face: string) => string;
  chosenFace: string | null;
  spots: readonly PlanSpot[];
  /** Surrounding buildings with a letter. */
  shaders: readonly PlanShader[];
  /** Other surrounding buildings. */
  neighbours: readonly PlanNeighbour[];
}

/** A neighbouring building. A press on it opens its page. */
interface PlanNeighbour {
  href: string;
  title: string;
  rings: readonly PlanRing[];
}

/** A building that shades the chosen face. */
interface PlanShader {
  letter: string;
  /** Its name, direction and distance. */
  title: string;
  rings: readonly PlanRing[];
}

/** Words of the plan. */
interface PlanWords {
  title: string;
  description: string;
  north: string;
  metres: (metres: number) => string;
  wall: (face: string, hours: number | null) => string;
  spot: (spot: PlanSpot) => string;
}

const SIZE = 380;
/** Width between a large building and the edge of the drawing. */
const MARGIN = 70;
/** Distance shown around a building, metres. */
export const PLAN_AROUND_M = 60;
/** Radius of a measuring point, metres, and its bounds in the drawing. */
const SPOT_M = 1.4;
const SPOT_SIZES = { least: 2.5, most: 5 } as const;
/** Distance of the badges of buildings outside from the edge. */
const BADGE_MARGIN = BADGE + 8;

/**
 * The building from above: its walls coloured by hours of sun, each a link to its face, and its measuring points as
 * dots.
 */
export function plan(parts: PlanParts, words: PlanWords): Html {
  const project = projection(parts.rings.flatMap(({ places }) => places));
  const projected = (all: readonly PlanRing[]) =>
    all.map(({ places, isOuter }) => ({ points: places.map(project.to), isOuter }));
  const rings = projected(parts.rings);
  const body = outline(rings);
  const shaders = parts.shaders.map((shader) => ({ ...shader, rings: projected(shader.rings) }));
  return drawing(
    { id: 'plan', width: SIZE, height: SIZE, title: words.title, description: words.description, role: 'group' },
    [
      parts.neighbours.map(({ href, title, rings: around }) => neighbour(outline(projected(around)), href, title)),
      shaders.map(
        ({ rings: around, title }) =>
          html`<path class="shader" fill-rule="evenodd" d="${outline(around)}"><title>${title}</title></path>`,
      ),
      html`<path class="plan-body" fill-rule="evenodd" d="${body}"/>`,
      rings.flatMap(({ points, isOuter }) => walls(points, isOuter, parts, words)),
      parts.spots.map((spot) => dot(spot, project.to(spot.place), project.pixelsPerMetre, words)),
      shaderBadges(shaders),
      html`<path class="north" d="M${SIZE - 18} 30l-6 -4 6 -16 6 16z"/><text class="axis middle" x="${SIZE - 18}" y="44">${words.north}</text>`,
      scaleBar(project.pixelsPerMetre, words),
    ],
  );
}

/** A link to a neighbour. Keyboard users reach neighbours by other links of the page. */
const neighbour = (d: string, href: string, title: string): Html =>
  html`<a href="${href}" tabindex="-1" aria-hidden="true"><path class="block" fill-rule="evenodd" d="${d}"><title>${title}</title></path></a>`;

interface Outline {
  points: [number, number][];
}

const outline = (rings: readonly Outline[]): string =>
  rings.map(({ points }) => `M${points.map(([x, y]) => `${at(x)} ${at(y)}`).join('L')}z`).join('');

/** A badge on each building in the drawing. The badge of a building outside is at the edge and points to it. */
function shaderBadges(shaders: readonly { letter: string; title: string; rings: readonly Outline[] }[]): Gap {
  const placed: [number, number][] = [];
  return shaders.map(({ letter, title, rings }) => {
    const points = rings.flatMap((ring) => ring.points);
    const middle = (axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
    const target: [number, number] = [middle(0), middle(1)];
    const isOutside = target.some((value) => value < 0 || value > SIZE);
    const place = freePlace(isOutside ? towards(target) : target.map(insideEdge), placed);
    placed.push(place);
    return html`${isOutside ? pointer(place, target) : null}${badge(letter, place[0], place[1], title)}`;
  });
}

const insideEdge = (value: number): number => Math.min(SIZE - BADGE_MARGIN, Math.max(BADGE_MARGIN, value));

/** The position at the edge of the drawing, in the direction of a place outside. */
function towards([x, y]: readonly [number, number]): number[] {
  const [dx, dy] = [x - SIZE / 2, y - SIZE / 2];
  const reach = (SIZE / 2 - BADGE_MARGIN) / Math.max(Math.abs(dx), Math.abs(dy));
  return [SIZE / 2 + dx * reach, SIZE / 2 + dy * reach];
}

/** The position, or one beside it along the edge that covers no other badge. */
function freePlace([x, y]: readonly number[], placed: readonly (readonly [number, number])[]): [number, number] {
  const isUpright = Math.abs(x - SIZE / 2) > Math.abs(y - SIZE / 2);
  for (const aside of [0, 1, -1, 2, -2, 3, -3]) {
    const moved = aside * (2 * BADGE + 3);
    const place: [number, number] = [insideEdge(x + (isUpright ? 0 : moved)), insideEdge(y + (isUpright ? moved : 0))];
    if (placed.every((other) => Math.hypot(other[0] - place[0], other[1] - place[1]) > 2 * BADGE)) return place;
  }
  return [x, y];
}

/** A tip beside a badge that points to its building. */
function pointer([x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): Html {
  const degrees = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
  return html`<path class="pointer" transform="translate(${at(x)} ${at(y)}) rotate(${at(degrees)})" d="M${BADGE - 1} -5l8 5l-8 5z"/>`;
}

function projection(places: readonly Place[]): { to: (place: Place) => [number, number]; pixelsPerMetre: number } {
  const lats = places.map(([lat]) => lat);
  const lons = places.map(([, lon]) => lon);
  const lat0 = (Math.min(...lats) + Math.max(...lats)) / 2;
  const lon0 = (Math.min(...lons) + Math.max(...lons)) / 2;
  const lonM = DEGREE_M * Math.cos((lat0 * Math.PI) / 180);
  const width = (Math.max(...lons) - Math.min(...lons)) * lonM;
  const height = (Math.max(...lats) - Math.min(...lats)) * DEGREE_M;
  const size = Math.max(width, height, 1);
  const pixelsPerMetre = Math.min(SIZE / (size + 2 * PLAN_AROUND_M), (SIZE - 2 * MARGIN) / size);
  return {
    to: ([lat, lon]) => [
      SIZE / 2 + (lon - lon0) * lonM * pixelsPerMetre,
      SIZE / 2 - (lat - lat0) * DEGREE_M * pixelsPerMetre,
    ],
    pixelsPerMetre,
  };
}

/** Twice the signed area in the drawing, whose y points down: positive for a ring that looks clockwise. */
const turn = (ring: readonly (readonly [number, number])[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    return sum + x * nextY - nextX * y;
  }, 0);

function walls(ring: readonly [number, number][], isOuter: boolean, parts: PlanParts, words: PlanWords): Gap[] {
  // The outside is on the left of a clockwise ring; of courtyards it is on the right.
  const side = turn(ring) > 0 === isOuter ? 1 : -1;
  return ring.map(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    const [dx, dy] = [nextX - x, nextY - y];
    if (dx === 0 && dy === 0) return null;
    const azimuth = (Math.atan2(side * dy, side * dx) * 180) / Math.PI;
    const face = directionOf(azimuth);
    return wall(`M${at(x)} ${at(y)}L${at(nextX)} ${at(nextY)}`, face, parts, words);
  });
}

function wall(d: string, face: string, { hoursOf, hrefOf, chosenFace }: PlanParts, words: PlanWords): Html {
  const hours = hoursOf(face);
  const kind = hours === null ? 'unknown' : `h${hoursClass(hours)}`;
  return html`<a href="${hrefOf(face)}" tabindex="-1" aria-hidden="true"><path class="wall ${kind}${face === chosenFace ? ' chosen' : ''}" data-face="${face}" d="${d}"><title>${words.wall(face, hours)}</title></path></a>`;
}

function dot(spot: PlanSpot, [x, y]: readonly [number, number], pixelsPerMetre: number, words: PlanWords): Html {
  const size = Math.min(SPOT_SIZES.most, Math.max(SPOT_SIZES.least, SPOT_M * pixelsPerMetre));
  return html`<a href="${spot.href}" tabindex="-1" aria-hidden="true"><circle class="spot h${hoursClass(spot.hours)}${spot.chosen ? ' chosen' : ''}" data-face="${spot.face}" data-receptor="${spot.receptor}" data-hours="${spot.hours}" cx="${at(x)}" cy="${at(y)}" r="${at(spot.chosen ? size + 2 : size)}"><title>${words.spot(spot)}</title></circle></a>`;
}

function scaleBar(pixelsPerMetre: number, words: PlanWords): Html {
  const metres = [1, 2, 5, 10, 20, 50, 100].findLast((length) => length * pixelsPerMetre <= 90) ?? 1;
  const width = at(metres * pixelsPerMetre);
  return html`<path class="scale-bar" d="M12 ${SIZE - 12}v4h${width}v-4"/><text class="small" x="${12 + width + 6}" y="${SIZE - 6}">${words.metres(metres)}</text>`;
}

/** The classes of the scale, for `h0` to `h7` of drawings and tables. */
export const SCALE_STYLE: string = HOURS_SCALE.map(
  ({ fill, ink }, i) =>
    `.h${i}{fill:${fill};stroke:${fill};background:${fill};color:${ink}}.h${i} small{color:inherit}`,
).join('');
