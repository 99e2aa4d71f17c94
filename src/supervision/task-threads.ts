import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type End, Supervisor } from './supervisor.ts';

/** What a thread says when it can take a task. */
export const READY = 'ready';

/** What a thread answers to a task. */
export type Answer<Result> = { result: Result } | { error: ThreadError };

/** An error as it travels from a thread. */
interface ThreadError {
  name: string;
  message: string;
  code?: string | undefined;
  stack?: string | undefined;
}

/** Tasks that wait. */
interface TaskQueue<Task> {
  /** Whether a task may be given to a thread now. */
  hasNext(): boolean;
  next(): Task | null;
}

interface ThreadOptions extends WorkerOptions {
  threads: number;
  startMs: number;
  notStarted: string;
}

/** Threads that do one task at a time each. A thread is started when there is work for it. */
export abstract class TaskThreads<Task, ThreadAnswer extends Answer<unknown>> extends Supervisor<Worker> {
  /** The task of each thread that is ready; null: it is idle. The oldest is taken first. */
  protected readonly tasks = new Map<Worker, Task | null>();
  readonly #script: URL;
  readonly #options: ThreadOptions;
  readonly #queue: TaskQueue<Task>;

  /** @param script says `READY` to `parentPort`, then answers each task that it receives there with one `ThreadAnswer`. */
  constructor(script: URL, queue: TaskQueue<Task>, options: ThreadOptions) {
    super(options.startMs, options.notStarted);
    this.#script = script;
    this.#queue = queue;
    this.#options = options;
  }

  protected abstract messageOf(task: Task, thread: Worker): unknown;
  protected abstract answered(task: Task, answer: ThreadAnswer, thread: Worker): void;
  /** @param task what it was at */
  protected abstract threadEnded(thread: Worker, task: Task | null, end: End): void;

  protected fork(): Worker {
    const thread = new Worker(this.#script, this.#options);
    return thread.on('message', (message: typeof READY | ThreadAnswer) => {
      if (message === READY) {
        this.said(thread, 'ready');
        this.tasks.set(thread, null);
        this.dispatch();
      }
      // Under `node --watch` threads also report the files that they load.
      else if ('result' in message || 'error' in message) this.#answered(thread, message);
    });
  }

  protected kill(thread: Worker): void {
    void thread.terminate();
  }

  /** Gives idle threads what is next, and starts one where none is idle and there may be more. */
  protected dispatch(): void {
    for (const [thread, task] of this.tasks) {
      const next = task === null ? this.#queue.next() : null;
      if (next !== null) this.give(next, thread);
    }
    if (this.#queue.hasNext() && this.workers.length < this.#options.threads) this.startWorker();
  }

  /** Gives a task to an idle thread. */
  protected give(task: Task, thread: Worker): void {
    this.tasks.set(thread, task);
    thread.postMessage(this.messageOf(task, thread));
  }

  #answered(thread: Worker, answer: ThreadAnswer): void {
    const task = this.tasks.get(thread) ?? null;
    this.tasks.set(thread, null);
    if (task !== null) this.answered(task, answer, thread);
    this.dispatch();
  }

  protected ended(thread: Worker, end: End): void {
    const task = this.tasks.get(thread) ?? null;
    this.tasks.delete(thread);
    this.threadEnded(thread, task, end);
    this.dispatch();
  }
}
