import { closeSync, openSync, statSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * A lock that the operating system releases when its process ends, however it ends: the exclusive transaction of SQLite on
 * an empty file, which is a `fcntl` lock under Linux and macOS. Its file may stay; it holds nothing, and what stands in it by
 * mistake is cleared. Between machines it holds where the file system passes such locks on (NFS 4, SMB).
 */
export class FileLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * The lock, or null while it is held.
   * @param patienceMs how long to stand still: of two that try at the same instant each is in the other's way for a moment.
   * @throws Error of the system or of SQLite when the file cannot be made or locked.
   */
  static take(path: string, patienceMs = 50): FileLock | null {
    // With its journal in memory it needs no room on the disk, and leaves no second file.
    return FileLock.#locked(path, patienceMs, 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  }

  static #locked(path: string, patienceMs: number, statement: string): FileLock | null {
    // The file may be exchanged for another between opening and locking: the lock counts if it is still the one at the path.
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
        if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
        if (inodeOf(path) === before) throw error;
      }
    }
  }

  /**
   * A shared lock: others may have one at the same time, as long as none holds the lock alone; null while one has
   * it so. Throws as `take`.
   */
  static share(path: string, patienceMs = 50): FileLock | null {
    return FileLock.#locked(path, patienceMs, 'BEGIN; SELECT count(*) FROM sqlite_master');
  }

  /** Releases it. The file may be removed before. */
  release(): void {
    this.#database.close();
  }
}

const SQLITE_BUSY = 5;

/**
 * Makes the file, and empties it: what is no empty database cannot be locked. A file that is right is not opened, because
 * closing it would take the lock from this process.
 */
function prepare(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) closeSync(openSync(path, 'a', 0o600));
  else if (found.size > 0) truncateSync(path);
}

function inodeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
