import { Presets, SingleBar } from 'cli-progress';
import type { BuildEvent, Listener, StageName } from '../pipeline/progress.ts';
import { countText, durationText, remark } from './output.ts';

/** What each stage does, for people. */
const WORDS: Record<StageName, string> = {
  inputs: 'Find inputs',
  read: 'Read city models',
  merge: 'Sort into grid squares',
  scene: 'Set up scenes',
  compute: 'Compute sunlight',
  write: 'Write the dataset',
};

/** Least time between two plain lines of one stage, milliseconds. */
const LINE_INTERVAL = 5000;

/** The way to show progress that suits where standard error goes: a bar on a terminal, else plain lines; or JSON lines. */
export function progressListener(json: boolean, stream: NodeJS.WriteStream = process.stderr): Listener {
  if (json) return (event) => stream.write(`${JSON.stringify(event)}\n`);
  return stream.isTTY && !process.env.CI ? barListener(stream) : lineListener();
}

/** A bar with rate and time left. */
function barListener(stream: NodeJS.WriteStream): Listener {
  let bar: SingleBar | null = null;
  let start = 0;
  const rate = (done: number): string => countText(Math.round((done * 1000) / Math.max(1, performance.now() - start)));
  return (event) => {
    switch (event.event) {
      case 'stage':
        start = performance.now();
        if (event.total === 0) break;
        bar = new SingleBar(
          {
            stream,
            format: `${WORDS[event.stage].padEnd(24)} {bar} {percentage} % | {value}/{total} ${event.unit} | {rate}/s | {eta_formatted} left`,
            formatValue: (value, _options, type) =>
              type === 'value' || type === 'total' ? countText(value) : `${value}`,
            hideCursor: true,
            etaBuffer: 50,
            clearOnComplete: true,
          },
          Presets.shades_classic,
        );
        bar.start(event.total, 0, { rate: '0' });
        break;
      case 'progress':
        bar?.update(event.done, { rate: rate(event.done) });
        break;
      case 'stage_done':
        bar?.stop();
        bar = null;
        remark(stageLine(event));
        break;
      case 'remark':
        remark(event.message);
    }
  };
}

/** One line when a stage begins, one now and then, one when it is over. */
function lineListener(): Listener {
  let start = 0;
  let last = 0;
  let unit = '';
  return (event) => {
    const now = performance.now();
    switch (event.event) {
      case 'stage':
        start = now;
        last = now;
        unit = event.unit;
        remark(event.total > 0 ? `${WORDS[event.stage]}: ${countText(event.total)} ${unit}` : WORDS[event.stage]);
        break;
      case 'progress': {
        if (now - last < LINE_INTERVAL || event.done === 0) break;
        last = now;
        const elapsed = now - start;
        const left = durationText((elapsed * (event.total - event.done)) / event.done);
        const rate = countText(Math.round((event.done * 1000) / elapsed));
        remark(`  ${countText(event.done)} of ${countText(event.total)} ${unit}, ${rate}/s, ${left} left`);
        break;
      }
      case 'stage_done':
        remark(`  ${stageLine(event)}`);
        break;
      case 'remark':
        remark(event.message);
    }
  };
}

const stageLine = (event: Extract<BuildEvent, { event: 'stage_done' }>): string =>
  `${WORDS[event.stage]}: done in ${durationText(event.seconds * 1000)}`;
