import { hash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Manifest, sealedText } from '../../src/snapshot/manifest.ts';
import { filesHeld, LiveMemory, type Memory, memory, openFiles } from './process-figures.ts';
import { type RunningServer, startServer } from './server.ts';

interface SoakPlan {
  /** Folders of complete datasets, served in turn. Each turn is a copy with its own ID. */
  datasets: readonly string[];
  /** An empty folder to serve from. */
  folder: string;
  /** Time between two changes of the dataset. */
  swaps: number;
  /** Least time that each is served. */
  secondsPerSwap: number;
  /** Number of simultaneous requests. */
  clients: number;
  /** Called after each swap. */
  listener?: (sample: SoakSample) => void;
}

export interface SoakSample extends Memory {
  /** Time since the start. */
  seconds: number;
  requests: number;
  openFiles: number;
  /** Heap and buffers in use after a collection, MB. */
  liveMb: number;
}

interface SoakReport {
  requests: number;
  /** By status. */
  statuses: Record<string, number>;
  /** The first hundred problems. */
  failures: string[];
  samples: SoakSample[];
  /** Milliseconds, ascending. */
  times: number[];
  /** Number of datasets with open files at the end: must be one, the newest. */
  held: string[];
  /** Exit code of the server after SIGTERM. */
  exitCode: number | null;
  /** Number of requests in progress at SIGTERM, and number of those that were answered completely. */
  drained: { inFlight: number; answered: number };
}

/** Number of older datasets that stay in the folder, for downloads that began before a swap. */
const KEPT = 2;
/** Time in which the server also answers connections that were being opened at SIGTERM. */
const DRAINING = ['--shutdown-delay', '1'];
/** On a busy machine a computed answer may take longer than the default limit. The swap is not the cause. */
const PATIENT = ['--compute-timeout', '25'];
/** Least number of answers from each dataset before the next one comes. */
const ANSWERS_PER_SWAP = 100;

/** Serves under mixed load while datasets change, then stops the server with requests in progress. */
export async function soak(plan: SoakPlan): Promise<SoakReport> {
  const rotation = new Rotation(plan);
  rotation.next();
  const live = new LiveMemory(join(plan.folder, '.live-memory'));
  const server = await startServer(
    [
      '--data',
      plan.folder,
      '--rate-limit',
      'off',
      '--page-limit',
      'off',
      '--log-level',
      'warn',
      ...DRAINING,
      ...PATIENT,
    ],
    {
      args: live.args,
      env: { ...live.env, HIDAMARI_BULK_KEY: 'the key of the soak test' },
    },
  );
  const load = new Load(server);
  const samples: SoakSample[] = [];
  const begin = performance.now();
  try {
    const clients = Array.from({ length: plan.clients }, (_, i) => load.run(i));
    for (let swap = 0; swap < plan.swaps; swap++) {
      const seconds = plan.secondsPerSwap * (swap + 1);
      const enough = load.requests + ANSWERS_PER_SWAP;
      while (performance.now() - begin < seconds * 1000 || load.requests < enough) await delay(20);
      const id = rotation.next();
      server.child.kill('SIGHUP');
      while (load.newest !== id) await delay(5);
      rotation.forget();
      const sample = {
        seconds: (performance.now() - begin) / 1000,
        requests: load.requests,
        openFiles: openFiles(server.pid),
        liveMb: await live.of(server.child),
        ...memory(server.pid),
      };
      samples.push(sample);
      plan.listener?.(sample);
    }
    load.stop();
    await Promise.all(clients);
    const held = [...new Set(filesHeld(server.pid, '.store').map(dirname))];
    let exit: Promise<number | null> = Promise.resolve(null);
    const drained = await load.drain(() => (exit = server.stop()));
    const exitCode = await exit;
    if (server.log() !== '') load.failures.push(`the log says: ${server.log().slice(0, 500)}`);
    const { requests, statuses, failures, times } = load;
    return { requests, statuses, failures, samples, times: times.sort((a, b) => a - b), held, exitCode, drained };
  } finally {
    load.stop();
    server.child.kill('SIGKILL');
  }
}

/** Puts one dataset after the other into the folder, each newer than the one before. */
class Rotation {
  readonly #plan: SoakPlan;
  readonly #present: string[] = [];
  #turn = 0;

  constructor(plan: SoakPlan) {
    this.#plan = plan;
  }

  /** Moves the next complete dataset into place, as a build does. Returns its ID. */
  next(): string {
    const { datasets, folder } = this.#plan;
    const source = datasets[this.#turn % datasets.length];
    const id = hash('sha256', `${this.#turn}`).slice(0, 16);
    const [draft, place] = [join(folder, `.${id}`), join(folder, id)];
    cpSync(source, draft, { recursive: true });
    const path = join(draft, 'manifest.json');
    const { seal: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Manifest & { seal: unknown };
    manifest.dataset_id = id;
    manifest.generated_at = new Date(Date.UTC(2026, 0, 1) + this.#turn * 1000).toISOString().replace('.000', '');
    writeFileSync(path, sealedText(manifest, null));
    cpSync(draft, place, { recursive: true });
    rmSync(draft, { recursive: true });
    this.#present.push(id);
    this.#turn++;
    return id;
  }

  /** Deletes datasets that can have no running downloads. */
  forget(): void {
    while (this.#present.length > KEPT + 1) {
      rmSync(join(this.#plan.folder, this.#present.shift()!), { recursive: true });
    }
  }
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Requests every operation in turn, in every coding, with and without the ETag of the last answer; and records the
 * results.
 */
class Load {
  requests = 0;
  readonly statuses: Record<string, number> = {};
  readonly failures: string[] = [];
  readonly times: number[] = [];
  /** ID of the dataset of the last answer. */
  newest = '';
  readonly #server: RunningServer;
  readonly #agent = new Agent({ keepAlive: true });
  /** The bytes of each ETag when first seen. The same ETag must never have other bytes. */
  readonly #bodies = new Map<string, string>();
  #isRunning = true;

  constructor(server: RunningServer) {
    this.#server = server;
  }

  stop(): void {
    this.#isRunning = false;
    this.#agent.destroy();
  }

  /** Sends requests until `stop`. */
  async run(offset: number): Promise<void> {
    const { targets } = this.#server;
    const codings = ['identity', 'gzip', 'br'];
    for (let i = offset; this.#isRunning; i++) {
      const target = targets[i % targets.length];
      try {
        if (target.includes('/bulk/')) await this.#download(target);
        else await this.#read(target, codings[Math.floor(i / targets.length) % codings.length]);
      } catch (error) {
        if (this.#isRunning) this.#fail(`${target}: ${(error as Error).message}`);
      }
    }
  }

  async #read(target: string, coding: string): Promise<void> {
    const { status, headers, body } = await this.#ask(target, { 'accept-encoding': coding }, 200);
    // Answers that must not be cached have no ETag.
    if (status !== 200 || headers['cache-control']?.includes('no-store')) return;
    const tag = `${target} ${headers.etag}`;
    const digest = hash('sha256', body);
    if ((this.#bodies.get(tag) ?? digest) !== digest) this.#fail(`${tag} stands for two bodies`);
    if (this.#bodies.size < 100_000) this.#bodies.set(tag, digest);
    if (coding === 'identity' && target.startsWith('/api/')) this.#see(body);
    // After a swap the ETag is another one, and the answer is complete.
    const again = { 'accept-encoding': coding, 'if-none-match': headers.etag! };
    const second = await this.#ask(target, again, 304, 200);
    if (second.status === 200 && second.headers.etag === headers.etag) this.#fail(`${tag} did not match itself`);
  }

  async #download(target: string): Promise<void> {
    const { status, body } = await this.#ask(target, {}, 200);
    if (status !== 200) return;
    const { data } = JSON.parse(body.toString()) as { data: { url: string; bytes: number; sha256: string } };
    const at = data.url.slice(this.#server.url.length);
    const file = await this.#ask(at, {}, 200);
    if (hash('sha256', file.body) !== data.sha256) this.#fail(`${at} is not what its sha256 says`);
    const part = await this.#ask(at, { range: 'bytes=4-7' }, 206);
    if (!part.body.equals(file.body.subarray(4, 8))) this.#fail(`${at} gives another range`);
  }

  #see(body: Buffer): void {
    this.newest = (JSON.parse(body.toString()) as { meta: { dataset_id: string } }).meta.dataset_id;
  }

  async #ask(target: string, headers: Record<string, string>, ...expected: number[]): Promise<Answer> {
    const begin = performance.now();
    const answer = await this.#get(target, headers);
    this.times.push(performance.now() - begin);
    this.requests++;
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    if (!expected.includes(answer.status))
      this.#fail(`${target}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    return answer;
  }

  #get(target: string, headers: Record<string, string>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = get(this.#server.url + target, { agent: this.#agent, headers }, async (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
        );
      });
      request.setTimeout(30_000, () => request.destroy(new Error('no answer in 30 s')));
      request.on('error', reject);
    });
  }

  /** Requests every operation at once, each on its own connection, and stops the server before the answers. */
  async drain(end: () => void): Promise<{ inFlight: number; answered: number }> {
    const { url, targets } = this.#server;
    const asked = targets.filter((target) => !target.includes('/bulk/'));
    const answers = asked.map(
      (target) =>
        new Promise<boolean>((resolve) => {
          const request = get(url + target, { agent: false }, (response) => {
            response.resume();
            response.on('end', () => resolve(response.statusCode === 200 && response.complete));
            response.on('error', () => resolve(false));
          });
          request.on('error', () => resolve(false));
          request.on('socket', (socket) => socket.on('connect', connected));
        }),
    );
    let waiting = asked.length;
    const { promise, resolve } = Promise.withResolvers<void>();
    function connected(): void {
      if (--waiting === 0) resolve();
    }
    await promise;
    end();
    const answered = (await Promise.all(answers)).filter((whole) => whole).length;
    return { inFlight: asked.length, answered };
  }

  #fail(line: string): void {
    if (this.failures.length < 100) this.failures.push(line);
  }
}

/** The dataset that a data folder holds. */
export function onlyDataset(dataFolder: string): string {
  const [name] = readdirSync(dataFolder).filter((entry) => !entry.startsWith('.'));
  if (name === undefined) throw new Error(`${dataFolder}: holds no dataset`);
  return name === 'manifest.json' ? dataFolder : join(dataFolder, name);
}
