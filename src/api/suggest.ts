/** Number of single-character changes (insert, delete, replace, swap of neighbours) between two words. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** Longer words than this are not compared: nobody mistypes them, and the comparison is quadratic. */
const LONGEST = 64;

/** The known word that was probably meant: a slip of the pen away, or the beginning of what was written. */
export function didYouMean(word: string, known: readonly string[]): string | null {
  if (word.length > LONGEST) return null;
  const written = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const related = written.startsWith(candidate) || candidate.startsWith(written);
    const distance = related && written !== '' ? 0.5 : editDistance(written, candidate);
    const allowed = related || distance <= Math.max(1, Math.floor(candidate.length / 3));
    if (allowed && distance < bestDistance && distance < candidate.length) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
