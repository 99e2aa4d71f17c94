import { Presets, SingleBar } from 'cli-progress';
import type { FetchEvent } from '../fetch/fetch-inputs.ts';
import { type BuildEvent, type Listener, STAGE_TITLES, type StageName } from '../pipeline/progress.ts';
import { bytesText, countText, durationText, remark } from './output.ts';

/** Shortest time between two plain lines of one stage, milliseconds. */
const LINE_INTERVAL_MS = 5000;

/** Shows the progress of a build on standard error: a bar on a terminal, plain lines elsewhere, or JSON lines. */
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

/** Shortest time between two lines of a fetch, milliseconds. */
const FETCH_INTERVAL_MS = 2000;

/** Shows the progress of a fetch as lines with rate and remaining time on standard error, or as JSON lines. */
export function fetchProgress(json: boolean): (event: FetchEvent) => void {
  if (json) return (event) => process.stderr.write(`${JSON.stringify(event)}\n`);
  remark('Ask the publishers for their lists of files');
  const start = performance.now();
  let last = start;
  let plannedFiles = 0;
  /** Null until the first plan, and when a plan does not know them. */
  let plannedBytes: number | null = null;
  let doneFiles = 0;
  let fetchedBytes = 0;
  /** Bytes of planned files that did not have to be fetched. */
  let unchangedBytes = 0;
  const printProgress = (): void => {
    const seconds = (performance.now() - start) / 1000;
    const doneBytes = fetchedBytes + unchangedBytes;
    /** The remaining work as a multiple of the work done so far. */
    const left =
      plannedBytes === null ? (plannedFiles - doneFiles) / doneFiles : (plannedBytes - doneBytes) / fetchedBytes;
    const remaining = left > 0 && left < Infinity ? `, ${durationText(seconds * 1000 * left)} left` : '';
    remark(
      `  ${countText(doneFiles)} of ${countText(plannedFiles)} ${plannedFiles === 1 ? 'file' : 'files'}, ${bytesText(doneBytes)}, ${bytesText(Math.round(fetchedBytes / seconds))}/s${remaining}`,
    );
  };
  return (event) => {
    switch (event.event) {
      case 'plan':
        // There is a plan for each zip, known after its directory was read. All plans must know their bytes.
        if (plannedFiles === 0) plannedBytes = event.bytes;
        else plannedBytes = plannedBytes === null || event.bytes === null ? null : plannedBytes + event.bytes;
        plannedFiles += event.files;
        remark(
          `Fetch ${countText(plannedFiles)} ${plannedFiles === 1 ? 'file' : 'files'}${plannedBytes === null ? '' : `, ${bytesText(plannedBytes)}`}`,
        );
        break;
      case 'bytes':
        fetchedBytes += event.bytes;
        break;
      case 'file':
        doneFiles++;
        // The bytes of a plan are those of all its files.
        if (event.status === 'unchanged' && plannedBytes !== null) unchangedBytes += event.bytes;
        break;
      case 'remark':
        remark(event.message);
    }
    if (performance.now() - last < FETCH_INTERVAL_MS) return;
    last = performance.now();
    printProgress();
  };
}
