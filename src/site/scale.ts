/** A class of the colour scale. `HOURS_CLASSES` has its lower limit, hours of direct sun a day. */
interface ScaleClass {
  /** Its text in the legend. */
  label: string;
  fill: string;
  /** Text colour on the fill (contrast above 4.5). */
  ink: string;
}

const DARK = '#1c1a17';
const LIGHT = '#ffffff';

/**
 * The colour scale of hours of direct sun a day, on map and pages. From violet to pale yellow it becomes steadily
 * lighter, so it works without seeing colours.
 */
export const HOURS_SCALE: readonly ScaleClass[] = [
  { label: '0', fill: '#35265a', ink: LIGHT },
  { label: '1', fill: '#533f82', ink: LIGHT },
  { label: '2', fill: '#7d5a99', ink: LIGHT },
  { label: '3', fill: '#ad7aa2', ink: DARK },
  { label: '4', fill: '#d7928f', ink: DARK },
  { label: '5', fill: '#f0b06b', ink: DARK },
  { label: '6–8', fill: '#f8d45c', ink: DARK },
  { label: '8+', fill: '#fff3ad', ink: DARK },
];
