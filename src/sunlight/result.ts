/** The eight faces in the order used everywhere; the index is the azimuth divided by 45°, rounded. */
export const FACES = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;
export type Face = (typeof FACES)[number];

/** The three floors at which every face is measured, in the order used everywhere. */
export const FLOOR_CLASSES = ['first', 'middle', 'top'] as const;
export type FloorClass = (typeof FLOOR_CLASSES)[number];

/** What the kernel (or the oracle) finds for one building: numbers only, minutes of JST days. */
export interface BuildingSunlight {
  /** The faces that exist, in face order. */
  faces: FaceSunlight[];
  /** Storey number and height above the base (metres) of the three floors, in floor-class order. */
  floors: { floor: number; heightM: number }[];
  /** At most five, the one that blocks most first; ties by scene index. */
  sources: BlockingBuilding[];
  /** All receptor-minutes in which the sun stood in front of the wall but was hidden, over the 12 days. */
  blockedMinutes: number;
  /** The part of `blockedMinutes` for which the building's own walls stood highest. */
  selfBlockedMinutes: number;
}

export interface FaceSunlight {
  /** Index into FACES. */
  face: number;
  /** Mean direction of the face's walls weighted by length, clockwise from true north. */
  azimuthDeg: number;
  wallLengthM: number;
  receptors: number;
  /** Mean minutes of direct sun of a receptor: [floorClass × 12 + month]. */
  sunMinutes: Float64Array;
  /** The same with no obstacle but the wall itself (the same on every floor): [month]. */
  unshadedMinutes: Float64Array;
  /** Windows [start, end, start, end …] in whole minutes after 00:00 JST: [floorClass × 12 + month]. */
  windows: number[][];
}

export interface BlockingBuilding {
  /** Index of the building in the scene. */
  building: number;
  /** Receptor-minutes over all faces, floors and the 12 days. */
  blockedMinutes: number;
}
