/** To one decimal: angles, areas, and distances to care facilities. */
export const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** To two decimals: hours, metres, and angles of the sky. */
export const twoDecimals = (value: number): number => Math.round(value * 100) / 100;

/** Latitude and longitude to 7 decimals (1.1 cm). */
export const sevenDecimals = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

/** An azimuth: to one decimal, in [0, 360). */
export const roundedAzimuth = (degrees: number): number => (((Math.round(degrees * 10) % 3600) + 3600) % 3600) / 10;
