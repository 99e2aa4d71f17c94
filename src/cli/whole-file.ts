import { rename, rm, stat } from 'node:fs/promises';

/**
 * Writes a file under another name and gives it its own when it is whole; what is no file (a device, a pipe) is written as
 * it is.
 * @throws Error naming the file when it cannot be written
 */
export async function wholeFile<T>(path: string, write: (part: string) => Promise<T>): Promise<T> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new Error(`${path}: is a folder: expected the name of a file to write`);
  const isPlain = found === null || found.isFile();
  const part = isPlain ? `${path}.part` : path;
  try {
    const written = await write(part);
    if (isPlain) await rename(part, path);
    return written;
  } catch (error) {
    if (isPlain) await rm(part, { force: true });
    throw new Error(`${path}: cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
