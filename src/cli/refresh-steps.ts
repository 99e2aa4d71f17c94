import { spawn } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatasetContents } from '../dataset/contents.ts';
import { verifyDataset } from '../dataset/verify.ts';
import { ChangeCounter, type Excess, exceeded, excessText, type Limit } from '../export/change-gate.ts';
import { changesBetween } from '../export/changes.ts';
import { type Fetched, type FetchOptions, fetchInputs } from '../fetch/fetch-inputs.ts';
import { FileLock } from '../formats/file-lock.ts';
import { makeFolder, writeWhole } from '../formats/files.ts';
import { ask, reasonOf } from '../http/ask.ts';
import { build } from '../pipeline/build.ts';
import { type ChangeSummary, writeNote } from '../snapshot/change-note.ts';
import { listDatasets } from '../snapshot/listing.ts';
import { readManifest, WITHDRAWN_FILE } from '../snapshot/manifest.ts';
import { adoptDataset } from '../snapshot/publish.ts';
import { isWithdrawn, pruneStored, sendDataset } from '../store/dataset-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { OVER_LIMIT } from './diff.ts';
import { INCOMPLETE } from './fetch.ts';
import { withInputs } from './inputs-folder.ts';
import { bytesText, countText, remark } from './output.ts';
import { fetchProgress, progressListener } from './progress.ts';
import { pruneDatasets } from './prune.ts';
import { REFRESH_FOLDER } from './setting.ts';
import { datasetsServed } from './status.ts';
import { stopSignal } from './this-process.ts';

/** The options of a refresh. */
export interface RefreshOptions {
  /** The data folder of the server. */
  data: string;
  /** The inputs folder. */
  inputs: string;
  /** The files to fetch; null: the inputs folder is used without change. */
  fetch: FetchOptions | null;
  /** Build although some files could not be fetched. */
  keepGoing: boolean;
  workers: number;
  /** Time of the build, RFC 3339. */
  generatedAt: string;
  /** Day whose price list is used, YYYY-MM-DD. */
  asOf: string;
  fees?: string;
  /** Private Ed25519 key with which the manifest is signed. */
  signKey?: KeyObject;
  failAbove: Limit[];
  except?: Set<string>;
  /** The store for publication, if any. */
  store?: ObjectStore;
  /** Shell command that makes the server open the newest dataset. */
  reload?: string;
  /** URLs of the admin ports of the servers that have to serve the new dataset. */
  server: string[];
  /** How long to wait for these servers, seconds. */
  wait: number;
  /** Number of complete datasets that stay. */
  keep: number;
  dryRun: boolean;
  /** Shell command to run after a failure. */
  onFailure?: string;
  /** URL that gets the report of a failure. */
  webhook: string | null;
  /** A second file for the report. */
  report?: string;
  json: boolean;
}

/** The outcomes of a refresh, and their exit codes. */
const EXIT_CODES = {
  /** The servers of `--server` serve the new dataset. */
  served: 0,
  /** The new dataset is in the data folder; no server was named. */
  placed: 0,
  /** The newest dataset was built from the same inputs. */
  unchanged: 0,
  dry_run: 0,
  failed: 1,
  gate_refused: OVER_LIMIT,
  fetch_failed: INCOMPLETE,
  build_failed: 6,
  verify_failed: 7,
  /** The new dataset is in the data folder, but a server does not serve it. */
  not_served: 8,
} as const;
type RefreshOutcome = keyof typeof EXIT_CODES;

type StepName = 'fetch' | 'build' | 'verify' | 'compare' | 'place' | 'publish' | 'tell' | 'prune';

/** The report of a refresh, also in `.refresh/report.json`. */
export interface RefreshReport {
  outcome: RefreshOutcome;
  exit_code: number;
  /** The reason of a failure in one line; null when nothing failed. */
  problem: string | null;
  started_at: string;
  ended_at: string;
  dataset_id: string | null;
  /** The newest dataset before the refresh; null when there was none. */
  previous_dataset_id: string | null;
  steps: { step: StepName; seconds: number; says: string }[];
  fetched: Fetched | null;
  /** Counts of the changes; null without a previous dataset. */
  summary: ChangeSummary | null;
  /** Limits that are exceeded. */
  exceeded: Excess[];
}

/** The error of a step that failed, with the outcome of the whole refresh. */
class StepError extends Error {
  readonly outcome: RefreshOutcome;

  constructor(outcome: RefreshOutcome, message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/**
 * Does all steps of a refresh, until SIGTERM or SIGINT.
 * @returns the report, also after a step that failed. After a signal the step that ran still runs: end the process
 * @throws Error when the data folder cannot be used, or another refresh runs in it
 */
export async function refreshDataset(options: RefreshOptions): Promise<RefreshReport> {
  const work = join(options.data, REFRESH_FOLDER);
  makeFolder(work);
  const lock = FileLock.take(join(work, 'lock'));
  if (lock === null) throw new Error(`${work}: another refresh runs in this data folder`);
  try {
    const refresh = new Refresh(options, work);
    const report = await Promise.race([refresh.run(), stopSignal().then((signal) => refresh.breakOff(signal))]);
    const text = `${JSON.stringify(report, null, 2)}\n`;
    const path = join(work, 'report.json');
    // When the report cannot be written, the result and the notification of a failure stay the same.
    for (const file of [path, ...(options.report === undefined ? [] : [options.report])])
      await writeWhole(file, text).catch((error: Error) => remark(`${file}: cannot be written: ${error.message}`));
    if (report.exit_code !== 0) await notifyOfFailure(options, path, text);
    return report;
  } finally {
    lock.release();
  }
}

/** One run of `refresh`. Each step adds a line to the report. */
class Refresh {
  readonly #options: RefreshOptions;
  readonly #work: string;
  readonly #report: RefreshReport = {
    outcome: 'failed',
    exit_code: 1,
    problem: null,
    started_at: now(),
    ended_at: '',
    dataset_id: null,
    previous_dataset_id: null,
    steps: [],
    fetched: null,
    summary: null,
    exceeded: [],
  };

  /** The step that runs. */
  #current: StepName | null = null;
  #isBrokenOff = false;

  constructor(options: RefreshOptions, work: string) {
    this.#options = options;
    this.#work = work;
  }

  /** Begins no further step, and returns the report of a failure. */
  breakOff(signal: string): RefreshReport {
    this.#isBrokenOff = true;
    const step = this.#current === null ? '' : `${this.#current}: `;
    return { ...this.#report, problem: `${step}ended by ${signal}; run it again to continue`, ended_at: now() };
  }

  /** Does the steps and returns the report, also after a failure. */
  async run(): Promise<RefreshReport> {
    const report = this.#report;
    try {
      report.outcome = await this.#steps();
    } catch (error) {
      report.outcome = error instanceof StepError ? error.outcome : 'failed';
      report.problem = (error as Error).message.replace(/\s*\n\s*/g, '; ');
    }
    return { ...report, exit_code: EXIT_CODES[report.outcome], ended_at: now() };
  }

  /**
   * Does the steps.
   * @throws StepError when one fails; the steps after it are not done
   */
  async #steps(): Promise<RefreshOutcome> {
    const { data, fetch, dryRun, store, reload, server } = this.#options;
    const report = this.#report;
    const before = await newestOf(data);
    report.previous_dataset_id = before?.id ?? null;
    if (fetch !== null) await this.#step('fetch', 'fetch_failed', () => this.#fetch(fetch));
    const built = await this.#step('build', 'build_failed', () => this.#build(before?.folder ?? null));
    report.dataset_id = built.id;
    // True for another than the newest dataset, also for an older one that is here already: a publisher has taken a
    // change back.
    const isNew = before?.id !== built.id;
    await this.#checkNotWithdrawn(built.id);
    if (isNew) {
      await this.#step('verify', 'verify_failed', () => verify(built.folder));
      await this.#step('compare', 'gate_refused', () => this.#compare(before?.folder ?? null, built.folder));
    }
    if (dryRun) return isNew ? 'dry_run' : 'unchanged';
    const folder = await this.#step('place', 'failed', () => this.#place(built, isNew, before));
    if (store !== undefined)
      await this.#step('publish', 'failed', async () => {
        const count = await sendDataset(store, folder, () => {});
        return [`${countText(count)} files are in ${store.address}`, null];
      });
    if (reload !== undefined || server.length > 0) await this.#step('tell', 'not_served', () => this.#tell(built.id));
    await this.#step('prune', 'failed', () => this.#prune());
    if (!isNew) return 'unchanged';
    return server.length > 0 ? 'served' : 'placed';
  }

  /**
   * Does one step, and adds its line and its time to the report.
   * @param failure the outcome of the refresh when the step fails
   * @param work returns a line for the report, and a result
   * @throws StepError when the step fails
   */
  async #step<T>(step: StepName, failure: RefreshOutcome, work: () => Promise<StepResult<T>>): Promise<T> {
    if (this.#isBrokenOff) throw new StepError('failed', 'ended by a signal');
    this.#current = step;
    const start = performance.now();
    const record = (says: string): void => {
      const hundredths = Math.round((performance.now() - start) / 10);
      this.#report.steps.push({ step, seconds: hundredths / 100, says });
    };
    try {
      const [line, result] = await work();
      record(line);
      return result;
    } catch (error) {
      record('failed');
      throw error instanceof StepError ? error : new StepError(failure, `${step}: ${(error as Error).message}`);
    }
  }

  /**
   * Fetches the files that the publishers have changed.
   * @throws Error when a file could not be fetched, unless `keepGoing` is set
   */
  async #fetch(options: FetchOptions): Promise<StepResult> {
    const fetched = await fetchInputs(options, fetchProgress(this.#options.json));
    this.#report.fetched = fetched;
    const { failed, unchanged, withdrawn } = fetched;
    const line = [
      `${countText(fetched.fetched)} fetched (${bytesText(fetched.bytes)})`,
      `${countText(unchanged)} unchanged`,
      `${countText(withdrawn.length)} withdrawn`,
      `${countText(failed.length)} failed`,
    ].join(', ');
    const [example] = failed;
    if (example === undefined || this.#options.keepGoing) return [line, null];
    const all = fetched.fetched + unchanged + failed.length;
    throw new Error(
      `${countText(failed.length)} of ${countText(all)} files could not be fetched, such as ${example.path}: ${example.reason}; run it again, or take the files of the last time with --keep-going`,
    );
  }

  /**
   * Builds a dataset in the work folder, and takes over the results of an earlier one for unchanged grid squares.
   * Removes datasets of earlier runs but the newest.
   * @param newest folder of the newest dataset of the data folder
   */
  async #build(newest: string | null): Promise<StepResult<DatasetFolder>> {
    const { inputs, workers, asOf, fees = null, signKey = null, generatedAt, json } = this.#options;
    const out = join(this.#work, 'data');
    await mkdir(out, { recursive: true });
    // The newest comes first. A run that stopped between its build and the publication left it here; what it has
    // computed is taken over.
    const [unpublished, ...older] = (await listDatasets(out)).datasets;
    for (const { folder } of older) await rm(folder, { recursive: true });
    const base = unpublished?.folder ?? newest;
    const paths = await withInputs({}, inputs, json);
    if (paths.citygml.length === 0 && paths.offices.length === 0)
      throw new Error(`${inputs}: holds neither city models nor office lists`);
    const {
      dataset_id: id,
      dataset: folder,
      squares,
    } = await build({
      ...paths,
      readings: paths.readings ?? null,
      out,
      workers,
      asOf,
      fees,
      signKey,
      generatedAt,
      resume: true,
      base: paths.citygml.length > 0 ? base : null,
      keepGoing: false,
      listener: progressListener(json),
    });
    const counts =
      squares === null
        ? ''
        : `: ${countText(squares.computed)} grid squares computed, ${countText(squares.reused)} taken over`;
    // When the build was complete before this run, the manifest has an earlier time.
    const { generated_at } = await readManifest(folder);
    return [`dataset ${id}${counts}`, { id, folder, generatedAt: generated_at }];
  }

  /**
   * Refuses a dataset that an operator has withdrawn: publishing it again would undo the withdrawal.
   * @throws StepError then
   */
  async #checkNotWithdrawn(id: string): Promise<void> {
    const { data, store } = this.#options;
    const isInFolder = existsSync(join(data, id, WITHDRAWN_FILE));
    if (!isInFolder && (store === undefined || !(await isWithdrawn(store, id)))) return;
    const address = isInFolder ? data : store?.address;
    throw new StepError(
      'gate_refused',
      `dataset ${id} was withdrawn from ${address}; hidamari withdraw --undo brings it back`,
    );
  }

  /**
   * Compares the new dataset with the newest one of the data folder.
   * @returns a line for the report
   * @throws Error when they differ by more than the limits allow
   */
  async #compare(oldFolder: string | null, newFolder: string): Promise<StepResult> {
    if (oldFolder === null)
      return ['there is no dataset to compare it with: the first one, or the first of this schema version', null];
    const { failAbove, except } = this.#options;
    const counter = new ChangeCounter(except);
    const [before, after] = [await DatasetContents.open(oldFolder), await DatasetContents.open(newFolder)];
    try {
      // Only the counter is needed.
      for (const _ of changesBetween(before, after, counter));
    } finally {
      before.close();
      after.close();
    }
    const { buildings, facilities } = counter.summary;
    this.#report.summary = counter.summary;
    this.#report.exceeded = exceeded(counter, failAbove);
    const countsOf = ({ added, removed, changed }: typeof buildings | typeof facilities): string =>
      `${countText(added)} added, ${countText(removed)} removed, ${countText(changed)} changed`;
    const [excess, ...others] = this.#report.exceeded;
    if (excess === undefined) return [`buildings: ${countsOf(buildings)}; facilities: ${countsOf(facilities)}`, null];
    const more = others.length === 0 ? '' : `, and ${countText(others.length)} more`;
    throw new Error(
      `${excessText(excess)}${more}; it stays in ${newFolder}. If the change is right, repeat with --except or another --fail-above`,
    );
  }

  /**
   * Moves the new dataset into the data folder.
   * @param isNew false: the dataset is the newest one there already
   * @param before the newest dataset of the data folder
   * @returns a line for the report, and the folder of the dataset there
   * @throws StepError when servers would open another dataset
   */
  async #place(
    { id, folder, generatedAt }: DatasetFolder,
    isNew: boolean,
    before: DatasetFolder | null,
  ): Promise<StepResult<string>> {
    const { data } = this.#options;
    const { summary } = this.#report;
    // The counts of changes are written first: the page of changes shows them from the first answer on.
    if (isNew && before !== null && summary !== null)
      await writeNote(data, {
        old: { dataset_id: before.id, generated_at: before.generatedAt },
        new: { dataset_id: id, generated_at: generatedAt },
        summary,
      });
    const target = isNew ? await adoptDataset(data, folder, id) : join(data, id);
    // The other datasets in the work folder were refused, or belong to runs that did not end.
    await rm(join(this.#work, 'data'), { recursive: true, force: true });
    const newest = await newestOf(data);
    if (newest !== null && newest.id !== id)
      throw new StepError(
        'not_served',
        `${target}: is in place, but servers open ${newest.id}, whose date ${newest.generatedAt} is later; hidamari withdraw ${newest.id}`,
      );
    return [isNew ? target : `${target} is there already`, target];
  }

  /**
   * Makes the servers open the newest dataset, and waits until they serve it.
   * @throws StepError when a server does not serve it in time
   */
  async #tell(id: string): Promise<StepResult> {
    const { reload, server, wait } = this.#options;
    if (reload !== undefined) await runShell(reload, {});
    const deadline = performance.now() + wait * 1000;
    for (const admin of server) {
      for (;;) {
        // A server has several workers. During a change, they serve different datasets.
        // When a server does not answer, the error stands where its datasets would.
        const served = await datasetsServed(admin).catch((error: Error) => [error.message]);
        if (served.length > 0 && served.every((datasetId) => datasetId === id)) break;
        if (performance.now() > deadline)
          throw new StepError(
            'not_served',
            `${admin} does not serve ${id} after ${wait} s, but ${served.join(', ')}: see its log`,
          );
        await delay(POLL_MS);
      }
    }
    return [server.length === 0 ? `done: ${reload}` : `${server.join(', ')} serve it`, null];
  }

  /** Removes old datasets from the data folder and from the store. */
  async #prune(): Promise<StepResult> {
    const { data, store, keep } = this.#options;
    const { verdicts } = await pruneDatasets(data, { keep, dryRun: false });
    const stored = store === undefined ? [] : (await pruneStored(store, { keep, dryRun: false })).verdicts;
    const removed = [...verdicts, ...stored].filter(({ fate }) => fate === 'remove').length;
    return [`${countText(removed)} removed, ${countText(verdicts.length + stored.length - removed)} kept`, null];
  }
}

/** A line for the report, and the result that the next steps need. */
type StepResult<T = null> = [line: string, result: T];

/** A dataset and its folder. */
interface DatasetFolder {
  id: string;
  folder: string;
  /** RFC 3339. */
  generatedAt: string;
}

/** Interval of the requests to a server, milliseconds. */
const POLL_MS = 500;

/** The current time, RFC 3339, UTC. */
const now = (): string => new Date().toISOString();

/** The dataset that servers of a data folder open; null when it has none. */
async function newestOf(dataFolder: string): Promise<DatasetFolder | null> {
  const [newest] = existsSync(dataFolder) ? (await listDatasets(dataFolder)).datasets : [];
  if (newest === undefined) return null;
  const { folder, manifest } = newest;
  return { id: manifest.dataset_id, folder, generatedAt: manifest.generated_at };
}

/**
 * Compares all files of a dataset with its manifest and with each other.
 * @throws Error when there is a difference
 */
async function verify(folder: string): Promise<StepResult> {
  const { files, bytes, checked, differences } = await verifyDataset(folder);
  const [example] = differences;
  if (example !== undefined)
    throw new Error(`${folder}: ${example}; ${countText(differences.length)} differences in all`);
  const counts = Object.entries(checked).map(([name, count]) => `${countText(count)} ${name}`);
  return [[`${countText(files)} files, ${bytesText(bytes)}`, ...counts].join(', '), null];
}

/** The file descriptor. */
const STANDARD_ERROR = 2;

/**
 * Runs a command of the operator.
 * @throws Error when its exit code is not 0
 */
function runShell(command: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    // Standard output is only for the result of this program.
    const stdio = ['ignore' as const, STANDARD_ERROR, STANDARD_ERROR];
    const child = spawn(command, { shell: true, stdio, env: { ...process.env, ...env } });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command}: ended with ${signal ?? code}`));
    });
  });
}

/** How long a webhook may take, milliseconds. */
const WEBHOOK_MS = 10_000;

/**
 * Tells the operator of a failure by the command and by the webhook. When one of them fails, its error goes to standard
 * error.
 * @param path path of the report
 * @param report text of the report
 */
async function notifyOfFailure({ onFailure, webhook }: RefreshOptions, path: string, report: string): Promise<void> {
  if (onFailure !== undefined)
    await runShell(onFailure, { HIDAMARI_REPORT: path }).catch((error: Error) =>
      remark(`--on-failure: ${error.message}`),
    );
  if (webhook === null) return;
  try {
    const signal = AbortSignal.timeout(WEBHOOK_MS);
    const headers = { 'content-type': 'application/json' };
    const { ok, status } = await ask(webhook, { method: 'POST', headers, body: report, signal });
    if (!ok) remark(`HIDAMARI_WEBHOOK: it answers ${status}`);
  } catch (error) {
    remark(`HIDAMARI_WEBHOOK: ${reasonOf(error as Error)}`);
  }
}
