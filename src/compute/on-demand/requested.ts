import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { angleBetween, DIRECTIONS, type Direction } from '../../geo/compass.ts';
import { roundedAzimuth, twoDecimals } from '../../geo/rounding.ts';
import type { BuildingHead } from '../../record/building-record.ts';
import type { Balcony } from '../../sunlight/balcony.ts';
import type { RequestedFloor } from '../../sunlight/interval.ts';
import { type Moves, NO_ERROR } from '../../sunlight/moves.ts';
import { eyeHeight, floorHeight } from '../../sunlight/result.ts';
import { type StatedShape, shapeAsStated } from '../../sunlight/storeys.ts';
import type { ReadyBuilding } from './squares.ts';

/** A floor and what is assumed of its building. */
export interface RequestedBuilding extends StatedShape {
  buildingId: string;
  floor: number;
}

/** A balcony as requested. Without a height its slab is a storey above the floor. */
export type RequestedBalcony = Omit<Balcony, 'overhangHeightM'> & { overhangHeightM: number | null };

/** A planned building as a request describes it. */
export interface PlannedVolume {
  /** `[lat, lon, …]`, degrees. */
  ring: readonly number[];
  heightM: number;
  /** Above the datum of the city model, metres; null: that of the building nearest to the ring. */
  baseM: number | null;
}

/** A floor for the computation. */
export interface FloorWithHeight extends RequestedFloor {
  storeysEstimated: boolean;
  /** Height of its receptors above the base of the building, metres. */
  heightM: number;
  /** The change of the building's height, for the computation; null when its height is the published one. */
  moves: Moves | null;
}

/**
 * The floor of a building, with the storeys and the height that are assumed of it. If the height is not the published
 * one, `moves` raises or lowers the building in the scene by the difference. `move` has the building's cluster and its
 * classes of errors.
 */
export function requestedFloorOf(
  { kernel: { scene }, index, move }: ReadyBuilding,
  head: BuildingHead,
  { floor, ...stated }: RequestedBuilding,
): FloorWithHeight {
  const [baseM, topM] = [scene.base[index], scene.top[index]];
  const { storeys, heightM, storeysFrom } = shapeAsStated({ ...head, baseM, topM }, stated);
  const ownRiseM = heightM - (topM - baseM);
  // `Moves` also moves buildings by random errors. With `NO_ERROR` all others stand as published, whatever the draw.
  const moves = ownRiseM === 0 ? null : { draw: 0, error: NO_ERROR, ownRiseM };
  return {
    floor,
    storeys,
    storeysEstimated: storeysFrom === 'estimated',
    solidHeightM: heightM,
    ownRiseM,
    move,
    heightM: floorHeight(floor, storeys, heightM),
    moves,
  };
}

/** A balcony, and the height of the receptors behind it above their floor, metres. */
interface BalconyView {
  balcony: Balcony;
  eyeHeightM: number;
}

/** The balcony of a floor; null when none was requested. */
export function requestedBalconyOf(
  balcony: RequestedBalcony | undefined,
  { solidHeightM, storeys }: Pick<RequestedFloor, 'solidHeightM' | 'storeys'>,
): BalconyView | null {
  if (balcony === undefined) return null;
  const storeyHeightM = solidHeightM / storeys;
  return {
    balcony: { ...balcony, overhangHeightM: balcony.overhangHeightM ?? storeyHeightM },
    eyeHeightM: eyeHeight(storeyHeightM),
  };
}

/** The balcony, as answers repeat it. */
export const balconyMember = (balcony: Balcony): NonNullable<BuildingFloor['balcony']> => ({
  overhang_m: balcony.overhangM,
  overhang_height_m: twoDecimals(balcony.overhangHeightM),
  side_m: balcony.sideM,
  side_distance_m: balcony.sideDistanceM,
  setback_m: balcony.setbackM,
});

/** What was assumed, as answers repeat it. */
export const assumedMember = ({ storeys, heightM }: StatedShape): BuildingFloor['assumed'] =>
  storeys === undefined && heightM === undefined ? null : { storeys: storeys ?? null, height_m: heightM ?? null };

/** The face that replaces the requested one, with its direction; null when the requested face exists. */
export function standInMember(
  askedFace: Direction | undefined,
  face: Direction | undefined,
  azimuthDeg: number | undefined,
): BuildingFloor['stand_in'] {
  if (askedFace === undefined || face === undefined || face === askedFace || azimuthDeg === undefined) return null;
  const off = angleBetween(azimuthDeg, 45 * DIRECTIONS.indexOf(askedFace));
  return {
    asked_face: askedFace,
    face,
    azimuth_deg: roundedAzimuth(azimuthDeg),
    off_deg: roundedAzimuth(off),
  };
}

/** The height of a floor's receptors, as answers state it. */
export const heightMember = ({ heightM }: FloorWithHeight): number => twoDecimals(heightM);
