import type { Demand } from '../dataset/on-demand/on-demand.ts';

/** A demand on the dataset of a folder. */
export interface DatasetDemand {
  folder: string;
  demand: Demand;
}

/** Says to a thread that the dataset of a folder is no longer needed. */
export interface Forget {
  forget: string;
}
