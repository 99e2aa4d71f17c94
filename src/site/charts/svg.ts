import { type Gap, type Html, html } from '../markup.ts';

/** A coordinate of a drawing, to a tenth. */
export const at = (value: number): number => Math.round(value * 10) / 10;

/** A drawing with the name and the description that a screen reader says. */
export function drawing(
  {
    id,
    width,
    height,
    title,
    description,
    role = 'img',
  }: { id: string; width: number; height: number; title: string; description: string; role?: 'img' | 'group' },
  content: Gap,
): Html {
  return html`<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="${role}" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>${content}</svg>`;
}

/** Minutes after midnight of a time of day, `HH:MM` or `HH:MM:SS`. */
export function minutesOf(time: string): number {
  const [hours, minutes, seconds = 0] = time.split(':').map(Number);
  return hours! * 60 + minutes! + seconds / 60;
}
