import type { ShadowStudy } from '../../contract/operations/sunlight-shadow.ts';
import { LocalPlane } from '../../geo/plane.ts';
import { boundsOf } from '../../geo/polygon.ts';
import { type Html, html } from '../markup.ts';
import { alongPath, BASELINE, drawing, Labels, northArrow, type Point, scaleBar, tenth, wrapped } from './svg.ts';

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
 * A drawing of the hours of shadow on the ground: buildings, the site and its lines, lines of equal hours, and the
 * shadow at each full hour.
 * @param around outlines of the surrounding buildings
 */
export function shadowChart({ features }: ShadowStudy, around: readonly Path[], words: ShadowChartWords): Html {
  const featuresOf = (kind: Feature['properties']['kind']): Feature[] =>
    features.filter(({ properties }) => properties.kind === kind);
  // The drawing is as large as these features need.
  const project = projection(features.filter(isWhollyShown).flatMap(pathsOf));
  const line = (path: Path): string => `M${path.map((place) => project.to(place).map(tenth).join(' ')).join('L')}`;
  const outline = (path: Path): string => `${line(path)}z`;
  const shape = (feature: Feature, className: string): Html => {
    const draw = feature.geometry.type === 'MultiPolygon' ? outline : line;
    return html`<path class="${className}" fill-rule="evenodd" d="${pathsOf(feature).map(draw).join('')}"/>`;
  };
  const labels = new Labels(WIDTH, project.height);
  /** A label at the northernmost or southernmost free place along a feature; null where no place is free. */
  const label = (feature: Feature, side: 'north' | 'south', text: string, className: string): Html | null => {
    const places = pathsOf(feature)
      .flatMap((path) => alongPath(path.map(project.to), LABEL_STEP))
      .toSorted(([, a], [, b]) => (side === 'north' ? a - b : b - a));
    const place = labels.place(places, LABEL);
    return (
      place &&
      html`<text class="halo middle ${className}" x="${tenth(place[0])}" y="${tenth(place[1] + BASELINE)}">${text}</text>`
    );
  };
  // The labels that are placed first get the best places, so the most important ones come first.
  const hourLabels = featuresOf('hours').map((feature) =>
    label(feature, 'north', words.hours(feature.properties.hours ?? 0), 'strong'),
  );
  const siteLabels = featuresOf('site_line').map((feature) =>
    label(feature, 'south', words.metres(feature.properties.distance_m ?? 0), 'small'),
  );
  const shadowLabels = featuresOf('shadow').map((feature) =>
    label(feature, 'north', feature.properties.true_solar_time ?? '', 'small'),
  );
  const notes = words.notes.flatMap((note) => wrapped(note, WIDTH - 20));
  const height = project.height + notes.length * LINE_HEIGHT + 14;
  return drawing({ id: 'shadow-hours', width: WIDTH, height, title: words.title, description: words.description }, [
    html`<rect class="ground" width="${WIDTH}" height="${tenth(height)}"/><svg width="${WIDTH}" height="${tenth(project.height)}">`,
    html`<path class="block" d="${around.map(outline).join('')}"/>`,
    featuresOf('shadow').map((feature) => shape(feature, 'time-shadow')),
    featuresOf('building').map((feature) => shape(feature, 'block chosen')),
    featuresOf('site').map((feature) => shape(feature, 'site')),
    featuresOf('site_line').map((feature) => shape(feature, 'site-line')),
    featuresOf('hours').map((feature) => shape(feature, 'hour-line')),
    shadowLabels,
    siteLabels,
    hourLabels,
    northArrow(WIDTH, words.north),
    scaleBar(project.height, project.pixelsPerMetre, words.metres),
    html`</svg>`,
    notes.map(
      (note, i) => html`<text class="small" x="10" y="${tenth(project.height + (i + 1) * LINE_HEIGHT)}">${note}</text>`,
    ),
  ]);
}

/** True for a feature that is wholly inside the drawing: all but shadows of morning and evening, which are too long. */
const isWhollyShown = ({ properties: { kind, true_solar_time: time } }: Feature): boolean =>
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

/** The projection that shows all of some paths as large as the width and the largest height of the drawing allow. */
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

/** Width and height of a label's box, pixels. */
const LABEL: Point = [36, 15];
/** Distance between places along a line that are tried for its label, pixels. */
const LABEL_STEP = 10;
