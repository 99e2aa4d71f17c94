import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SCALE_STYLE } from '../charts/plans.ts';

/** Media types of styles and scripts, by the ending of their names. */
export const CODE_TYPES = {
  css: 'text/css; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** A file that pages load: a style, a script or a picture. It never changes under its URL. */
interface Asset {
  name: string;
  mediaType: string;
  content: Buffer;
}

/** The files of the pages, by name. The URL of each has a hash of its content. */
export class Assets {
  readonly #byPath = new Map<string, Asset>();
  readonly #paths = new Map<string, string>();

  constructor(assets: readonly Asset[]) {
    for (const asset of assets) {
      const hash = createHash('sha256').update(asset.content).digest('base64url').slice(0, 10);
      const path = `/assets/${hash}/${asset.name}`;
      this.#byPath.set(path, asset);
      this.#paths.set(asset.name, path);
    }
  }

  /**
   * The path of an asset from the root of the site.
   * @throws {Error} When no asset has the name.
   */
  path(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`no asset is named ${name}`);
    return path;
  }

  /** All files, by path. */
  all(): [path: string, asset: Asset][] {
    return [...this.#byPath];
  }
}

/** The preview pictures for links to pages, made by `npm run screenshots`. */
const CARDS = ['card.png', 'card-sun.png', 'card-care.png'];
const SCRIPTS = ['below.js', 'forms.js', 'here.js', 'picker.js', 'request-builder.js', 'saved.js', 'what-if.js'];

/** The style of charts: a part of the pages' style, also used by standalone drawings. */
export const chartStyle = (): string => read('../charts/chart.css').toString() + SCALE_STYLE;

/** Reads all assets from the program's folders. */
export function pageAssets(): Asset[] {
  return [
    { name: 'site.css', mediaType: CODE_TYPES.css, content: Buffer.from(PAGE_STYLE) },
    { name: 'icon.svg', mediaType: 'image/svg+xml', content: read('icon.svg') },
    ...CARDS.map((name) => ({ name, mediaType: 'image/png', content: read(name) })),
    ...SCRIPTS.map((name) => ({ name, mediaType: CODE_TYPES.js, content: read(`../browser/${name}`) })),
  ];
}

/** The content of a file; its path begins in the folder of this file. */
const read = (file: string): Buffer => readFileSync(new URL(file, import.meta.url));

/** A style without comments and line breaks. */
const shortened = (style: string): string => style.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\s+/g, ' ');

/** The style of the map page, besides `PAGE_STYLE`. It stands in the page for the same reason. */
export const MAP_STYLE = shortened(read('../map/map.css').toString());

/**
 * The style of all pages. It stands in each page, so that a phone draws the page without a second request: it is 6 kB of
 * the packed page, and a file would cost a round trip. Refusals link to it instead.
 */
export const PAGE_STYLE = shortened(
  ['base', 'parts', 'blocks', 'media', '../charts/map-picture'].map((name) => read(`${name}.css`).toString()).join('') +
    chartStyle(),
);

/** Media type of pages. */
export const HTML = 'text/html; charset=utf-8';

/** Headers that protect the visitor's privacy. Here and below, names and values alternate. */
const PRIVACY = [
  ...['Referrer-Policy', 'no-referrer'],
  ...['Permissions-Policy', 'camera=(), microphone=(), payment=(), geolocation=(self)'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
];

/** The sources that a policy names for styles within a page: their hashes. */
const styleHashes = [PAGE_STYLE, MAP_STYLE]
  .map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  .join(' ');

/** A page may load and do only what this server serves; of styles within a page only `PAGE_STYLE` and `MAP_STYLE`. */
export const HTML_HEADERS: readonly string[] = [
  'Content-Security-Policy',
  `default-src 'none'; style-src 'self' ${styleHashes}; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  ...PRIVACY,
];

/** A standalone drawing has its style in itself, and other pages may show it. */
export const SVG_HEADERS: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'",
  ...PRIVACY,
];
