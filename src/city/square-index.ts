import type { HeightLadder, SquareSummary } from './square-summary.ts';
import type { TreeEntry } from './tree-file.ts';

/** The grid squares of a dataset, in files `squares/<code>.square`, their trees, and what is known of them without opening one. */
export const SQUARES_INDEX = 'squares/index.json';
export const squareFileName = (code: string): string => `squares/${code}.square`;

export const treeFileName = (code: string): string => `squares/${code}.tree`;

export interface IndexedSquare extends Omit<SquareSummary, 'ladder'> {
  ladder: Omit<HeightLadder, 'digests'>;
  /** Identity of everything that its results depend on; null where no building is served. */
  fingerprint: string | null;
  /** Its tree in the plane of its own zone. */
  tree: TreeEntry;
}

/** The text of the index: a line for each square. */
export function squareIndexText(squares: readonly IndexedSquare[]): string {
  return `[\n${squares.map((square) => JSON.stringify(square)).join(',\n')}\n]\n`;
}

/** The index from its bytes. */
export const parseSquareIndex = (bytes: Uint8Array): IndexedSquare[] => JSON.parse(new TextDecoder().decode(bytes));
