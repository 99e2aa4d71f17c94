const two = (value: number): string => String(value).padStart(2, '0');

/** `HH:MM` of minutes after midnight, to the nearest minute. */
export function timeOfDay(minutes: number): string {
  const whole = Math.round(minutes);
  return `${two(Math.floor(whole / 60))}:${two(whole % 60)}`;
}

/** `HH:MM:SS` of minutes after midnight, to the nearest second. */
export function timeOfDayInSeconds(minutes: number): string {
  const seconds = Math.round(minutes * 60);
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
