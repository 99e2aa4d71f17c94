/** The grid for searches around a point: cells of 0.001° by 0.001°, 111 m by 91 m at Tokyo. */
export const CELLS_PER_DEGREE = 1000;

export const cellIndex = (degrees: number): number => Math.floor(degrees * CELLS_PER_DEGREE);
