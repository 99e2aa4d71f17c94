/** Layers of 国土数値情報 about floods (A31) and landslides (A33): what their codes mean. */

/** How deep a flood is at a place. */
export interface FloodZone {
  /** Rank of the depth, 1 to 6: below 0.5, 3, 5, 10, 20 metres, and deeper. */
  rank: number;
  fromM: number;
  /** Null: no upper end is stated. */
  toM: number | null;
  river: string | null;
  /** The largest flood that is reckoned with (想定最大規模), or that of the river plan (計画規模). */
  scenario: 'largest' | 'planned';
}

/** A zone in which a landslide must be expected. */
export interface LandslideZone {
  /** `special`: 土砂災害特別警戒区域. */
  zone: 'warning' | 'special';
  phenomenon: 'steep_slope' | 'debris_flow' | 'landslide';
  /** False: it is planned and not yet designated. */
  isDesignated: boolean;
}

/** Depths by code, metres: of six steps (since 2019), and of five and seven steps before. */
const DEPTHS: Readonly<Record<string, readonly [from: number, to: number | null]>> = {
  1: [0, 0.5],
  2: [0.5, 3],
  3: [3, 5],
  4: [5, 10],
  5: [10, 20],
  6: [20, null],
  11: [0, 0.5],
  12: [0.5, 1],
  13: [1, 2],
  14: [2, 5],
  15: [5, null],
  21: [0, 0.5],
  22: [0.5, 1],
  23: [1, 2],
  24: [2, 3],
  25: [3, 4],
  26: [4, 5],
  27: [5, null],
};
/** The upper ends of the ranks, metres. */
const RANK_ENDS = [0.5, 3, 5, 10, 20];

/**
 * The attribute with the code of the depth, that with the name of the river, and the scenario of both. The first that a
 * record has counts.
 */
const FLOOD_ATTRIBUTES = [
  ['A31a_205', 'A31a_202', 'largest'],
  ['A31_201', null, 'largest'],
  ['A31a_105', 'A31a_102', 'planned'],
  ['A31_101', null, 'planned'],
  ['A31_001', null, 'planned'],
] as const;

export type Attributes = Readonly<Record<string, unknown>>;

/** A code as text. Some files write codes as decimal numbers: 3.0 for 3. */
const codeText = (value: unknown): string =>
  String(value ?? '')
    .trim()
    .replace(/\.0+$/, '');

/** The flood zone that a record states, or null for another record. */
export function floodZoneOf(attributes: Attributes): FloodZone | null {
  for (const [name, river, scenario] of FLOOD_ATTRIBUTES) {
    const depth = DEPTHS[codeText(attributes[name])];
    if (depth === undefined) continue;
    const [fromM, toM] = depth;
    // A depth without an upper end has the rank of the depths that begin there: 5 m and more has that of 5 to 10 m.
    const index = RANK_ENDS.findIndex((end) => (toM === null ? fromM < end : toM <= end));
    const riverName = river === null ? '' : String(attributes[river] ?? '').trim();
    // Ranks count from 1; what is deeper than all ends has the last.
    const rank = (index < 0 ? RANK_ENDS.length : index) + 1;
    return { rank, fromM, toM, river: riverName || null, scenario };
  }
  return null;
}

const PHENOMENA: Readonly<Record<string, LandslideZone['phenomenon']>> = {
  1: 'steep_slope',
  2: 'debris_flow',
  3: 'landslide',
};

/** The landslide zone that a record states, or null. Its kind is 1 warning, 2 special, 3 and 4 the same but planned. */
export function landslideZoneOf(attributes: Attributes): LandslideZone | null {
  const phenomenon = PHENOMENA[codeText(attributes.A33_001)];
  const kind = codeText(attributes.A33_002);
  if (phenomenon === undefined || !/^[1-4]$/.test(kind)) return null;
  return { zone: kind === '2' || kind === '4' ? 'special' : 'warning', phenomenon, isDesignated: kind < '3' };
}

/** The hazards at a place; null when no layer covers it. */
export interface Hazards {
  /** Empty: outside every zone. The deepest first, of the largest flood before those of plans. */
  flood: readonly FloodZone[] | null;
  landslide: readonly LandslideZone[] | null;
}

/** Of the flood zones at a place, the one that counts: the deepest of the largest flood, or, without such, of the planned one. */
export function worstFlood(zones: readonly FloodZone[]): FloodZone | null {
  const largest = zones.filter(({ scenario }) => scenario === 'largest');
  const [worst] = (largest.length > 0 ? largest : zones).toSorted((a, b) => b.rank - a.rank);
  return worst ?? null;
}
