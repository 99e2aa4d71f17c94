import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type End, Supervisor } from './supervisor.ts';

/** A thread sends this when it can take a task. */
export const READY = 'ready';

/** The answer of a thread to a task. */
export type Answer<Result> = { result: Result } | { error: ThreadError };

/** An error, as a thread sends it. */
interface ThreadError {
  name: string;
  message: string;
  code?: string | undefined;
  stack?: string | undefined;
}

/** Tasks that wait for a thread. */
interface TaskQueue<Task> {
  /** True when a task can be given to a thread now. */
  hasNext(): boolean;
  /** Takes a task; null when none can be given to a thread now. */
  next(): Task | null;
}

/** Options of the threads, and those of their supervisor. */
interface ThreadOptions extends WorkerOptions {
  /** Limit of the threads that run. */
  threads: number;
  startMs: number;
  notStarted: string;
}

/** Threads that do one task at a time each. A thread starts when there is work for it. */
export abstract class TaskThreads<Task, ThreadAnswer extends Answer<unknown>> extends Supervisor<Worker> {
  /** The task of each ready thread, the oldest thread first; null: the thread is idle. */
  protected readonly tasks = new Map<Worker, Task | null>();
  readonly #script: URL;
  readonly #options: ThreadOptions;
  readonly #queue: TaskQueue<Task>;

  /** @param script sends `READY` to `parentPort`, then answers each task with one `ThreadAnswer` */
  constructor(script: URL, queue: TaskQueue<Task>, options: ThreadOptions) {
    super(options.startMs, options.notStarted);
    this.#script = script;
    this.#queue = queue;
    this.#options = options;
  }

  /** What is sent to a thread for a task. */
  protected abstract messageOf(task: Task, thread: Worker): unknown;
  /** Called with the answer of a thread. */
  protected abstract answered(task: Task, answer: ThreadAnswer, thread: Worker): void;
  /**
   * Called once for each thread that has ended.
   * @param task the task that the thread was doing; null: none
   */
  protected abstract threadEnded(thread: Worker, task: Task | null, end: End): void;

  /** Starts a thread. Its first message says that it is ready; the others are answers. */
  protected fork(): Worker {
    const thread = new Worker(this.#script, this.#options);
    return thread.on('message', (message: typeof READY | ThreadAnswer) => {
      if (message === READY) {
        this.reported(thread, 'ready');
        // A thread that is being killed does not become ready.
        if (!this.isReady(thread)) return;
        this.tasks.set(thread, null);
        this.dispatch();
      }
      // Under `node --watch`, threads also send the names of the files that they load.
      else if ('result' in message || 'error' in message) this.#finish(thread, message);
    });
  }

  protected kill(thread: Worker): void {
    void thread.terminate();
  }

  /** Gives tasks to idle threads, and starts another thread when tasks are left. */
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

  /** Marks a thread as idle after its answer, and gives it the next task. */
  #finish(thread: Worker, answer: ThreadAnswer): void {
    const task = this.tasks.get(thread) ?? null;
    this.tasks.set(thread, null);
    if (task !== null) this.answered(task, answer, thread);
    this.dispatch();
  }

  /** Forgets a thread that has ended, tells the subclass its task, and gives the next tasks to others. */
  protected ended(thread: Worker, end: End): void {
    const task = this.tasks.get(thread) ?? null;
    this.tasks.delete(thread);
    this.threadEnded(thread, task, end);
    this.dispatch();
  }
}
