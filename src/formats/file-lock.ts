import { closeSync, openSync, statSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * A lock that the operating system releases when its process ends, in whatever way. It is an exclusive transaction of
 * SQLite on an empty file, which is a `fcntl` lock on Linux and macOS. The file may stay; it holds nothing, and foreign
 * content is cleared. The lock works between machines when the file system supports such locks (NFS 4, SMB).
 */
export class FileLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Takes the lock; null while another holder has it.
   * @param patienceMs how long to wait. Two processes that try at the same instant block each other for a moment.
   * @throws Error of the system or of SQLite when the file cannot be made or locked
   */
  static take(path: string, patienceMs = 50): FileLock | null {
    // A journal in memory needs no disk space and leaves no second file.
    return FileLock.#locked(path, patienceMs, 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  }

  /** Opens the file and locks it by a statement; null while another holder has the lock. */
  static #locked(path: string, patienceMs: number, statement: string): FileLock | null {
    // Another process may replace the file between opening and locking. A lock or an error counts only if the same file
    // is still at the path; otherwise the new file is tried.
    for (;;) {
      prepare(path);
      const before = inodeOf(path);
      const database = new DatabaseSync(path, { timeout: patienceMs });
      try {
        database.exec(statement);
        if (before !== null && inodeOf(path) === before) return new FileLock(database);
        database.close();
      } catch (error) {
        database.close();
        // Another holder has it, of this file or of the one that replaced it.
        if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
        if (inodeOf(path) === before) throw error;
      }
    }
  }

  /**
   * Takes a shared lock; several holders may have one at the same time. Null while a holder has the exclusive lock.
   * @throws Error of the system or of SQLite when the file cannot be made or locked
   */
  static share(path: string): FileLock | null {
    return FileLock.#locked(path, SHARE_PATIENCE_MS, 'BEGIN; SELECT count(*) FROM sqlite_master');
  }

  /** Releases the lock. The file may already have been removed. */
  release(): void {
    this.#database.close();
  }
}

/** Error code of SQLite: another holder has the lock. */
const SQLITE_BUSY = 5;
/** How long a holder of the exclusive lock is waited for. */
const SHARE_PATIENCE_MS = 50;

/**
 * Makes the file when it is missing, and empties it when it has content, because SQLite cannot lock other content. Does
 * not open an empty file: closing it would release a lock that this process has.
 */
function prepare(path: string): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) closeSync(openSync(path, 'a', 0o600));
  else if (status.size > 0) truncateSync(path);
}

/** The number of the file at a path; null when there is none. */
function inodeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
