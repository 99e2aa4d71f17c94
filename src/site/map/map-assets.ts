import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { PackedBody } from '../../http/body.ts';

/** Media types of the map's files, by the ending of their names. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/**
 * The files of the map: the installed MapLibre, and our own script. They import each other by relative paths, so they
 * are in one folder with a hash of all files in its name. A file under such a path never changes.
 */
export class MapAssets {
  #read: { files: ReadonlyMap<string, Buffer>; folder: string } | null = null;
  readonly #packed = new Map<string, Promise<PackedBody>>();
  /** Resolves when every requested file has its best compression. */
  #best: Promise<void> = Promise.resolve();

  /** Path of the folder, from the root of the site. */
  get folder(): string {
    return this.#known.folder;
  }

  /** The paths of all files, from the root of the site. */
  paths(): string[] {
    return [...this.#known.files.keys()].map((name) => this.folder + name);
  }

  /** The files have some megabytes. They are read at the first request for one of them, or for their folder. */
  get #known(): { files: ReadonlyMap<string, Buffer>; folder: string } {
    this.#read ??= readFiles();
    return this.#read;
  }

  /** A script with all its imports, to be preloaded together. */
  modules(script: string): string[] {
    const all = new Set([script]);
    // Imports that are added during the loop are visited too.
    for (const name of all) {
      if (!name.endsWith('.js')) continue;
      const imports = this.#file(name)
        .toString()
        .matchAll(/^import .* from '\.\/([\w.-]+)';$|^} from '\.\/([\w.-]+)';$/gm);
      for (const [, one, behind] of imports) all.add(one ?? behind ?? '');
    }
    return [...all];
  }

  /**
   * A compressed file; null when there is no such file. The best compression takes seconds of processor time. It begins
   * some time after the first request, when the first visitor has seen the map, one file after the other. Until then a
   * quick compression is served.
   */
  async packed(name: string): Promise<PackedBody | null> {
    const known = this.#packed.get(name);
    if (known !== undefined) return known;
    if (!this.#known.files.has(name)) return null;
    const content = this.#file(name);
    const gzipped = gzipAsync(content, { level: 9 });
    const quick = Promise.all([gzipped, brotliAsync(content, brotliOf(QUICK))]).then(([a, b]) => new PackedBody(a, b));
    this.#packed.set(name, quick);
    this.#best = this.#best.then(async () => {
      const [gzip] = await Promise.all([gzipped, setTimeout(BEST_AFTER_MS, null, { ref: false })]);
      this.#packed.set(name, Promise.resolve(new PackedBody(gzip, await brotliAsync(content, brotliOf(BEST)))));
    });
    return quick;
  }

  #file(name: string): Buffer {
    const file = this.#known.files.get(name);
    if (file === undefined) throw new Error(`the map has no file ${name}`);
    return file;
  }
}

const QUICK = 9;
const BEST_AFTER_MS = 10_000;
const BEST = 11;
const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
const brotliOf = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

const here = (path: string): string => join(import.meta.dirname, path);

function readFiles(): { files: Map<string, Buffer>; folder: string } {
  const require = createRequire(import.meta.url);
  const library = join(dirname(require.resolve('maplibre-gl/package.json')), 'dist');
  const scripts = readdirSync(here('browser')).filter((name) => name.endsWith('.js'));
  const files = new Map<string, Buffer>();
  for (const name of ['maplibre-gl.mjs', 'maplibre-gl-worker.mjs', 'maplibre-gl.css']) {
    files.set(name, readFileSync(join(library, name)));
  }
  for (const name of ['map.css', 'scene.css']) files.set(name, readFileSync(here(name)));
  const three = dirname(require.resolve('three'));
  for (const name of ['three.core.js', 'three.module.js']) files.set(name, readFileSync(join(three, name)));
  for (const name of scripts.sort()) files.set(name, Buffer.from(browserScript(here(`browser/${name}`))));
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name}\0${content.length}\0`).update(content);
  return { files, folder: `/assets/map/${hash.digest('base64url').slice(0, 10)}/` };
}

/** Our script. The package that it imports is beside it. */
const browserScript = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/from 'maplibre-gl';/g, "from './maplibre-gl.mjs';")
    .replace(/'three'/g, "'./three.module.js'");
