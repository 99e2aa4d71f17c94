import { hash } from 'node:crypto';
import type { Dataset } from '../dataset/dataset.ts';
import { JsonBytes } from '../formats/json-bytes.ts';
import { Body, BodyCache } from '../http/body.ts';
import type { Route } from '../site/route.ts';
import { metaOf } from '../snapshot/meta.ts';

/**
 * An open dataset while it is served, with what can be prepared of its answers. Requests hold it while they run, so
 * that a swap closes it only when the last of them is done.
 */
export class Serving {
  readonly dataset: Dataset;
  /** Dataset, site and program version: with the request they decide an answer's bytes, and so its ETag. */
  readonly tagSeed: string;
  readonly bodies = new BodyCache(16 << 20);
  /** Tiles of the map, apart, since a few of them would take the place of a thousand answers. */
  readonly tiles = new BodyCache(8 << 20);
  /** What was computed for pages, by demand. */
  readonly computed = new BodyCache(8 << 20);
  /** Its member in a line of the access log. */
  readonly logged: string;
  readonly #siteUrl: string;
  readonly #tails = new Map<string, string>();
  #holders = 0;
  #retired: (() => void) | null = null;

  /** @param program stands for the program: a new version may write the same data differently. */
  constructor(dataset: Dataset, siteUrl: string, program: string) {
    this.dataset = dataset;
    this.logged = `"dataset_id":${JSON.stringify(dataset.manifest.dataset_id)},`;
    this.#siteUrl = siteUrl;
    this.tagSeed = hash('sha256', `${dataset.manifest.dataset_id}\n${siteUrl}\n${program}`, 'base64url').slice(0, 16);
  }

  /** The body of an answer of a route. Data that lies in the dataset as JSON is not turned into values and back. */
  bodyOf(route: Route, data: unknown, costUnits: number): Body {
    const { form } = route.answer;
    if (form === 'other') return data instanceof Body ? data : Body.of(data as string | Buffer);
    if (form === 'json') return Body.of(`${JSON.stringify(data)}\n`);
    const tail = this.#tail(route, costUnits);
    const json = data instanceof JsonBytes ? data.bytes : Buffer.from(JSON.stringify(data));
    if (form === 'geojson') return Body.around('', json.subarray(0, -1), tail);
    return Body.around('{"data":', json, tail);
  }

  /** What follows the data, a character for each byte: the same for every answer of a route that costs the same. */
  #tail(route: Route, costUnits: number): string {
    const kind = costUnits === route.costUnits ? route.id : `${route.id} ${costUnits}`;
    let tail = this.#tails.get(kind);
    if (tail === undefined) {
      const meta = JSON.stringify(metaOf(this.dataset.manifest, route, this.#siteUrl, costUnits));
      tail = Buffer.from(`,"meta":${meta}}`).toString('latin1');
      this.#tails.set(kind, tail);
    }
    return tail;
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    this.#holders--;
    if (this.#holders === 0) this.#retired?.();
  }

  /** Waits for the requests in flight, then closes the dataset. */
  async retire(): Promise<void> {
    if (this.#holders > 0) await new Promise<void>((resolve) => (this.#retired = resolve));
    await this.dataset.close();
  }
}
