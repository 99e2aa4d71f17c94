import type { FetchEvent } from '../fetch/fetch-inputs.ts';
import { bytesText, countText, durationText, remark } from './output.ts';

/** Least time between two lines, milliseconds. */
const INTERVAL_MS = 2000;

/** Shows a fetch as lines with rate and time left on standard error, or as JSON lines. */
export function fetchProgress(json: boolean): (event: FetchEvent) => void {
  if (json) return (event) => process.stderr.write(`${JSON.stringify(event)}\n`);
  const start = performance.now();
  let last = start;
  let [files, bytes, doneFiles, doneBytes]: [number, number | null, number, number] = [0, null, 0, 0];
  const line = (): void => {
    const seconds = (performance.now() - start) / 1000;
    const done = bytes === null ? doneFiles / Math.max(1, files) : doneBytes / Math.max(1, bytes);
    const left = done > 0 && done < 1 ? `, ${durationText((seconds * 1000 * (1 - done)) / done)} left` : '';
    remark(
      `  ${countText(doneFiles)} of ${countText(files)} files, ${bytesText(doneBytes)}, ${bytesText(Math.round(doneBytes / seconds))}/s${left}`,
    );
  };
  return (event) => {
    switch (event.event) {
      case 'plan':
        [files, bytes] = [event.files, event.bytes];
        remark(`Fetch ${countText(files)} files${bytes === null ? '' : `, ${bytesText(bytes)}`}`);
        break;
      case 'bytes':
        doneBytes += event.bytes;
        break;
      case 'file':
        doneFiles++;
        if (event.status === 'unchanged' && bytes !== null) doneBytes += event.bytes;
        break;
      case 'remark':
        remark(event.message);
    }
    if (performance.now() - last < INTERVAL_MS) return;
    last = performance.now();
    line();
  };
}
