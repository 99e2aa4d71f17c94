import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './free-port.ts';

/** `skip` option for node:test: false when redis-server is installed, otherwise how to install it. */
export const skipWithoutRedis: false | string = spawnSync('redis-server', ['--version']).error
  ? 'redis-server is not installed (on Debian: apt-get install redis-server)'
  : false;

/** A real Redis on its own port, without a disk unless it gets a folder. It ends with the test. */
export class RedisServer {
  readonly port: number;
  readonly #folder: string | null;
  #child: ChildProcess | null = null;

  private constructor(port: number, folder: string | null) {
    this.port = port;
    this.#folder = folder;
  }

  static async start(
    test: { after(fn: () => Promise<void>): unknown },
    { port, folder = null }: { port?: number; folder?: string | null } = {},
  ): Promise<RedisServer> {
    const server = new RedisServer(port ?? (await freePort()), folder);
    test.after(() => server.kill());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it, also again, and waits until it accepts connections. */
  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', ''];
    if (this.#folder === null) options.push('--appendonly', 'no');
    else options.push('--dir', this.#folder, '--appendonly', 'yes');
    const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    for await (const text of child.stdout!) if (String(text).includes('Ready to accept connections')) break;
    if (child.exitCode !== null) throw new Error(`redis-server has ended with ${child.exitCode}`);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** From now on it accepts connections but does not answer. */
  pause(): void {
    this.#child!.kill('SIGSTOP');
  }

  resume(): void {
    this.#child!.kill('SIGCONT');
  }
}
