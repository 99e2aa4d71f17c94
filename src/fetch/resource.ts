import type { PublisherName } from './publishers.ts';

/** What a download must look like, so that an error page is never taken for data. */
type Content = 'citygml' | 'csv' | 'zip';

/** One file to fetch. */
export interface Resource {
  /** Below the inputs folder, with `/`; made of codes alone, never of a publisher's file name. */
  path: string;
  url: string;
  publisher: PublisherName;
  content: Content;
  /** Bytes that the publisher says it has; null when it does not say. */
  expectedBytes: number | null;
  /** Whether a former version is kept below `earlier/`: for lists that are overwritten in place. */
  keepEarlier: boolean;
}

/** Most bytes of one file; published ones stay far below. */
export const MOST_BYTES: Readonly<Record<Content, number>> = {
  citygml: 4e9,
  csv: 1e9,
  zip: 20e9,
};

/** Bytes at either end that `unlike` looks at. A zip's directory ends in its last 64 kB. */
export const END_BYTES = 66_000;

/**
 * Why a download cannot be the whole of its content; null when it can.
 * @param head first bytes, up to `END_BYTES`
 * @param tail last bytes, up to `END_BYTES`
 */
export function unlike(content: Content, head: Uint8Array, tail: Uint8Array): string | null {
  const begin = textOf(head)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (begin === '') return 'nothing';
  if (/^<(!doctype\s+html|html)\b/i.test(begin)) return 'a web page';
  switch (content) {
    case 'zip':
      if (!begin.startsWith('PK')) return 'something that is not a zip';
      return textOf(tail).includes('PK\x05\x06') ? null : 'a zip without its end';
    case 'citygml':
      if (!begin.startsWith('<')) return 'something that is not XML';
      return /CityModel\s*>\s*(<!--[\s\S]*-->\s*)?$/.test(textOf(tail)) ? null : 'a city model without its end';
    case 'csv':
      return /^(<|PK|\{)/.test(begin) ? 'something that is not a table' : null;
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
