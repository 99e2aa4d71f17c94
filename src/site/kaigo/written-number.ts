/** Limit of the digits of a sum or a number of places. */
const MOST_DIGITS = 9;

/**
 * A number as people write it: 150,000, 15万, 1万5千, １５００００円, 15.5万, 150k; spaces do not matter. Undefined when it is not
 * a number; null when it is empty.
 */
export function writtenNumber(text: string): number | null | undefined {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s,、，_]|円|¥|\\|yen|以下|まで|以上|人/g, '');
  if (plain === '') return null;
  const [, man, sen, rest, thousands] =
    /^(?:(\d+(?:\.\d+)?)万)?(?:(\d+(?:\.\d+)?)千)?(\d+)?$|^(\d+(?:\.\d+)?)k$/.exec(plain) ?? [];
  const parts = [
    [man, 10_000],
    [sen, 1000],
    [rest, 1],
    [thousands, 1000],
  ] as const;
  const known = parts.filter(([digits]) => digits !== undefined);
  const value = Math.round(known.reduce((sum, [digits, times]) => sum + Number(digits) * times, 0));
  return known.length === 0 || String(value).length > MOST_DIGITS ? undefined : value;
}
