/**
 * The number of storeys of a building. Unpublished storeys are estimated from its height and its use. `npm run
 * bench:heights` fits the table to published city models and prints its errors (docs/method.md, "Storeys").
 */

/** Kinds of use with different heights of storeys, by code of `Building_usage`. `unknown`: no use is published. */
type UseKind = 'dwelling' | 'hall' | 'other' | 'unknown';

/** Houses and flats, also with shops or workshops. */
const DWELLINGS = new Set(['411', '412', '413', '414', '415']);
/** Warehouses, factories, farm buildings, utilities: one storey of any height. */
const HALLS = new Set(['431', '441', '451', '452']);
/** Codes for an unknown use. */
const NO_USE = new Set(['461', '9999']);

/** The kind of use of a code of `Building_usage`. */
function useKind(usageCode: string | null): UseKind {
  if (usageCode === null || NO_USE.has(usageCode)) return 'unknown';
  if (DWELLINGS.has(usageCode)) return 'dwelling';
  return HALLS.has(usageCode) ? 'hall' : 'other';
}

/** Lower limits of the classes of height, metres. */
const HEIGHT_CLASSES = [
  { name: 'low', fromM: 0 },
  { name: 'mid', fromM: 15 },
  { name: 'high', fromM: 60 },
] as const;

type HeightClass = (typeof HEIGHT_CLASSES)[number]['name'];
export type StoreysClass = `${UseKind}_${HeightClass}`;

/** How the storeys of a class of buildings are estimated. */
interface StoreysRule {
  /** Height of a building over the number of its storeys: the roof is included. */
  metresPerStorey: number;
  /** Mean of estimated minus published storeys; null: too few buildings publish them. */
  bias: number | null;
  /** Standard deviation of the same; null: too few buildings publish them. */
  spread: number | null;
}

/** A rule; without bias and spread when too few buildings publish their storeys. */
const rule = (metresPerStorey: number, bias: number | null = null, spread: number | null = null): StoreysRule => ({
  metresPerStorey,
  bias,
  spread,
});

/** The rules by use and height. */
export const STOREYS_RULES: Readonly<Record<StoreysClass, StoreysRule>> = {
  dwelling_low: rule(3.6, 0.27, 0.72),
  dwelling_mid: rule(3.2),
  dwelling_high: rule(3.5),
  hall_low: rule(7, -0.23, 0.66),
  hall_mid: rule(7, 0.03, 1.33),
  hall_high: rule(7),
  other_low: rule(4, 0.13, 0.69),
  other_mid: rule(4),
  other_high: rule(4.4),
  unknown_low: rule(3.6, 0.27, 0.72),
  unknown_mid: rule(3.6),
  unknown_high: rule(4.4),
};

/** The class of a building: it selects the rule that estimates its storeys. */
export function storeysClass(solidHeightM: number, usageCode: string | null): StoreysClass {
  const height = HEIGHT_CLASSES.findLast(({ fromM }) => solidHeightM >= fromM) ?? HEIGHT_CLASSES[0];
  return `${useKind(usageCode)}_${height.name}`;
}

/** Storeys as published, or estimated from the solid height (top − base, metres): at least 1. */
export function storeysOf(
  published: number | null,
  solidHeightM: number,
  usageCode: string | null,
): { storeys: number; estimated: boolean } {
  if (published !== null && published >= 1) return { storeys: Math.round(published), estimated: false };
  const { metresPerStorey } = STOREYS_RULES[storeysClass(solidHeightM, usageCode)];
  return { storeys: Math.max(1, Math.round(solidHeightM / metresPerStorey)), estimated: true };
}

/** The facts of a record that its storeys and its height depend on. */
interface RecordedShape {
  storeys: number;
  storeysEstimated: boolean;
  usageCode: string | null;
  baseM: number;
  topM: number;
  /** Code of the method of the height. */
  heightMethod: string | null;
}

/** Facts from a user who knows the building. */
export interface StatedShape {
  storeys?: number | undefined;
  /** From the base to the top, metres. */
  heightM?: number | undefined;
}

/** The code of `uro:lod1HeightType` for a solid of uniform height, whose building could not be measured. */
export const PLACEHOLDER = '0';
/**
 * Height of a placeholder for each storey that is published or stated, metres. Placeholders are small, and measured
 * small buildings of one storey are 3.2 to 4.0 m high.
 */
export const PLACEHOLDER_STOREY_M = 3.6;
/** Minimum height of a storey, metres. */
const LEAST_STOREY_M = 2;

/**
 * Storeys and height, replaced by the user's facts. A stated height changes estimated storeys. Stated storeys give the
 * height if it was never measured.
 */
export function shapeAsStated(
  { storeys, storeysEstimated, usageCode, baseM, topM, heightMethod }: RecordedShape,
  stated: StatedShape,
): { storeys: number; heightM: number; storeysFrom: 'published' | 'estimated' | 'stated' } {
  const heightM = stated.heightM ?? topM - baseM;
  if (stated.storeys !== undefined) {
    const isUnknown = stated.heightM === undefined && heightMethod === PLACEHOLDER;
    return {
      storeys: stated.storeys,
      heightM: isUnknown ? stated.storeys * PLACEHOLDER_STOREY_M : heightM,
      storeysFrom: 'stated',
    };
  }
  const recorded = storeysOf(storeysEstimated ? null : storeys, heightM, usageCode);
  return { storeys: recorded.storeys, heightM, storeysFrom: recorded.estimated ? 'estimated' : 'published' };
}

/** True when the storeys fit into a height, metres. */
export const haveRoom = (storeys: number, heightM: number): boolean => heightM / storeys >= LEAST_STOREY_M;
