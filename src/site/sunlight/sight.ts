import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { BuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import { isRefused, type Refused } from '../../contract/outcome.ts';
import type { BuildingShape } from '../../dataset/sunlight.ts';
import { DIRECTIONS, type Direction, faceTowards } from '../../geo/compass.ts';
import { dayPaths } from '../../solar/day-path.ts';
import { type SunlightAsk, textsOf } from '../view.ts';
import {
  type Asked,
  type Choice,
  choose,
  computedFloor,
  DECEMBER,
  type FloorSight,
  floorAt,
  isStated,
  storedFloors,
  USUAL_BALCONY,
  withFloor,
} from './choice.ts';
import { skyLettersOf } from './shade.ts';

/** What a page shows of a building: its floors, and the chosen floor and wall. */
export interface Sight {
  building: BuildingFull;
  /** The first, middle and top floor, and the chosen one. */
  floors: readonly FloorSight[];
  choice: Choice;
  /** The computed chosen floor; null when there was no capacity to compute it. */
  computed: BuildingFloor | null;
  /** Why the chosen floor was not computed; null when it was. */
  refusal: Refused | null;
  /** True when the requested floor or measuring point is missing because it was not computed. */
  lacksRequested: boolean;
  /** Storeys and height of the building: published, or stated by the user. */
  storeys: number;
  heightM: number;
}

/**
 * What a page shows of a building that a query asks for: the requested floor and wall. When there was no capacity to compute the
 * floor, the nearest stored one takes its place. When the building has no wall in the requested direction, the nearest
 * wall takes its place.
 * @returns a text that explains an invalid request; null when the building has no walls
 */
export async function sightOf(ask: SunlightAsk, building: BuildingFull, asked: Asked): Promise<Sight | string | null> {
  const stored = storedFloors(building);
  const { stated = {} } = asked;
  const shape = ask.sunlight.shape(building.building_id, stated);
  if (stored.length === 0 || shape === null) return null;
  const requested = requestedIn(ask, building, shape, asked);
  if (typeof requested === 'string') return requested;
  const { floor, askedFace, face } = requested;
  const { storeys, heightM } = shape;
  const { computed, refusal, floors } = await floorsOf(ask, building, { floor, top: storeys }, asked);
  const hasFloor = floors.some((one) => one.floor === floor);
  const lacksRequested = !hasFloor || (computed === null && asked.receptor !== null);
  const distance = (one: FloorSight): number => Math.abs(one.floor - floor);
  const nearest = floors.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  const chosen = choose(floors, { ...asked, face, floor: nearest.floor });
  if (chosen === null) return onlyFaces(ask, building);
  const choice: Choice = {
    ...chosen,
    stated: computed === null ? {} : stated,
    // Given only when another wall takes its place, so that the page says so.
    askedFace: face === askedFace ? null : askedFace,
    isEstimated: computed?.storeys_estimated ?? building.storeys_estimated,
  };
  const { receptors } = choice.face;
  if (asked.receptor !== null && asked.receptor > receptors) return textsOf(ask).sunlight.onlySpots(receptors);
  return { building, floors, choice, computed, refusal, lacksRequested, storeys, heightM };
}

/** The requested floor and wall of a building. */
interface Requested {
  floor: number;
  /** The requested direction; null: none. */
  askedFace: Direction | null;
  /** The wall that answers for it; null without a direction. */
  face: Direction | null;
}

/**
 * The requested floor, otherwise the top one, and the wall that answers for the requested direction.
 * @returns a text, when the request is invalid, that explains why
 */
function requestedIn(ask: SunlightAsk, building: BuildingFull, shape: BuildingShape, asked: Asked): Requested | string {
  const { sunlight } = textsOf(ask);
  const { storeys: top, heightM, storeysFit } = shape;
  if (!storeysFit) return sunlight.noRoom(top, heightM.toFixed(0));
  const floor = asked.floor ?? (asked.level ? floorAt(building, asked.level) : null) ?? top;
  if (floor > top) return sunlight.allFloors(top);
  const askedFace = DIRECTIONS.find((face) => face === asked.face) ?? null;
  if (askedFace === null) return { floor, askedFace, face: null };
  // Links of the map name one of the eight directions and no floor: the nearest long wall answers, as on the map. With a
  // floor, the direction is that of a wall of this page.
  const longWall = asked.floor === null ? longWallTowards(building, askedFace) : null;
  const wall = longWall ?? shape.towards(askedFace);
  return wall === null ? onlyFaces(ask, building) : { floor, askedFace, face: wall.face };
}

/** Says which walls a building has. */
function onlyFaces(ask: SunlightAsk, { faces }: BuildingFull): string {
  const { frame, sunlight } = textsOf(ask);
  return sunlight.onlyFaces(frame.list(faces.map(({ face }) => sunlight.faceCode(frame.faces[face], face))));
}

/**
 * The floors that a page shows, and the computed answer for the requested one.
 * - Refused: no computed answer; the stored floors.
 * - Without stated storeys or height: the stored floors and the requested one.
 * - With them: the lowest, the requested and the top floor, all computed, because the stored floors are of the published
 *   storeys and height.
 */
async function floorsOf(
  ask: SunlightAsk,
  building: BuildingFull,
  { floor, top }: { floor: number; top: number },
  { stated = {}, month, balcony }: Asked,
): Promise<Pick<Sight, 'floors' | 'computed' | 'refusal'>> {
  const shownMonth = month ?? DECEMBER;
  const compute = (floorNumber: number): Promise<BuildingFloor | Refused> =>
    ask.compute<'floor'>({
      kind: 'floor',
      buildingId: building.building_id,
      floor: floorNumber,
      ...stated,
      month: shownMonth,
      balcony: balcony ? USUAL_BALCONY : undefined,
      receptors: true,
      interval: true,
    });
  const computed = await compute(floor);
  const stored = storedFloors(building);
  if (isRefused(computed)) return { floors: stored, computed: null, refusal: computed };
  const sun = dayPaths(building.lat, building.lon)[shownMonth - 1];
  const requested = computedFloor(computed, sun);
  if (!isStated(stated)) return { floors: withFloor(stored, requested), computed, refusal: null };
  const ends = [...new Set([1, top])].filter((one) => one !== floor);
  const answers = await Promise.all(ends.map(compute));
  const others = answers.flatMap((one) => (isRefused(one) ? [] : computedFloor(one, sun)));
  return { floors: withFloor(others, requested), computed, refusal: null };
}

/** The long wall nearest to a direction; null when the building has none. */
export const longWallTowards = ({ faces }: BuildingFull, direction: Direction) =>
  faceTowards(
    direction,
    faces.filter(({ headline }) => headline).map(({ face, azimuth_deg }) => ({ face, azimuthDeg: azimuth_deg })),
  );

/** A view of the sky, and the letters of the buildings around, by ID. */
export interface LetteredSky {
  sky: BuildingSky;
  letters: ReadonlyMap<string, string>;
}

/**
 * The sky from the chosen measuring point, or from the middle of the wall. The letters are those of the view from the
 * middle: they are the same for all measuring points.
 */
export async function skyOf(
  ask: SunlightAsk,
  buildingId: string,
  { floor, face, spot, stated, balcony }: Choice,
): Promise<LetteredSky | Refused> {
  const skyFrom = (receptor: number): Promise<BuildingSky | Refused> =>
    ask.compute<'sky'>({
      kind: 'sky',
      buildingId,
      floor: floor.floor,
      ...stated,
      face: face.face,
      receptor,
      balcony: balcony ? USUAL_BALCONY : undefined,
    });
  const fromMiddle = await skyFrom(Math.ceil(face.receptors / 2));
  if (isRefused(fromMiddle)) return fromMiddle;
  const sky = spot === null ? fromMiddle : await skyFrom(spot.receptor);
  return isRefused(sky) ? sky : { sky, letters: skyLettersOf(fromMiddle, face.shade ?? null) };
}

/** The sun of one wall on some days, or of all walls of a floor when no wall is given. */
export const floorOn = (
  ask: SunlightAsk,
  buildingId: string,
  { floor, face, balcony, stated }: Pick<Choice, 'balcony' | 'stated'> & { floor: number; face?: Direction },
  dates: readonly string[],
): Promise<BuildingFloor | Refused> =>
  ask.compute<'floor'>({
    kind: 'floor',
    buildingId,
    floor,
    face,
    ...stated,
    dates,
    balcony: balcony ? USUAL_BALCONY : undefined,
    receptors: true,
  });
