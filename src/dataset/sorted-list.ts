/**
 * Inserts an item into a list in the order of `compare`, behind its equals. When the list is then longer than `most`,
 * its last item drops out.
 */
export function insertSorted<T>(list: T[], item: T, compare: (a: T, b: T) => number, most: number): void {
  const index = list.findLastIndex((other) => compare(other, item) <= 0) + 1;
  list.splice(index, 0, item);
  if (list.length > most) list.pop();
}
