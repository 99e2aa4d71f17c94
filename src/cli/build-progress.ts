import { Presets, SingleBar } from 'cli-progress';
import type { BuildEvent, Listener, StageName } from '../pipeline/progress.ts';
import { bytesText, countText, durationText, remark } from './output.ts';

/** What each stage does, for people. */
const WORDS: Record<StageName, string> = {
  inputs: 'Find inputs',
  read: 'Read city models',
  merge: 'Sort into grid squares',
  compute: 'Compute sunlight',
  kaigo: 'Read and write care facilities',
  write: 'Write the dataset',
  map: 'Draw the map',
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
  let unit = '';
  const texts = (done: number, total: number) => ({
    done: amount(done, unit),
    of: amount(total, unit),
    rate: amount(rateOf(done, start), unit),
  });
  return (event) => {
    switch (event.event) {
      case 'stage':
        start = performance.now();
        unit = event.unit;
        if (event.total === 0) break;
        bar = new SingleBar(
          {
            stream,
            format: `${WORDS[event.stage]} {bar} {percentage} %, {done} of {of}, {rate}/s, {eta_formatted} left`,
            barsize: 20,
            hideCursor: true,
            etaBuffer: 50,
            clearOnComplete: true,
          },
          Presets.shades_classic,
        );
        bar.start(event.total, 0, texts(0, event.total));
        break;
      case 'progress':
        bar?.update(event.done, texts(event.done, event.total));
        break;
      case 'stage_done':
        bar?.stop();
        bar = null;
        remark(doneLine(event));
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
        if (event.total > 0) remark(`${WORDS[event.stage]}: ${amount(event.total, unit)}`);
        break;
      case 'progress': {
        if (now - last < LINE_INTERVAL || event.done === 0) break;
        last = now;
        const left = durationText(((now - start) * (event.total - event.done)) / event.done);
        const done = `${amount(event.done, unit)} of ${amount(event.total, unit)}`;
        remark(`  ${done}, ${amount(rateOf(event.done, start), unit)}/s, ${left} left`);
        break;
      }
      case 'stage_done':
        remark(doneLine(event));
        break;
      case 'remark':
        remark(event.message);
    }
  };
}

const rateOf = (done: number, start: number): number =>
  Math.round((done * 1000) / Math.max(1, performance.now() - start));

/** `1,470 buildings`, `1 building`; bytes in the unit that suits them. */
const amount = (count: number, unit: string): string =>
  unit === 'bytes' ? bytesText(count) : `${countText(count)} ${count === 1 ? unit.replace(/s$/, '') : unit}`;

const doneLine = ({ stage, seconds }: Extract<BuildEvent, { event: 'stage_done' }>): string =>
  `${WORDS[stage]}: done in ${durationText(seconds * 1000)}`;
