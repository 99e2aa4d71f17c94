import { storeysOf } from './result.ts';

/** Storeys and height of a building, as floors are counted. */
interface FloorShape {
  storeys: number;
  storeysEstimated: boolean;
  /** From its base to its top, metres. */
  heightM: number;
}

/** What somebody knows of a building and the model does not. */
export interface Assumed {
  storeys?: number | undefined;
  heightM?: number | undefined;
}

/** The least height of a storey, metres. */
const LEAST_STOREY_M = 2;

/** A building as it is assumed to be. Storeys that the model only estimates follow a height that is given. */
export function assumedShape(known: FloorShape, { storeys, heightM }: Assumed): FloorShape {
  const height = heightM ?? known.heightM;
  if (storeys !== undefined) return { storeys, storeysEstimated: false, heightM: height };
  if (heightM === undefined || !known.storeysEstimated) return { ...known, heightM: height };
  return { storeys: storeysOf(null, height).storeys, storeysEstimated: true, heightM: height };
}

/** Whether storeys that were given find room in a building. */
export const haveRoom = ({ storeys, heightM }: FloorShape, { storeys: given }: Assumed): boolean =>
  given === undefined || heightM / storeys >= LEAST_STOREY_M;
