/** Where the classes of the colour scale begin, hours of direct sun a day. */
export const HOURS_CLASSES = [0, 1, 2, 3, 4, 5, 6, 8] as const;

/** The class that hours a day fall into, from 0. */
export const hoursClass = (hours: number): number => HOURS_CLASSES.findLastIndex((from) => hours >= from);
