/** The addresses of all tables in the kernel's memory, bytes, and the sizes from which they follow. */

/** Bins of the east and west planes, and of all planes together. */
export const PLANE_BINS: i32 = 1536;
export const BINS: i32 = 3840;
/** Eyes above one another that share a projection. */
export const EYES: i32 = 3;
export const DAYS: i32 = 12;
/** Bins of a block: 2 to this power. */
export const BLOCK_SHIFT: i32 = 5;
/** Columns of a face that are read together. */
const COLUMNS: i32 = 8;
/** Numbers of a list of lit intervals, two for each: no column has more than 720 intervals of whole minutes a day. */
export const LIT_NUMBERS: i32 = COLUMNS * 720 * 2;
/** Limit of stored edges. At most one for each bin is visible. */
export const MOST_EDGES: i32 = 32768;
/** Added to the number of a building that blocks with a roof surface, not with a prism. */
export const BY_SURFACE: i32 = 1 << 30;
/** Bins of a sector of the sky. The minutes that the ground hides are summed by sector. */
export const SECTOR_BINS: i32 = 160;
/** Slots of the table of blocking buildings. The program empties it when it is half full. */
export const BLOCKER_SLOTS: i32 = 32768;
export const MOST_PARTS: i32 = 4096;
export const MOST_PAGES: i32 = 65536;
/** Nodes of a page: 2 to this power. */
export const PAGE_SHIFT: i32 = 9;
export const NODE_BYTES: i32 = 64;

const ROW_BYTES: i32 = 4 * EYES * BINS;

/**
 * The rows: of each bin of each eye the slope of the skyline, and the edge that it shows. The compiler's constants lie
 * below them. Rows have room for a vector before and after them.
 */
export const SLOPE: i32 = 8192;
export const SHOWN_EDGE: i32 = SLOPE + ROW_BYTES + 64;
/** By block of bins: the lowest slope of each eye, in four lanes. */
export const LOWEST: i32 = SHOWN_EDGE + ROW_BYTES + 64;
/** Four lanes in memory, so that one can be read by its number: slopes, and their change from bin to bin. */
export const VALUES: i32 = LOWEST + 16 * (BINS >> BLOCK_SHIFT);
export const STEPS: i32 = VALUES + 16;
/**
 * The sun's curves by rank of the day and bin: slopes, minutes, sums of minutes; the lowest curve; sunrise, sunset and
 * month by rank.
 */
export const SUN: i32 = STEPS + 64;
export const MINUTE: i32 = SUN + 4 * BINS * (DAYS + 2) + 64;
export const ELAPSED: i32 = MINUTE + 4 * BINS * DAYS;
export const LOWEST_SUN: i32 = ELAPSED + 4 * BINS * (DAYS + 1);
export const SUNRISE: i32 = LOWEST_SUN + 4 * BINS;
export const SUNSET: i32 = SUNRISE + 8 * DAYS;
export const RANK_MONTH: i32 = SUNSET + 8 * DAYS;
/**
 * The eyes: their heights (infinite without an eye), the number of floors each represents, and the building that
 * encloses each.
 */
export const Z: i32 = RANK_MONTH + 16;
export const FLOORS: i32 = Z + 32;
export const INSIDE: i32 = FLOORS + 16;
export const INSIDE_TOP: i32 = INSIDE + 16;
/** The ranges of bins to read, and the results of reading: times by day, lit intervals, blocking buildings. */
export const RANGES: i32 = INSIDE_TOP + 32;
export const FRONT_START: i32 = RANGES + 32;
export const FRONT_END: i32 = FRONT_START + 8 * DAYS;
export const LIT_SINCE: i32 = FRONT_END + 8 * DAYS;
export const UNSHADED: i32 = LIT_SINCE + 8 * DAYS;
export const LIT_LENGTH: i32 = UNSHADED + 8 * DAYS;
export const LIT: i32 = LIT_LENGTH + 4 * EYES * DAYS;
export const SLOT_BUILDING: i32 = LIT + 2 * EYES * DAYS * LIT_NUMBERS;
export const SLOT_MINUTES: i32 = SLOT_BUILDING + 4 * BLOCKER_SLOTS;
export const USED_SLOTS: i32 = SLOT_MINUTES + 8 * BLOCKER_SLOTS;
/** The walls between the centres of two bins: seen in the first bin, and in the next. See `instants.ts`. */
export const FIRST_WALLS: i32 = USED_SLOTS + 4 * BLOCKER_SLOTS;
export const NEXT_WALLS: i32 = FIRST_WALLS + 256;
/** State of drawing: edges, their new numbers, the nodes seen by the last column, the nodes still to visit. */
export const EDGES: i32 = NEXT_WALLS + 256;
export const RENUMBERED: i32 = EDGES + 16 * MOST_EDGES;
export const SEEN: i32 = RENUMBERED + 4 * MOST_EDGES;
export const STACK: i32 = SEEN + 8 * EYES * BINS;
/** 1024 equally likely values of the standard normal distribution, ascending. */
export const QUANTILES: i32 = STACK + 12 * 256;
/** Standard deviations of errors by their class, metres: of positions, and of heights. */
export const ERROR_CLASSES: i32 = 8;
export const POSITION_ERRORS: i32 = QUANTILES + 8 * 1024;
export const HEIGHT_ERRORS: i32 = POSITION_ERRORS + 8 * ERROR_CLASSES;
/** The parts of the view, and their pages. */
export const PARTS: i32 = HEIGHT_ERRORS + 8 * ERROR_CLASSES;
export const PAGES: i32 = PARTS + 32 * MOST_PARTS;
export const UPPER: i32 = PAGES + 4 * MOST_PAGES;
/** The pages of the trees start here. */
export const ARENA: i32 = (UPPER + NODE_BYTES * 2 * MOST_PARTS + 63) & ~63;
