/** Number of single-character changes (insert, delete, replace, swap of neighbours) between two words. */
export function editDistance(a: string, b: string): number {
  const distances = distancesToBeginnings(
    a,
    b,
    Array.from({ length: b.length + 1 }, (_, j) => j),
  );
  return distances[b.length];
}

/** The same number between a word and the part of a text that is most similar to it. */
export function slipsWithin(text: string, word: string): number {
  return Math.min(...distancesToBeginnings(word, text, new Array<number>(text.length + 1).fill(0)));
}

/**
 * The distances of `a` to the beginnings of `b` with 0, 1, 2 … characters.
 * @param first those of an empty word
 */
function distancesToBeginnings(a: string, b: string, first: number[]): number[] {
  let beforeLast: number[] = [];
  let last = first;
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
