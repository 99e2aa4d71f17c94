import { Presets, SingleBar } from 'cli-progress';
import { type BuildEvent, type Listener, STAGE_TITLES, type StageName } from '../pipeline/progress.ts';
import { bytesText, countText, durationText, remark } from './output.ts';

/** Shortest time between two plain lines of one stage, milliseconds. */
const LINE_INTERVAL_MS = 5000;

/** Shows progress on standard error: a bar on a terminal, plain lines elsewhere, or JSON lines. */
export function progressListener(json: boolean, stream: NodeJS.WriteStream = process.stderr): Listener {
  if (json) return (event) => stream.write(`${JSON.stringify(event)}\n`);
  return stream.isTTY && !process.env.CI ? barListener(stream) : lineListener();
}

/** A running stage. */
interface Running {
  stage: StageName;
  /** When it started, by `performance.now()`. */
  start: number;
  unit: string;
  total: number;
  done: number;
}

/** A bar with rate and remaining time, for the running stage that started first. Two stages may run at once. */
function barListener(stream: NodeJS.WriteStream): Listener {
  // In order of their start.
  const stages = new Map<StageName, Running>();
  let shown: { running: Running; bar: SingleBar } | null = null;
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
    const running = stages.values().find(({ total }) => total > 0);
    if (shown !== null || running === undefined) return;
    const bar = new SingleBar(
      {
        stream,
        format: `${STAGE_TITLES[running.stage]} {bar} {percentage} %, {done} of {of}, {rate}/s, {eta_formatted} left`,
        barsize: 20,
        hideCursor: true,
        etaBuffer: 50,
        clearOnComplete: true,
      },
      Presets.shades_classic,
    );
    bar.start(running.total, running.done, texts(running));
    shown = { running, bar };
  };
  return (event) => {
    switch (event.event) {
      case 'stage':
        stages.set(event.stage, { ...event, start: performance.now(), done: 0 });
        show();
        break;
      case 'progress': {
        const running = stages.get(event.stage);
        if (running === undefined) break;
        running.done = event.done;
        if (shown?.running === running) shown.bar.update(running.done, texts(running));
        break;
      }
      case 'stage_done':
        stages.delete(event.stage);
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
  const stages = new Map<StageName, Pick<Running, 'start' | 'unit'>>();
  let lastLine = 0;
  return (event) => {
    switch (event.event) {
      case 'stage':
        lastLine = performance.now();
        stages.set(event.stage, { start: lastLine, unit: event.unit });
        if (event.total > 0) remark(`${STAGE_TITLES[event.stage]}: ${amount(event.total, event.unit)}`);
        break;
      case 'progress': {
        const { stage, done, total } = event;
        const running = stages.get(stage);
        const now = performance.now();
        if (running === undefined || now - lastLine < LINE_INTERVAL_MS || done === 0) break;
        lastLine = now;
        const { start, unit } = running;
        const remaining = durationText(((now - start) * (total - done)) / done);
        const share = `${amount(done, unit)} of ${amount(total, unit)}`;
        remark(`  ${STAGE_TITLES[stage]}: ${share}, ${amount(rateOf(done, start), unit)}/s, ${remaining} left`);
        break;
      }
      case 'stage_done':
        stages.delete(event.stage);
        remark(doneLine(event));
        break;
      case 'remark':
        remark(event.message);
    }
  };
}

/** Units a second since `start`. */
const rateOf = (done: number, start: number): number =>
  Math.round((done * 1000) / Math.max(1, performance.now() - start));

/** `1,470 buildings`, `1 building`; bytes in a fitting unit. */
const amount = (count: number, unit: string): string =>
  unit === 'bytes' ? bytesText(count) : `${countText(count)} ${count === 1 ? unit.replace(/s$/, '') : unit}`;

/** The line at the end of a stage. */
const doneLine = ({ stage, seconds }: Extract<BuildEvent, { event: 'stage_done' }>): string =>
  `${STAGE_TITLES[stage]}: done in ${durationText(seconds * 1000)}`;
