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
import { pruneStored, sendDataset } from '../store/dataset-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { progressListener } from './build-progress.ts';
import { OVER_LIMIT } from './diff.ts';
import { fetchProgress, INCOMPLETE } from './fetch.ts';
import { type InputPaths, withInputs } from './inputs-folder.ts';
import { bytesText, countText, remark } from './output.ts';
import { pruneDatasets } from './prune.ts';
import { datasetsServed } from './status.ts';

/** Options of a refresh. */
export interface RefreshOptions {
  /** The data folder of the server. */
  data: string;
  inputs: string;
  /** The files to fetch; null: the inputs folder is used without change. */
  fetch: FetchOptions | null;
  /** Build although some files could not be fetched. */
  keepGoing: boolean;
  workers: number;
  /** Of the build, RFC 3339. */
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
  /** Shell command that has the server open the newest dataset. */
  reload?: string;
  /** Admin ports that are waited for, as URLs, and how long, seconds. */
  server: string[];
  wait: number;
  /** How many whole datasets stay. */
  keep: number;
  dryRun: boolean;
  /** Notifications of a failure: a shell command, a URL. */
  onFailure?: string;
  webhook: string | null;
  /** File that gets the report, too. */
  report?: string;
  json: boolean;
}

/** In the data folder: what is fetched and built before it is checked. No server opens what begins with a dot. */
export const WORK = '.refresh';

/** What came of a refresh, and its exit code. */
const OUTCOMES = {
  /** The servers that were waited for serve the new dataset. */
  served: 0,
  /** It is in the data folder; no server was waited for. */
  placed: 0,
  /** The newest dataset is of the same inputs. */
  unchanged: 0,
  dry_run: 0,
  failed: 1,
  gate_refused: OVER_LIMIT,
  fetch_failed: INCOMPLETE,
  build_failed: 6,
  verify_failed: 7,
  /** It is in the data folder, but a server does not serve it. */
  not_served: 8,
} as const;
type Outcome = keyof typeof OUTCOMES;

type StepName = 'fetch' | 'build' | 'verify' | 'compare' | 'place' | 'publish' | 'tell' | 'prune';

/** The report of a refresh, also in `.refresh/report.json`. */
export interface RefreshReport {
  outcome: Outcome;
  exit_code: number;
  /** One line; null where nothing failed. */
  problem: string | null;
  started_at: string;
  ended_at: string;
  dataset_id: string | null;
  /** The previously newest dataset; null when there was none. */
  previous_dataset_id: string | null;
  steps: { step: StepName; seconds: number; says: string }[];
  fetched: Fetched | null;
  /** Counts of the changes; null without a previous dataset. */
  summary: ChangeSummary | null;
  /** Limits that are exceeded. */
  exceeded: Excess[];
}

/** A step that failed, and what that makes of the refresh. */
class StepError extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** Does all steps; what fails is in the report. @throws Error when the data folder cannot be used, or another refresh is at work in it */
export async function refreshDataset(options: RefreshOptions): Promise<RefreshReport> {
  const work = join(options.data, WORK);
  await makeFolder(work);
  const lock = FileLock.take(join(work, 'lock'));
  if (lock === null) throw new Error(`${work}: another refresh runs in this data folder`);
  try {
    const report = await new Refresh(options, work).run();
    const text = `${JSON.stringify(report, null, 2)}\n`;
    const path = join(work, 'report.json');
    // A report that cannot be written changes nothing of what was done: the operator still hears of a failure.
    for (const place of [path, ...(options.report === undefined ? [] : [options.report])])
      await writeWhole(place, text).catch((error: Error) => remark(`${place}: cannot be written: ${error.message}`));
    if (report.exit_code !== 0) await tellOfFailure(options, path, text);
    return report;
  } finally {
    lock.release();
  }
}

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

  constructor(options: RefreshOptions, work: string) {
    this.#options = options;
    this.#work = work;
  }

  async run(): Promise<RefreshReport> {
    const report = this.#report;
    try {
      report.outcome = await this.#steps();
    } catch (error) {
      report.outcome = error instanceof StepError ? error.outcome : 'failed';
      report.problem = (error as Error).message;
    }
    return { ...report, exit_code: OUTCOMES[report.outcome], ended_at: now() };
  }

  async #steps(): Promise<Outcome> {
    const { data, fetch, dryRun, store, reload, server } = this.#options;
    const report = this.#report;
    const before = await newestOf(data);
    report.previous_dataset_id = before?.id ?? null;
    if (fetch !== null) await this.#step('fetch', 'fetch_failed', () => this.#fetch(fetch));
    const built = await this.#step('build', 'build_failed', () => this.#build(before?.folder ?? null));
    report.dataset_id = built.id;
    // An older dataset of the same inputs, from before a change that a publisher took back, is replaced.
    const isNew = before?.id !== built.id;
    if (existsSync(join(data, built.id, WITHDRAWN_FILE)))
      throw new StepError('gate_refused', `dataset ${built.id} was withdrawn; hidamari withdraw --undo brings it back`);
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

  /** Does one step. The step returns its text for the report, and a result. */
  async #step<T>(step: StepName, failure: Outcome, does: () => Promise<[says: string, result: T]>): Promise<T> {
    const start = performance.now();
    const end = (says: string): void => {
      this.#report.steps.push({ step, seconds: Math.round((performance.now() - start) / 10) / 100, says });
    };
    try {
      const [says, result] = await does();
      end(says);
      return result;
    } catch (error) {
      end('failed');
      throw error instanceof StepError ? error : new StepError(failure, `${step}: ${(error as Error).message}`);
    }
  }

  async #fetch(options: NonNullable<RefreshOptions['fetch']>): Promise<[string, null]> {
    const fetched = await fetchInputs(options, fetchProgress(this.#options.json));
    this.#report.fetched = fetched;
    const { failed, unchanged, withdrawn } = fetched;
    const says = [
      `${countText(fetched.fetched)} fetched (${bytesText(fetched.bytes)})`,
      `${countText(unchanged)} unchanged`,
      `${countText(withdrawn.length)} withdrawn`,
      `${countText(failed.length)} failed`,
    ].join(', ');
    const [first] = failed;
    if (first === undefined || this.#options.keepGoing) return [says, null];
    const all = fetched.fetched + unchanged + failed.length;
    throw new Error(
      `${countText(failed.length)} of ${countText(all)} files could not be fetched, such as ${first.path}: ${first.reason}; run it again, or take the files of the last time with --keep-going`,
    );
  }

  /** Builds beside the served folder, on what was computed before. */
  async #build(served: string | null): Promise<[string, Built]> {
    const { inputs, workers, asOf, fees = null, signKey = null, generatedAt, json } = this.#options;
    const out = join(this.#work, 'data');
    await mkdir(out, { recursive: true });
    // A run that was broken off after its build has left the newest base.
    const [left, ...older] = (await listDatasets(out)).manifests;
    for (const { folder } of older) await rm(folder, { recursive: true });
    const base = left?.folder ?? served;
    const nothing: InputPaths = {
      citygml: [],
      towns: [],
      addresses: [],
      normals: [],
      landmarks: [],
      terrain: [],
      offices: [],
      details: [],
      registers: [],
      filings: [],
      hazards: [],
    };
    const paths = await withInputs(nothing, inputs, json);
    if (paths.citygml.length === 0 && paths.offices.length === 0)
      throw new Error(`${inputs}: holds neither city models nor office lists`);
    const outcome = await build({
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
    const squares = outcome.squares;
    const says =
      squares === null
        ? `dataset ${outcome.dataset_id}`
        : `dataset ${outcome.dataset_id}: ${countText(squares.computed)} grid squares computed, ${countText(squares.reused)} taken over`;
    // A build that was there already has its own time.
    const { generated_at } = await readManifest(outcome.dataset);
    return [says, { id: outcome.dataset_id, folder: outcome.dataset, generatedAt: generated_at }];
  }

  /** Holds a dataset back that differs by more than the limits allow. */
  async #compare(old: string | null, now: string): Promise<[string, null]> {
    if (old === null)
      return ['there is no dataset to compare it with: the first one, or the first of this schema version', null];
    const { failAbove, except } = this.#options;
    const counter = new ChangeCounter(except);
    const [a, b] = [await DatasetContents.open(old), await DatasetContents.open(now)];
    try {
      for (const _ of changesBetween(a, b, counter));
    } finally {
      a.close();
      b.close();
    }
    const { buildings, facilities } = counter.summary;
    this.#report.summary = counter.summary;
    this.#report.exceeded = exceeded(counter, failAbove);
    const countsOf = ({ added, removed, changed }: typeof buildings | typeof facilities): string =>
      `${countText(added)} added, ${countText(removed)} removed, ${countText(changed)} changed`;
    const [first, ...more] = this.#report.exceeded;
    if (first === undefined) return [`buildings: ${countsOf(buildings)}; facilities: ${countsOf(facilities)}`, null];
    const others = more.length === 0 ? '' : `, and ${countText(more.length)} more`;
    throw new Error(
      `${excessText(first)}${others}; it stays in ${now}. If the change is right, repeat with --except or another --fail-above`,
    );
  }

  async #place({ id, folder, generatedAt }: Built, isNew: boolean, before: Built | null): Promise<[string, string]> {
    const { data } = this.#options;
    const { summary } = this.#report;
    // The page of changes has it when the first server opens the dataset.
    if (isNew && before !== null && summary !== null)
      await writeNote(data, {
        old: { dataset_id: before.id, generated_at: before.generatedAt },
        new: { dataset_id: id, generated_at: generatedAt },
        summary,
      });
    const placed = isNew ? await adoptDataset(data, folder, id) : join(data, id);
    // Other datasets there were refused, or are of runs that were broken off.
    await rm(join(this.#work, 'data'), { recursive: true, force: true });
    const newest = await newestOf(data);
    if (newest !== null && newest.id !== id)
      throw new StepError(
        'not_served',
        `${placed}: is in place, but servers open ${newest.id}, whose date ${newest.generatedAt} is later; hidamari withdraw ${newest.id}`,
      );
    return [isNew ? placed : `${placed} is there already`, placed];
  }

  /** Lets the servers open the newest dataset, and waits until they serve it. */
  async #tell(id: string): Promise<[string, null]> {
    const { reload, server, wait } = this.#options;
    if (reload !== undefined) await shell(reload, {});
    const until = performance.now() + wait * 1000;
    for (const admin of server) {
      for (;;) {
        const serves = await datasetsServed(admin).catch((error: Error) => [error.message]);
        if (serves.length > 0 && serves.every((one) => one === id)) break;
        if (performance.now() > until)
          throw new StepError(
            'not_served',
            `${admin} does not serve ${id} after ${wait} s, but ${serves.join(', ')}: see its log`,
          );
        await delay(POLL_MS);
      }
    }
    return [server.length === 0 ? `done: ${reload}` : `${server.join(', ')} serve it`, null];
  }

  async #prune(): Promise<[string, null]> {
    const { data, store, keep } = this.#options;
    const { verdicts } = await pruneDatasets(data, keep, false);
    const stored = store === undefined ? [] : (await pruneStored(store, keep, false)).verdicts;
    const removed = [...verdicts, ...stored].filter(({ fate }) => fate === 'remove').length;
    return [`${countText(removed)} removed, ${countText(verdicts.length + stored.length - removed)} kept`, null];
  }
}

/** A dataset that is not yet in place. */
interface Built {
  id: string;
  folder: string;
  /** RFC 3339. */
  generatedAt: string;
}

/** Interval of the requests to a server, milliseconds. */
const POLL_MS = 500;

const now = (): string => new Date().toISOString();

async function newestOf(dataFolder: string): Promise<Built | null> {
  const [newest] = existsSync(dataFolder) ? (await listDatasets(dataFolder)).manifests : [];
  if (newest === undefined) return null;
  const { folder, manifest } = newest;
  return { id: manifest.dataset_id, folder, generatedAt: manifest.generated_at };
}

async function verify(folder: string): Promise<[string, null]> {
  const { files, bytes, checked, differences } = await verifyDataset(folder);
  const [first] = differences;
  if (first !== undefined) throw new Error(`${folder}: ${first}; ${countText(differences.length)} differences in all`);
  const inside = Object.entries(checked).map(([name, count]) => `${countText(count)} ${name}`);
  return [[`${countText(files)} files, ${bytesText(bytes)}`, ...inside].join(', '), null];
}

/** Runs a command of the operator. @throws Error when it does not end with 0 */
function shell(command: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    // The output of the command is not a result of this program.
    const child = spawn(command, { shell: true, stdio: ['ignore', 2, 2], env: { ...process.env, ...env } });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command}: ended with ${signal ?? code}`));
    });
  });
}

/** How long a webhook may take, milliseconds. */
const WEBHOOK_MS = 10_000;

/** Reports a failure to the operator. If that fails too, standard error has the reason. */
async function tellOfFailure({ onFailure, webhook }: RefreshOptions, path: string, report: string): Promise<void> {
  if (onFailure !== undefined)
    await shell(onFailure, { HIDAMARI_REPORT: path }).catch((error: Error) => remark(`--on-failure: ${error.message}`));
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
