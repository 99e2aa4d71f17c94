import { Presets, SingleBar } from 'cli-progress';
import type { BuildEvent, Listener, StageName } from '../pipeline/progress.ts';
import { bytesText, countText, durationText, remark } from './output.ts';

/** The name of each stage for people. */
const WORDS: Record<StageName, string> = {
  inputs: 'Find inputs',
  terrain: 'Read elevation',
  read: 'Read city models',
  merge: 'Sort into grid squares',
  ground: 'Mesh the ground and its horizons',
  compute: 'Compute sunlight',
  kaigo: 'Read and write care facilities',
  write: 'Write the dataset',
  map: 'Draw the map',
};

/** Shortest time between two plain lines of one stage, milliseconds. */
const LINE_INTERVAL = 5000;

/** Shows progress on standard error: a bar on a terminal, plain lines elsewhere, or JSON lines. */
export function progressListener(json: boolean, stream: NodeJS.WriteStream = process.stderr): Listener {
  if (json) return (event) => stream.write(`${JSON.stringify(event)}\n`);
  return stream.isTTY && !process.env.CI ? barListener(stream) : lineListener();
}

/** A running stage. */
interface Running {
  stage: StageName;
  start: number;
  unit: string;
  total: number;
  done: number;
}

/** The running stages, from the events. Two may run at once. */
class RunningStages {
  /** In order of their start. */
  readonly all: Running[] = [];

  begin({ stage, unit, total }: Extract<BuildEvent, { event: 'stage' }>): void {
    this.all.push({ stage, start: performance.now(), unit, total, done: 0 });
  }

  /** Records the progress of a stage and returns the stage. */
  advance({ stage, done }: Extract<BuildEvent, { event: 'progress' }>): Running | undefined {
    const running = this.all.find((one) => one.stage === stage);
    if (running) running.done = done;
    return running;
  }

  end(stage: StageName): void {
    const at = this.all.findIndex((one) => one.stage === stage);
    if (at >= 0) this.all.splice(at, 1);
  }
}

/** A bar with rate and remaining time, for the running stage that started first. */
function barListener(stream: NodeJS.WriteStream): Listener {
  const stages = new RunningStages();
  let shown: { of: Running; bar: SingleBar } | null = null;
  const texts = ({ done, total, unit, start }: Running) => ({
    done: amount(done, unit),
    of: amount(total, unit),
    rate: amount(rateOf(done, start), unit),
  });
  const stop = (): void => {
    shown?.bar.stop();
    shown = null;
  };
  const show = (): void => {
    const of = stages.all.find(({ total }) => total > 0);
    if (shown !== null || of === undefined) return;
    const bar = new SingleBar(
      {
        stream,
        format: `${WORDS[of.stage]} {bar} {percentage} %, {done} of {of}, {rate}/s, {eta_formatted} left`,
        barsize: 20,
        hideCursor: true,
        etaBuffer: 50,
        clearOnComplete: true,
      },
      Presets.shades_classic,
    );
    bar.start(of.total, of.done, texts(of));
    shown = { of, bar };
  };
  return (event) => {
    switch (event.event) {
      case 'stage':
        stages.begin(event);
        show();
        break;
      case 'progress':
        stages.advance(event);
        if (shown?.of.stage === event.stage) shown.bar.update(event.done, texts(shown.of));
        break;
      case 'stage_done':
        stages.end(event.stage);
        stop(); // The next line replaces the bar.
        remark(doneLine(event));
        show();
        break;
      case 'remark':
        remark(event.message);
    }
  };
}

/** A line at the start of a stage, one from time to time, and one at its end. */
function lineListener(): Listener {
  const stages = new RunningStages();
  let last = 0;
  return (event) => {
    switch (event.event) {
      case 'stage':
        stages.begin(event);
        last = performance.now();
        if (event.total > 0) remark(`${WORDS[event.stage]}: ${amount(event.total, event.unit)}`);
        break;
      case 'progress': {
        const running = stages.advance(event);
        const now = performance.now();
        if (running === undefined || now - last < LINE_INTERVAL || event.done === 0) break;
        last = now;
        const { start, unit } = running;
        const left = durationText(((now - start) * (event.total - event.done)) / event.done);
        const done = `${amount(event.done, unit)} of ${amount(event.total, unit)}`;
        remark(`  ${WORDS[event.stage]}: ${done}, ${amount(rateOf(event.done, start), unit)}/s, ${left} left`);
        break;
      }
      case 'stage_done':
        stages.end(event.stage);
        remark(doneLine(event));
        break;
      case 'remark':
        remark(event.message);
    }
  };
}

const rateOf = (done: number, start: number): number =>
  Math.round((done * 1000) / Math.max(1, performance.now() - start));

/** `1,470 buildings`, `1 building`; bytes in a fitting unit. */
const amount = (count: number, unit: string): string =>
  unit === 'bytes' ? bytesText(count) : `${countText(count)} ${count === 1 ? unit.replace(/s$/, '') : unit}`;

const doneLine = ({ stage, seconds }: Extract<BuildEvent, { event: 'stage_done' }>): string =>
  `${WORDS[stage]}: done in ${durationText(seconds * 1000)}`;
