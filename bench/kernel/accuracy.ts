import { Agreement } from '../../test/kernel/agreement.ts';
import { type City, readBlock, readTokyo } from '../../test/kernel/cities.ts';
import { onThreads, sampleOf, sharedTree } from './threads.ts';

/** Compares the kernel with a ray a minute, building by building, in three real cities (at most `limit` buildings of each). */
export async function accuracy(limit: number): Promise<void> {
  console.log(
    '\nAgreement with one ray a minute (the oracle of the tests); equal: the mean minutes of a face, floor and day are the same number',
  );
  console.table(
    await inTurn(
      [() => readTokyo(['13101']), () => readBlock('osaka'), () => readBlock('sagamihara')],
      async (read) => {
        const city: City = await read();
        const { done } = await onThreads({
          city,
          tree: sharedTree(city),
          buildings: sampleOf(city, limit),
          what: 'accuracy',
        });
        const all = new Agreement();
        for (const { agreement } of done) all.merge(agreement);
        return row(city.name, all);
      },
    ),
  );
}

const row = (city: string, all: Agreement): Record<string, string | number> => ({
  city,
  buildings: all.buildings,
  'face-floor-days': all.faceDays,
  'equal %': (100 * all.equalShare).toFixed(2),
  'within half a minute %': (100 * all.nearShare).toFixed(2),
  'worst, min': all.worst.toFixed(2),
  'hours bias %': (100 * all.bias).toFixed(4),
  'first source %': (100 * all.sameFirstShare).toFixed(2),
  'five sources %': (100 * all.sourceOverlap).toFixed(2),
});

async function inTurn<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await map(item));
  return results;
}
