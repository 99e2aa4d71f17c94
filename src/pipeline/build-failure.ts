import { statfsSync } from 'node:fs';

/** A build that failed because of its surroundings rather than its input. */
export class BuildError extends Error {
  override name = 'BuildError';
}

/** A disk with less room than this is full, bytes. */
const LEAST_FREE = 64 * 1024;

/**
 * The error to show for what broke a build off: the system's own words for a full disk and the like say neither what
 * to do nor that nothing was published. Any other error stays as it is.
 */
export function buildFailure(error: unknown, dataFolder: string): unknown {
  if (error instanceof BuildError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const again = 'nothing was published, and --resume goes on from here';
  if (code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device/.test(message) || isFull(dataFolder)) {
    const cause = { cause: error };
    return new BuildError(`${dataFolder}: no space left on the disk: make room and build again; ${again}`, cause);
  }
  if (code === 'EROFS' || code === 'EACCES') {
    return new BuildError(`${dataFolder}: cannot be written: ${message}`, { cause: error });
  }
  if (code === 'EMFILE') {
    return new BuildError(`too many open files: raise the limit (ulimit -n); ${again}`, { cause: error });
  }
  return error;
}

/** DuckDB says "input/output error" and the like when the disk is full: ask the disk itself. */
function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < LEAST_FREE;
  } catch {
    return false;
  }
}
