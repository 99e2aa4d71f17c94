/**
 * The results of `work` for each item, in their order. Only `atATime` calls run at a time. After a failure no other item is
 * begun.
 * @throws the first failure of `work`, when all running calls have ended
 */
export async function mapInParallel<T, R>(
  items: readonly T[],
  atATime: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const takeItems = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const i = next++;
      try {
        results[i] = await work(items[i], i);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, takeItems));
  if (failures.length > 0) throw failures[0];
  return results;
}
