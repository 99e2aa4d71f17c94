import { squareFrame } from '../../city/scene-store.ts';
import type { DatasetScenes } from '../../city/scenes-on-demand.ts';
import { type ShadowStudy, USUAL_HOURS } from '../../contract/operations/sunlight-shadow.ts';
import type { LatLon } from '../../geo/degree.ts';
import { gridSquareOf } from '../../geo/grid-square.ts';
import { convergenceDeg, planeOf, toDegrees, toPlane } from '../../geo/plane.ts';
import { polygonArea, representativePoint, ringLength, signedArea } from '../../geo/polygon.ts';
import { twoDecimals } from '../../geo/rounding.ts';
import { zoneOf } from '../../geo/zones.ts';
import { addCaster, type Casters, noCasters, shadowOfOneMetre } from '../../shadow/casters.ts';
import { type Study, studyShadow } from '../../shadow/study.ts';
import { type DayPath, dayPath, timeOfDay } from '../../solar/day-path.ts';
import { dayOf } from '../../solar/solar-day.ts';
import { minuteOfSolarHour, shadowHours, WINTER_SOLSTICE } from '../../sunlight/assessments.ts';
import { prismsOf, type Scene, SceneBuilder, type SceneFrame } from '../../sunlight/scene.ts';
import { dateText } from './assessments.ts';
import type { PointFinder } from './point.ts';
import type { PlannedVolume } from './requested.ts';
import type { ReadyBuilding } from './squares.ts';

/** What throws the shadow, and how it is counted. */
export interface ShadowRequest {
  /** A building of the dataset; null: the planned ones. */
  buildingId: string | null;
  /** Its height in place of the model's, metres. */
  heightM: number | null;
  planned: PlannedVolume[];
  /** The boundary of the site, `[lat, lon, …]`. */
  site: readonly number[] | null;
  planeM: number;
  /** Absent: the usual ones. */
  hours?: readonly number[] | undefined;
  /** `YYYY-MM-DD`; absent: the winter solstice. */
  date?: string | undefined;
  neighbours: boolean;
  replaces: readonly string[];
  stepM: number;
}

const LAW =
  '建築基準法第56条の2第1項「冬至日の真太陽時による午前八時から午後四時まで' +
  '（道の区域内にあつては、午前九時から午後三時まで）の間において」' +
  '「平均地盤面からの高さ」の「水平面」に「敷地境界線からの水平距離が五メートルを超える範囲において」、' +
  '別表第四（に）「敷地境界線からの水平距離が十メートル以内の範囲における日影時間」' +
  '「十メートルを超える範囲における日影時間」' +
  ' (https://laws.e-gov.go.jp/law/325AC0000000201)';
/** What the study must not be taken for: the member `is_not` of the answer. */
const IS_NOT =
  'A study, not a filing: mean ground, heights and the site are those of the city model and of the request, ' +
  'not surveyed; ordinances name the zones, heights and hours that apply; hills, ground that lies higher or lower, ' +
  'roads and water beside the site (施行令第135条の12) are not considered.';

/** A building whose shadow is studied, in its scene. */
interface StudiedBuilding {
  id: string | null;
  scene: Scene;
  index: number;
}

/** Radius in which neighbours are searched, km. Shadows of buildings beyond it are left out. */
const NEIGHBOURS_KM = 1;

/** The answer about the shadow of a building of the dataset, or of planned buildings. */
export function shadowAnswer(
  building: ReadyBuilding | null,
  scenes: DatasetScenes,
  points: PointFinder,
  request: ShadowRequest,
): ShadowStudy {
  const [lat, lon] = building === null ? middleOf(request) : [building.lat, building.lon];
  const zone = building?.squareScene.zone ?? zoneOf(lat, lon);
  // A scene has the frame of its square.
  const frame = building?.kernel.scene ?? squareFrame(gridSquareOf(lat, lon), zone);
  const studied =
    building === null ? plannedBuildings(frame, points, request) : [studiedBuilding(building, frame, request.heightM)];
  const groundM = meanGround(studied);
  // The height of the level plane on which the shadow is studied.
  const planeZ = groundM + request.planeM;
  const studiedCasters = noCasters();
  for (const { scene, index } of studied) addCaster(studiedCasters, scene, index, planeZ, frame);
  const day = request.date === undefined ? WINTER_SOLSTICE : dayOf(request.date);
  const path = dayPath(day, lat, lon);
  // Hokkaido has other hours; an ID begins with the code of the prefecture.
  const { from, to } = shadowHours(building?.id ?? points.nearestId(lat, lon));
  const clock = Array.from({ length: to - from + 1 }, (_, i) => ({
    solarHour: from + i,
    minute: minuteOfSolarHour(path, from + i),
  }));
  const [neighbours, neighbourCount] = request.neighbours
    ? neighboursOf(scenes, frame, { lat, lon }, planeZ, [building?.id ?? null, ...request.replaces])
    : [noCasters(), null];
  const convergence = convergenceDeg(planeOf(zone), lat, lon);
  const study = studyShadow({
    studied: studiedCasters,
    outlines: studied.flatMap(({ scene, index }) => prismsOf(scene, index, frame).map(([outer]) => outer)),
    neighbours,
    clock,
    stepM: request.stepM,
    site: request.site && inPlane(request.site, frame),
    hours: request.hours ?? USUAL_HOURS,
    shadowAt: (minute) => shadowOfOneMetre(path, convergence, minute),
  });
  return studyAnswer(study, studied, frame, path, request, { groundM, neighbourCount, from, to });
}

/** A position inside the planned buildings, degrees. */
function middleOf({ planned }: ShadowRequest): [lat: number, lon: number] {
  return representativePoint(planned.map(({ ring }) => [ring]));
}

/** The planned buildings in a scene of their own. Without a stated base they stand on the ground. */
function plannedBuildings(frame: SceneFrame, points: PointFinder, { planned }: ShadowRequest): StudiedBuilding[] {
  const builder = new SceneBuilder(withoutBuildings(frame));
  for (const { ring, heightM, baseM } of planned) {
    const base = baseM ?? points.groundAt(...representativePoint([[ring]])) ?? 0;
    builder.add([{ rings: [ring] }], base, base + heightM);
  }
  const scene = builder.finish();
  return Array.from(scene.base, (_, index) => ({ id: null, scene, index }));
}

/**
 * A building of the dataset, in its scene.
 * @param heightM its height in place of the model's; then it gets a flat roof. Null: that of the model
 */
function studiedBuilding(
  { id, kernel, index }: ReadyBuilding,
  frame: SceneFrame,
  heightM: number | null,
): StudiedBuilding {
  if (heightM === null) return { id, scene: kernel.scene, index };
  const builder = new SceneBuilder(withoutBuildings(frame));
  builder.addFromScene(kernel.scene, index);
  const { roofs, base, ...scene } = builder.finish();
  // The surfaces of the only building begin at 0 and end at 0.
  const noRoofSurfaces = { ...roofs, buildingSurfaces: Uint32Array.of(0, 0) };
  return { id, scene: { ...scene, base, roofs: noRoofSurfaces, top: Float64Array.of(base[0] + heightM) }, index: 0 };
}

/** The frame alone of what may be a whole scene. */
const withoutBuildings = ({ zone, originX, originY }: SceneFrame): SceneFrame => ({ zone, originX, originY });

/** The mean height of the ground at buildings, metres: their bases, weighted by the length of their outer walls. */
function meanGround(buildings: readonly StudiedBuilding[]): number {
  let [length, sum] = [0, 0];
  for (const { scene, index } of buildings) {
    const walls = prismsOf(scene, index).reduce((total, [outer]) => total + ringLength(outer), 0);
    length += walls;
    sum += walls * scene.base[index];
  }
  return sum / length;
}

/**
 * The buildings around a position that throw shadows on the plane, and their number.
 * @param excludedIds of buildings that do not count
 */
function neighboursOf(
  scenes: DatasetScenes,
  frame: SceneFrame,
  position: LatLon,
  planeZ: number,
  excludedIds: readonly (string | null)[],
): [Casters, number] {
  const casters = noCasters();
  const excluded = new Set(excludedIds);
  let count = 0;
  for (const { id, scene, index } of scenes.standingAround(position, NEIGHBOURS_KM, frame.zone)) {
    if ((id !== null && excluded.has(id)) || scene.top[index] <= planeZ) continue;
    addCaster(casters, scene, index, planeZ, frame);
    count++;
  }
  return [casters, count];
}

/** A ring of degrees in the plane of a frame. */
function inPlane(ring: readonly number[], { zone, originX, originY }: SceneFrame): number[] {
  const plane = planeOf(zone);
  const xy = [...ring];
  for (let i = 0; i < ring.length; i += 2) {
    toPlane(plane, ring[i], ring[i + 1], xy, i);
    xy[i] -= originX;
    xy[i + 1] -= originY;
  }
  return xy;
}

type Feature = ShadowStudy['features'][number];
type Position = [number, number];

/** The answer of a shadow study, with positions in degrees. */
function studyAnswer(
  study: Study,
  studied: readonly StudiedBuilding[],
  frame: SceneFrame,
  path: DayPath,
  request: ShadowRequest,
  {
    groundM,
    neighbourCount,
    from: solarFrom,
    to: solarTo,
  }: { groundM: number; neighbourCount: number | null; from: number; to: number },
): ShadowStudy {
  const positionAt = positionsOf(frame);
  const clockTime = (hour: number): string => timeOfDay(minuteOfSolarHour(path, hour));
  const { field, zones } = study;
  return {
    type: 'FeatureCollection',
    date: dateText(path.solarDay),
    plane_m: request.planeM,
    ground_m: twoDecimals(groundM),
    true_solar_from: timeOfDay(solarFrom * 60),
    true_solar_to: timeOfDay(solarTo * 60),
    from: clockTime(solarFrom),
    to: clockTime(solarTo),
    step_m: field.grid.stepM,
    step_s: field.stepS,
    neighbours: neighbourCount,
    is_cut: study.isCut,
    buildings: studied.map(({ id, scene, index }) => ({
      building_id: id,
      height_m: twoDecimals(scene.top[index] - scene.base[index]),
      base_m: twoDecimals(scene.base[index]),
      area_m2: Math.round(prismsOf(scene, index).reduce((sum, rings) => sum + polygonArea(rings), 0) * 10) / 10,
    })),
    zones:
      zones?.map(({ fromM, toM, minutes, x, y }) => {
        const [lon, lat] = positionAt(x, y);
        // In hundredths of an hour, which are 0.6 minutes.
        return { from_m: fromM, to_m: toM, most_hours: Math.round(minutes / 0.6) / 100, lat, lon };
      }) ?? null,
    source: LAW,
    is_not: IS_NOT,
    features: featuresOf(study, studied, frame, request.site),
  };
}

/** Returns a function that gives longitude and latitude of a point in the plane of a frame. */
function positionsOf({ zone, originX, originY }: SceneFrame): (x: number, y: number) => Position {
  const plane = planeOf(zone);
  const latLon: Position = [0, 0];
  return (x, y) => {
    toDegrees(plane, originX + x, originY + y, latLon);
    return [rounded(latLon[1]), rounded(latLon[0])];
  };
}

/** The areas and lines of a study as GeoJSON features. */
function featuresOf(
  study: Study,
  studied: readonly StudiedBuilding[],
  frame: SceneFrame,
  site: ShadowRequest['site'],
): Feature[] {
  const positionAt = positionsOf(frame);
  const positions = (xy: readonly number[]): Position[] =>
    Array.from({ length: xy.length / 2 }, (_, i) => positionAt(xy[2 * i], xy[2 * i + 1]));
  const area = (polygons: readonly (readonly number[][])[]): Feature['geometry'] => ({
    type: 'MultiPolygon',
    coordinates: polygons.map(([outer, ...holes]) => [
      closed(positions(turning(outer, 'counterclockwise'))),
      ...holes.map((hole) => closed(positions(turning(hole, 'clockwise')))),
    ]),
  });
  const lines = (polylines: readonly number[][]): Feature['geometry'] => ({
    type: 'MultiLineString',
    coordinates: polylines.map(positions),
  });
  return [
    ...studied.map(({ scene, index }, i) =>
      feature(`building-${i + 1}`, area(prismsOf(scene, index, frame)), 'building'),
    ),
    ...(site === null ? [] : [feature('site', area([[inPlane(site, frame)]]), 'site')]),
    ...(site === null ? [] : study.siteLines).map(({ distanceM, lines: polylines }) =>
      feature(`line-${distanceM}`, lines(polylines), 'site_line', { distance_m: distanceM }),
    ),
    ...study.hourLines.map(({ hours, lines: polylines }) =>
      feature(`hours-${hours}`, lines(polylines), 'hours', { hours }),
    ),
    ...study.timeShadows.map(({ solarHour, minute, polygons }) =>
      feature(`shadow-${timeOfDay(solarHour * 60)}`, area(polygons), 'shadow', {
        true_solar_time: timeOfDay(solarHour * 60),
        clock: timeOfDay(minute),
      }),
    ),
  ];
}

/** The properties that a feature does not have. */
const NO_PROPERTIES = { hours: null, true_solar_time: null, clock: null, distance_m: null };

/** A feature with all properties; those that it does not have are null. */
const feature = (
  id: string,
  geometry: Feature['geometry'],
  kind: Feature['properties']['kind'],
  properties: Partial<Feature['properties']> = {},
): Feature => ({ type: 'Feature', id, geometry, properties: { kind, ...NO_PROPERTIES, ...properties } });

/** A ring in the wanted direction. */
function turning(ring: readonly number[], direction: 'clockwise' | 'counterclockwise'): readonly number[] {
  const isCounterclockwise = signedArea(ring) > 0;
  if (isCounterclockwise === (direction === 'counterclockwise')) return ring;
  const reversed: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) reversed.push(ring[i], ring[i + 1]);
  return reversed;
}

/** A ring with its first point again at the end. */
const closed = (ring: Position[]): Position[] => [...ring, ring[0]];

/** Degrees to about a millimetre. */
const rounded = (degrees: number): number => Math.round(degrees * 1e8) / 1e8;
