import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { PackedBody } from '../../http/body.ts';

/** Of the files of the map, by the ending of their names. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/**
 * The files that draw the map: MapLibre as it is installed, and our own script. They import each other
 * by relative paths, so they lie in one folder, whose name holds a hash of them all: what is there never changes.
 */
export class MapAssets {
  #read: { files: ReadonlyMap<string, Buffer>; folder: string } | null = null;
  readonly #packed = new Map<string, Promise<PackedBody>>();
  /** Done when every file that was asked for is packed as well as can be. */
  #best: Promise<void> = Promise.resolve();

  /** Path of the folder, from the root of the site. */
  get folder(): string {
    return this.#known.folder;
  }

  /** The files are some megabytes: they are read once somebody asks for one, or for where they lie. */
  get #known(): { files: ReadonlyMap<string, Buffer>; folder: string } {
    this.#read ??= readFiles();
    return this.#read;
  }

  /** A script and all that it imports, to be asked for together. */
  modules(script: string): string[] {
    const all = new Set([script]);
    // What is added on the way is visited too.
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
   * A file, packed; null where there is no such file. The best packing takes seconds of a processor: it begins a while after a
   * file is first asked for, one file after the other, when the first visitor has seen the map, and a quick one serves until then.
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
  const own = readdirSync(here('browser')).filter((name) => name.endsWith('.js'));
  const files = new Map<string, Buffer>();
  for (const name of ['maplibre-gl.mjs', 'maplibre-gl-worker.mjs', 'maplibre-gl.css']) {
    files.set(name, readFileSync(join(library, name)));
  }
  for (const name of ['map.css', 'scene.css']) files.set(name, readFileSync(here(name)));
  const three = dirname(require.resolve('three'));
  for (const name of ['three.core.js', 'three.module.js']) files.set(name, readFileSync(join(three, name)));
  for (const name of own.sort()) files.set(name, Buffer.from(browserScript(here(`browser/${name}`))));
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name}\0${content.length}\0`).update(content);
  return { files, folder: `/assets/map/${hash.digest('base64url').slice(0, 10)}/` };
}

/** Our script; the package that it names lies beside it. */
const browserScript = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/from 'maplibre-gl';/g, "from './maplibre-gl.mjs';")
    .replace(/'three'/g, "'./three.module.js'");
