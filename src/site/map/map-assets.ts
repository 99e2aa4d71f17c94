import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { PackedBody } from '../../http/body.ts';

/**
 * The files of the map: the installed packages MapLibre and three.js, and our own scripts and styles. They import each
 * other by relative paths, so they are in one folder, whose name is a hash of all files. A file under such a path never
 * changes.
 */
export class MapAssets {
  #contentOnceRead: MapContent | null = null;
  readonly #packed = new Map<string, Promise<PackedBody>>();
  /** Resolves when every requested file has its best compression. */
  #best: Promise<void> = Promise.resolve();

  /** Path of the folder, from the root of the site. */
  get folder(): string {
    return this.#content.folder;
  }

  /** The paths of all files, from the root of the site. */
  paths(): string[] {
    return [...this.#content.files.keys()].map((name) => this.folder + name);
  }

  /** The files have some megabytes. They are read at the first request for one of them, or for their folder. */
  get #content(): MapContent {
    this.#contentOnceRead ??= readFiles();
    return this.#contentOnceRead;
  }

  /** The names of a script and of all scripts that it imports, directly or through others: to preload them together. */
  modules(script: string): string[] {
    const names = new Set([script]);
    // Names that are added during the loop are visited too.
    for (const name of names) {
      if (!name.endsWith('.js')) continue;
      // An import stands in one line, or in several of which the last begins with a brace.
      const imports = this.#file(name)
        .toString()
        .matchAll(/^(?:import .*|}) from '\.\/([\w.-]+)';$/gm);
      for (const [, imported = ''] of imports) names.add(imported);
    }
    return [...names];
  }

  /**
   * A compressed file; null when there is no such file. The first visitor gets it with a quick compression. The best
   * compression takes seconds of processor time. So requested files are compressed best later, one every ten seconds.
   */
  async packed(name: string): Promise<PackedBody | null> {
    const packed = this.#packed.get(name);
    if (packed !== undefined) return packed;
    if (!this.#content.files.has(name)) return null;
    const content = this.#file(name);
    const gzipped = gzipAsync(content, { level: 9 });
    const packWith = async (quality: number): Promise<PackedBody> =>
      new PackedBody(...(await Promise.all([gzipped, brotliAsync(content, brotliOf(quality))])));
    const quick = packWith(QUICK);
    this.#packed.set(name, quick);
    this.#best = this.#best.then(async () => {
      await setTimeout(BEST_AFTER_MS, null, { ref: false });
      this.#packed.set(name, Promise.resolve(await packWith(BEST)));
    });
    return quick;
  }

  /**
   * The content of a file.
   * @throws {Error} When the map has no file with the name.
   */
  #file(name: string): Buffer {
    const file = this.#content.files.get(name);
    if (file === undefined) throw new Error(`the map has no file ${name}`);
    return file;
  }
}

/** The files of the map by name, and the path of their folder from the root of the site. */
interface MapContent {
  files: ReadonlyMap<string, Buffer>;
  folder: string;
}

/** Qualities of Brotli for the first visitor and for later ones. */
const QUICK = 9;
const BEST = 11;
const BEST_AFTER_MS = 10_000;
const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
const brotliOf = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

/** The path of a file; it begins in the folder of this file. */
const here = (path: string): string => join(import.meta.dirname, path);

/** Reads all files of the map: MapLibre and three.js from their packages, and our styles and scripts. */
function readFiles(): MapContent {
  const require = createRequire(import.meta.url);
  const library = join(dirname(require.resolve('maplibre-gl/package.json')), 'dist');
  const scripts = readdirSync(here('browser')).filter((name) => name.endsWith('.js'));
  const files = new Map<string, Buffer>();
  for (const name of ['maplibre-gl.mjs', 'maplibre-gl-worker.mjs', 'maplibre-gl.css']) {
    files.set(name, readFileSync(join(library, name)));
  }
  files.set('scene.css', readFileSync(here('scene.css')));
  const three = dirname(require.resolve('three'));
  for (const name of ['three.core.js', 'three.module.js']) files.set(name, readFileSync(join(three, name)));
  for (const name of scripts.sort()) files.set(name, Buffer.from(browserScript(here(`browser/${name}`))));
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name}\0${content.length}\0`).update(content);
  return { files, folder: `/assets/map/${hash.digest('base64url').slice(0, 10)}/` };
}

/** The text of one of our scripts; for the browser, its imports of packages are paths of files beside it. */
const browserScript = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/from 'maplibre-gl';/g, "from './maplibre-gl.mjs';")
    .replace(/'three'/g, "'./three.module.js'");
