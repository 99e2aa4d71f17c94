/** Number of single-character changes (insert, delete, replace, swap of neighbours) between two words. */
export function editDistance(a: string, b: string): number {
  // A row has the distances from the first `i` characters of `a` to the first 0, 1, 2 … characters of `b`.
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
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
  return last[b.length];
}
