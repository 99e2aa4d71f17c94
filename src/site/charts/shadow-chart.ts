import type { ShadowStudy } from '../../contract/operations/sunlight-shadow.ts';
import { LocalPlane } from '../../geo/plane.ts';
import { boundsOf } from '../../geo/polygon.ts';
import { type Html, html } from '../markup.ts';
import { alongPath, at, drawing, Labels, northArrow, type Point, scaleBar, wrapped } from './svg.ts';

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
  const labels = new Labels(WIDTH, project.height);
  /** A label as far to one side of a feature as there is room; null where there is none. */
  const label = (feature: Feature, side: 'north' | 'south', text: string, className: string): Html | null => {
    const places = pathsOf(feature)
      .flatMap((path) => alongPath(path.map(project.to), LABEL_STEP))
      .toSorted(([, a], [, b]) => (side === 'north' ? a - b : b - a));
    const place = labels.place(places, LABEL);
    return (
      place &&
      html`<text class="halo middle ${className}" x="${at(place[0])}" y="${at(place[1] + BASELINE)}">${text}</text>`
    );
  };
  // The first labels have the best places: lines of hours, then those of the site, then shadows.
  const hourLabels = of('hours').map((feature) =>
    label(feature, 'north', words.hours(feature.properties.hours ?? 0), 'strong'),
  );
  const siteLabels = of('site_line').map((feature) =>
    label(feature, 'south', words.metres(feature.properties.distance_m ?? 0), 'small'),
  );
  const shadowLabels = of('shadow').map((feature) =>
    label(feature, 'north', feature.properties.true_solar_time ?? '', 'small'),
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
    northArrow(WIDTH, words.north),
    scaleBar(project.height, project.pixelsPerMetre, words.metres),
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
  to(place: readonly [lon: number, lat: number]): Point;
}

/** Scales paths to the width, and at most to the largest height. */
function projection(paths: readonly Path[]): Projection {
  const [west, south, east, north] = boundsOf(paths.map((path) => path.flat()));
  const plane = new LocalPlane(north, west);
  const [width, depth] = [Math.max(1, plane.x(south, east)), Math.max(1, -plane.y(south))];
  const pixelsPerMetre = Math.min((WIDTH - 2 * MARGIN) / width, (MOST_HEIGHT - 2 * MARGIN) / depth);
  const left = (WIDTH - width * pixelsPerMetre) / 2;
  return {
    height: depth * pixelsPerMetre + 2 * MARGIN,
    pixelsPerMetre,
    to: ([lon, lat]) => [left + plane.x(lat, lon) * pixelsPerMetre, MARGIN - plane.y(lat) * pixelsPerMetre],
  };
}

/** The box of a label, and the distance from its middle to the feet of the letters, pixels. */
const LABEL: Point = [36, 15];
const BASELINE = 4.5;
/** Distance between places along a line that are tried for its label, pixels. */
const LABEL_STEP = 10;
