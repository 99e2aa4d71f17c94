/** What went wrong with one address, in one line for a person. */
export class FetchError extends Error {
  override name = 'FetchError';
}

/** The disk of the inputs folder is full: nothing more can be fetched. */
export class DiskFullError extends FetchError {
  override name = 'DiskFullError';
}

/** The publisher's file changed while it was read in parts. */
export class ChangedError extends FetchError {
  override name = 'ChangedError';
}

/** Whether an error of the file system says that the disk, or what one may use of it, is full. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
