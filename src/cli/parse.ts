import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError */
export function wholeNumber(text: string, lowest: number, highest: number, or = ''): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= lowest && value <= highest) return value;
  throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}${or}.`);
}

/** @throws InvalidArgumentError */
export function oneOf<const T extends string>(text: string, words: readonly T[]): T {
  if ((words as readonly string[]).includes(text)) return text as T;
  throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
}

/**
 * A URL of the web without query and fragment, and without a slash at the end.
 * @throws InvalidArgumentError
 */
export function webUrl(text: string): string {
  const url = URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isWeb) throw new InvalidArgumentError('It must be a URL such as https://example.org.');
  return url.href.replace(/\/+$/, '');
}
