import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { BuildingSky } from '../../contract/operations/sunlight-building-sky.ts';
import { isRefused, type Refused } from '../../contract/outcome.ts';
import { type PageAsk, textsOf } from '../view.ts';
import {
  type Choice,
  choose,
  computedFloor,
  DECEMBER,
  type FloorSight,
  floorAt,
  storedFloors,
  USUAL_BALCONY,
  type Wish,
  withFloor,
} from './choice.ts';

/** What there is to show of a building. */
export interface Sight {
  building: BuildingFull;
  /** The first, middle and top floor, and the chosen one. */
  floors: readonly FloorSight[];
  choice: Choice;
  /** The chosen floor as it was computed; null where there was no room to compute it. */
  computed: BuildingFloor | null;
  /** Why it was not computed. */
  refusal: Refused | null;
  /** Whether the floor that was asked for is missing. */
  isShort: boolean;
}

/** The building with the floor that is wished for; a text says what cannot be wished for; null: it has no walls. */
export async function sightOf(ask: PageAsk, building: BuildingFull, wish: Wish): Promise<Sight | string | null> {
  const stored = storedFloors(building);
  if (stored.length === 0) return null;
  const { frame, sunlight } = textsOf(ask);
  const top = stored[stored.length - 1].floor;
  const floor = wish.floor ?? (wish.level ? floorAt(building, wish.level) : null) ?? top;
  if (floor > top) return sunlight.allFloors(top);
  const walls: string[] = stored[0].faces.map(({ face }) => face);
  const onlyFaces = sunlight.onlyFaces(frame.list(walls.map((face) => sunlight.faceCode(frame.faces[face], face))));
  if (wish.face !== null && !walls.includes(wish.face)) return onlyFaces;
  const { building_id: buildingId } = building;
  const answer = await ask.compute<'floor'>({
    kind: 'floor',
    buildingId,
    floor,
    month: wish.month ?? DECEMBER,
    receptors: true,
    balcony: wish.balcony ? USUAL_BALCONY : undefined,
  });
  const refusal = isRefused(answer) ? answer : null;
  const computed = isRefused(answer) ? null : answer;
  const floors = computed === null ? stored : withFloor(stored, computedFloor(computed));
  const isShort = !floors.some((one) => one.floor === floor) || (computed === null && wish.receptor !== null);
  const shown = floors.reduce((best, one) => (Math.abs(one.floor - floor) < Math.abs(best.floor - floor) ? one : best));
  const choice = choose(floors, { ...wish, floor: shown.floor });
  if (choice === null) return onlyFaces;
  if (wish.receptor !== null && wish.receptor > choice.face.receptors) {
    return sunlight.onlySpots(choice.face.receptors);
  }
  return { building, floors, choice, computed, refusal, isShort };
}

/** The sky from the chosen measuring point, or from the middle of the wall. */
export function skyOf(ask: PageAsk, buildingId: string, { floor, face, spot }: Choice): Promise<BuildingSky | Refused> {
  const receptor = spot?.receptor ?? Math.ceil(face.receptors / 2);
  return ask.compute<'sky'>({ kind: 'sky', buildingId, floor: floor.floor, face: face.face, receptor });
}
