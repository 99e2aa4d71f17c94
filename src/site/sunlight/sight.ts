import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { BuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import { isRefused, type Refused } from '../../contract/outcome.ts';
import { DIRECTIONS, type Direction, faceTowards } from '../../geo/compass.ts';
import { dayPaths } from '../../solar/day-path.ts';
import { type SunlightAsk, textsOf } from '../view.ts';
import {
  type Choice,
  choose,
  computedFloor,
  DECEMBER,
  type FloorSight,
  floorAt,
  isStated,
  storedFloors,
  USUAL_BALCONY,
  type Wish,
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
  isShort: boolean;
  /** Storeys and height of the building: published, or stated by the user. */
  storeys: number;
  heightM: number;
}

/**
 * The building with the requested floor and wall.
 * @returns a text that explains an invalid request; null when the building has no walls
 */
export async function sightOf(ask: SunlightAsk, building: BuildingFull, wish: Wish): Promise<Sight | string | null> {
  const stored = storedFloors(building);
  if (stored.length === 0) return null;
  const { frame, sunlight } = textsOf(ask);
  const { building_id: buildingId } = building;
  const stated = wish.stated ?? {};
  const shape = ask.sunlight.shape(buildingId, stated);
  if (shape === null) return null;
  const top = shape.storeys;
  if (!shape.hasRoom) return sunlight.noRoom(top, shape.heightM.toFixed(0));
  const floor = wish.floor ?? (wish.level ? floorAt(building, wish.level) : null) ?? top;
  if (floor > top) return sunlight.allFloors(top);
  const faceNames = stored[0].faces.map(({ face }) => sunlight.faceCode(frame.faces[face], face));
  const onlyFaces = sunlight.onlyFaces(frame.list(faceNames));
  const askedFace = DIRECTIONS.find((face) => face === wish.face) ?? null;
  /** The wall that answers for the requested direction. */
  const wall = askedFace && (longWallTowards(building, askedFace, wish.floor) ?? shape.towards(askedFace));
  if (askedFace !== null && wall === null) return onlyFaces;
  const month = wish.month ?? DECEMBER;
  const balcony = wish.balcony ? USUAL_BALCONY : undefined;
  const compute = (floorNumber: number): Promise<BuildingFloor | Refused> =>
    ask.compute<'floor'>({
      kind: 'floor',
      buildingId,
      floor: floorNumber,
      ...stated,
      month,
      balcony,
      receptors: true,
      interval: true,
    });
  const answer = await compute(floor);
  const sun = dayPaths(building.lat, building.lon)[month - 1];
  const refusal = isRefused(answer) ? answer : null;
  const computed = isRefused(answer) ? null : answer;
  // The stored floors are those of the published storeys and height. With stated ones the lowest and the top floor are
  // computed too.
  const replacesStored = isStated(stated) && computed !== null;
  const floorsToAdd = replacesStored ? [...new Set([1, top])].filter((one) => one !== floor) : [];
  const added = await Promise.all(floorsToAdd.map(compute));
  const others = replacesStored ? added.flatMap((one) => (isRefused(one) ? [] : computedFloor(one, sun))) : stored;
  const floors = computed === null ? stored : withFloor(others, computedFloor(computed, sun));
  const isShort = !floors.some((one) => one.floor === floor) || (computed === null && wish.receptor !== null);
  const distance = (one: FloorSight): number => Math.abs(one.floor - floor);
  const nearest = floors.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  const chosen = choose(floors, { ...wish, face: wall?.face ?? null, floor: nearest.floor });
  if (chosen === null) return onlyFaces;
  const choice: Choice = {
    ...chosen,
    stated: computed === null ? {} : stated,
    askedFace: wall?.face === askedFace ? null : askedFace,
    isEstimated: computed?.storeys_estimated ?? building.storeys_estimated,
  };
  if (wish.receptor !== null && wish.receptor > choice.face.receptors) {
    return sunlight.onlySpots(choice.face.receptors);
  }
  return { building, floors, choice, computed, refusal, isShort, storeys: top, heightM: shape.heightM };
}

/**
 * The long wall nearest to a direction, as the map shows it; null when there is none. Also null when a floor is given:
 * then the requested direction is that of the wall itself.
 */
const longWallTowards = ({ faces }: BuildingFull, direction: Direction, floor: number | null) =>
  floor === null
    ? faceTowards(
        direction,
        faces.filter(({ headline }) => headline).map(({ face, azimuth_deg }) => ({ face, azimuthDeg: azimuth_deg })),
      )
    : null;

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
