import type { ModelError } from './moves.ts';

/** Standard deviations that the operating rules of public surveys (作業規程の準則) allow a map of level 2500, on which city models are based. */
export const MAP_LEVEL_2500: ModelError = { positionM: 1.75, heightM: 0.66 };
