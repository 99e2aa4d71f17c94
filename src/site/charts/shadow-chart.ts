import type { ShadowStudy } from '../../contract/operations/sunlight-shadow.ts';
import { DEGREE_M } from '../../geo/degree.ts';
import { type Html, html } from '../markup.ts';
import { at, drawing, wrapped } from './svg.ts';

/** Words of the drawing. */
interface ShadowChartWords {
  title: string;
  description: string;
  north: string;
  metres: (metres: number) => string;
  hours: (hours: number) => string;
  /** Lines below the drawing. */
  notes: readonly string[];
}

type Feature = ShadowStudy['features'][number];
type Path = readonly (readonly [lon: number, lat: number])[];

const WIDTH = 720;
const MOST_HEIGHT = 900;
const MARGIN = 30;
const LINE_HEIGHT = 20;

/**
 * Hours of shadow on the ground: buildings, the site and its lines, lines of equal hours, and the shadow at each full
 * hour.
 */
export function shadowChart({ features }: ShadowStudy, around: readonly Path[], words: ShadowChartWords): Html {
  const of = (kind: Feature['properties']['kind']): Feature[] =>
    features.filter(({ properties }) => properties.kind === kind);
  const framed = features.filter(isFramed).flatMap(pathsOf);
  const project = projection(framed);
  const draw = (path: Path, isClosed: boolean): string =>
    `M${path.map((place) => project.to(place).map(at).join(' ')).join('L')}${isClosed ? 'z' : ''}`;
  const drawn = (feature: Feature, className: string): Html =>
    html`<path class="${className}" fill-rule="evenodd" d="${pathsOf(feature)
      .map((path) => draw(path, feature.geometry.type === 'MultiPolygon'))
      .join('')}"/>`;
  // The first labels have the best places: lines of hours, then those of the site, then shadows.
  const labels = new Labels(project);
  const hourLabels = of('hours').map((feature) =>
    labels.draw(feature, 'north', words.hours(feature.properties.hours ?? 0), 'strong'),
  );
  const siteLabels = of('site_line').map((feature) =>
    labels.draw(feature, 'south', words.metres(feature.properties.distance_m ?? 0), 'small'),
  );
  const shadowLabels = of('shadow').map((feature) =>
    labels.draw(feature, 'north', feature.properties.true_solar_time ?? '', 'small'),
  );
  const notes = words.notes.flatMap((note) => wrapped(note, WIDTH - 20));
  const height = project.height + notes.length * LINE_HEIGHT + 14;
  return drawing({ id: 'shadow-hours', width: WIDTH, height, title: words.title, description: words.description }, [
    html`<rect class="ground" width="${WIDTH}" height="${at(height)}"/><svg width="${WIDTH}" height="${at(project.height)}">`,
    html`<path class="block" d="${around.map((path) => draw(path, true)).join('')}"/>`,
    of('shadow').map((feature) => drawn(feature, 'time-shadow')),
    of('building').map((feature) => drawn(feature, 'block chosen')),
    of('site').map((feature) => drawn(feature, 'site')),
    of('site_line').map((feature) => drawn(feature, 'site-line')),
    of('hours').map((feature) => drawn(feature, 'hour-line')),
    shadowLabels,
    siteLabels,
    hourLabels,
    html`<path class="north" d="M${WIDTH - 18} 30l-6 -4 6 -16 6 16z"/><text class="halo middle" x="${WIDTH - 18}" y="46">${words.north}</text>`,
    scaleBar(project, words),
    html`</svg>`,
    notes.map((note, i) => html`<text x="10" y="${at(project.height + (i + 1) * LINE_HEIGHT)}">${note}</text>`),
  ]);
}

/** The drawing is framed by the shadows around noon, because those of morning and evening are long. */
const isFramed = ({ properties: { kind, true_solar_time: time } }: Feature): boolean =>
  kind !== 'shadow' || (time !== null && time >= '10:00' && time <= '14:00');

/** The rings or lines of a feature. */
function pathsOf({ geometry }: Feature): Path[] {
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : geometry.coordinates;
}

interface Projection {
  height: number;
  pixelsPerMetre: number;
  to(place: readonly [lon: number, lat: number]): [x: number, y: number];
}

/** Scales paths to the width, and at most to the largest height. */
function projection(paths: readonly Path[]): Projection {
  const places = paths.flat();
  const bound = (axis: 0 | 1, of: (...values: number[]) => number): number =>
    places.reduce((best, place) => of(best, place[axis]), places[0][axis]);
  const [west, east, south, north] = [bound(0, Math.min), bound(0, Math.max), bound(1, Math.min), bound(1, Math.max)];
  const lonM = DEGREE_M * Math.cos((south * Math.PI) / 180);
  const [width, depth] = [Math.max(1, (east - west) * lonM), Math.max(1, (north - south) * DEGREE_M)];
  const pixelsPerMetre = Math.min((WIDTH - 2 * MARGIN) / width, (MOST_HEIGHT - 2 * MARGIN) / depth);
  const height = depth * pixelsPerMetre + 2 * MARGIN;
  const left = (WIDTH - width * pixelsPerMetre) / 2;
  return {
    height,
    pixelsPerMetre,
    to: ([lon, lat]) => [
      left + (lon - west) * lonM * pixelsPerMetre,
      MARGIN + (north - lat) * DEGREE_M * pixelsPerMetre,
    ],
  };
}

/** Pixels between two labels, at least one of the two. */
const [LABELS_APART_X, LABELS_APART_Y] = [36, 15];
/** Pixels between places along a line that are tried for its label. */
const LABEL_STEP = 10;

/** Labels of features, each at a place of its feature where no other label is. */
class Labels {
  readonly #projection: Projection;
  readonly #placed: [x: number, y: number][] = [];

  constructor(projection: Projection) {
    this.#projection = projection;
  }

  /** Draws a label as far to one side as there is room; null where the feature has no room for it. */
  draw(feature: Feature, side: 'north' | 'south', text: string, className: string): Html | null {
    const { to, height } = this.#projection;
    const sign = side === 'north' ? -1 : 1;
    const isFree = ([x, y]: [number, number]): boolean =>
      this.#placed.every(([px, py]) => Math.abs(px - x) >= LABELS_APART_X || Math.abs(py - y) >= LABELS_APART_Y);
    const [place] = pathsOf(feature)
      .flatMap((path) => alongPath(path.map(to)))
      .filter(([x, y]) => x >= 16 && x <= WIDTH - 16 && y >= 16 && y <= height - 6)
      .toSorted((a, b) => sign * (b[1] - a[1]))
      .filter(isFree);
    if (place === undefined) return null;
    this.#placed.push(place);
    return html`<text class="halo middle ${className}" x="${at(place[0])}" y="${at(place[1])}">${text}</text>`;
  }
}

/** The corners of a path and places between them. */
const alongPath = (places: readonly [x: number, y: number][]): [x: number, y: number][] =>
  places.flatMap(([x, y], i) => {
    const [px, py] = places[i - 1] ?? [x, y];
    const steps = Math.max(1, Math.floor(Math.hypot(x - px, y - py) / LABEL_STEP));
    return Array.from({ length: steps }, (_, step): [number, number] => {
      const share = (step + 1) / steps;
      return [px + share * (x - px), py + share * (y - py)];
    });
  });

function scaleBar({ pixelsPerMetre, height }: Projection, { metres }: ShadowChartWords): Html {
  const length = [1, 2, 5, 10, 20, 50, 100].findLast((one) => one * pixelsPerMetre <= 120) ?? 1;
  const width = at(length * pixelsPerMetre);
  return html`<path class="scale-bar" d="M12 ${at(height - 12)}v4h${width}v-4"/><text class="halo small" x="${18 + width}" y="${at(height - 6)}">${metres(length)}</text>`;
}
