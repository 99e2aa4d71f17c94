import { closeSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ColumnFileError } from '../formats/column-file.ts';
import type { Tree, TreeHead, TreeSource } from '../sunlight/tree.ts';

/** The entry of a grid square's tree in the index of squares: everything but its pages. */
export interface TreeEntry extends Omit<TreeHead, 'pageStart'> {
  /** Offset of each page in the file, and the end of the last page. */
  pageStart: number[];
  /** CRC-32 of each page. */
  pageCrc: number[];
}

/** The entry of a tree. Its file has the bytes of the pages and nothing else, so all other facts are in the entry. */
export function treeEntry({ bytes, pageStart, ...head }: Tree): TreeEntry {
  const pageCrc = Array.from({ length: pageStart.length - 1 }, (_, page) =>
    crc32(bytes.subarray(pageStart[page], pageStart[page + 1])),
  );
  return { ...head, pageStart: [...pageStart], pageCrc };
}

/**
 * A tree whose pages are read from a file. Its `readPage` throws `ColumnFileError` when the page does not have its
 * CRC-32 or cannot be read.
 */
export function treeFromFile(path: string, { pageStart, pageCrc, ...head }: TreeEntry): TreeSource {
  const readPage = (page: number, to: Uint8Array): void => {
    const [start, end] = [pageStart[page], pageStart[page + 1]];
    const file = openFile(path);
    try {
      if (readSync(file, to, 0, to.length, start) !== end - start || crc32(to) !== pageCrc[page]) {
        throw new ColumnFileError(`${path}: damaged: page ${page}, bytes ${start} to ${end}, is not what was written`);
      }
    } finally {
      closeSync(file);
    }
  };
  return { ...head, pageStart: Uint32Array.from(pageStart), readPage };
}

/**
 * The descriptor of an opened file.
 * @throws ColumnFileError when it cannot be opened
 */
function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw new ColumnFileError(`${path}: cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Keeps the trees of files. Each is made once, so that an engine recognizes its pages. */
export class TreeFiles {
  readonly #trees = new Map<string, { identity: string; tree: TreeSource }>();

  /** The tree of a file. It is made again when the entry has other pages. */
  treeOf(path: string, entry: TreeEntry): TreeSource {
    // The checksums of its pages tell a tree from another.
    const identity = String(entry.pageCrc);
    let held = this.#trees.get(path);
    if (held?.identity !== identity) {
      held = { identity, tree: treeFromFile(path, entry) };
      this.#trees.set(path, held);
    }
    return held.tree;
  }
}
