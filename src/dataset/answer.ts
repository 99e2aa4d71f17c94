import type { Face, FloorClass } from '../sunlight/result.ts';

/**
 * The `data` members of the sunlight answers, with their keys in the order in which they are written. The
 * schemas of contract/ describe the same shapes; a test holds the two together.
 */

export interface FaceHoursAnswer {
  face: Face;
  azimuth_deg: number;
  direct_sun_hours: number;
}

export interface SummaryAnswer {
  building_id: string;
  ward_code: string;
  town_code: string | null;
  town_name: string | null;
  lat: number;
  lon: number;
  usage: string | null;
  usage_code: string | null;
  measured_height_m: number | null;
  storeys: number;
  storeys_estimated: boolean;
  december_top_best: FaceHoursAnswer | null;
  december_first_south: FaceHoursAnswer | null;
  annual_mean_hours: number | null;
  quality: {
    lod: number;
    height_source: 'solid' | 'measured_height';
    base_source: 'solid' | 'lod0' | 'assumed_zero';
  };
}

export interface MonthAnswer {
  month: number;
  direct_sun_hours: number;
  unshaded_hours: number;
  sunlit_windows: [string, string][];
}

export interface FloorAnswer {
  floor: number;
  height_m: number;
  months: MonthAnswer[];
}

export interface FaceAnswer {
  face: Face;
  azimuth_deg: number;
  wall_length_m: number;
  receptors: number;
  floors: Record<FloorClass, FloorAnswer>;
}

export interface ShadingSourceAnswer {
  building_id: string | null;
  distance_m: number;
  azimuth_deg: number;
  height_m: number;
  blocked_hours: number;
  share: number;
}

export interface MethodAnswer {
  reference_year: number;
  day_of_month: number;
  time_zone: string;
}

export interface FullAnswer extends SummaryAnswer {
  faces: FaceAnswer[];
  shading_sources: ShadingSourceAnswer[];
  self_shaded_share: number;
  method: MethodAnswer;
}

export interface NearAnswer {
  lat: number;
  lon: number;
  radius_m: number;
  count: number;
  truncated: boolean;
  buildings: ({ distance_m: number } & SummaryAnswer)[];
}

export interface TownAnswer {
  town_code: string;
  name: string | null;
  reading: string | null;
  ward_code: string;
  ward_name: string;
  lat: number;
  lon: number;
}

export type TownListEntry = Omit<TownAnswer, 'ward_name'>;

export interface TownBuildingsAnswer {
  town: TownAnswer;
  total: number;
  page: number;
  page_size: number;
  page_count: number;
  buildings: SummaryAnswer[];
}

export interface PointAnswer {
  lat: number;
  lon: number;
  height_m: number;
  months: MonthAnswer[];
  method: MethodAnswer;
}
