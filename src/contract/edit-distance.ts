/** Number of single-character changes (insert, delete, replace, swap of neighbours) between two words. */
export function editDistance(a: string, b: string): number {
  // An empty word becomes the beginning with j characters by j inserts.
  const firstRow = Array.from({ length: b.length + 1 }, (_, j) => j);
  return lastRowOfDistances(a, b, firstRow)[b.length];
}

/** The same number between a word and the part of a text that is most similar to it. */
export function slipsWithin(text: string, word: string): number {
  // The part may begin anywhere: the characters before it cost nothing.
  const firstRow = new Array<number>(text.length + 1).fill(0);
  return Math.min(...lastRowOfDistances(word, text, firstRow));
}

/**
 * The last row of the table of edit distances (with swaps of neighbours). The table has a row for each beginning of `a`
 * with 0, 1, 2 … characters, and in it the distance to each beginning of `b`.
 * @param firstRow the distances of the empty word
 */
function lastRowOfDistances(a: string, b: string, firstRow: number[]): number[] {
  let beforeLast: number[] = [];
  let last = firstRow;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let changes = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) changes = Math.min(changes, beforeLast[j - 2] + 1);
      row.push(changes);
    }
    beforeLast = last;
    last = row;
  }
  return last;
}
