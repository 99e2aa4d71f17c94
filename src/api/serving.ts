import { hash } from 'node:crypto';
import type { Dataset } from '../dataset/dataset.ts';
import { JsonBytes } from '../formats/json-bytes.ts';
import { Body, BodyCache } from '../http/body.ts';
import type { Route } from '../site/route.ts';
import { metaOf } from '../snapshot/meta.ts';

const MIB = 2 ** 20;

/**
 * A served dataset with the caches of its answers. Requests hold it while they run. When another dataset replaces it,
 * it closes after the last of them.
 */
export class Serving {
  readonly dataset: Dataset;
  /**
   * Represents dataset, site and configuration. Together with the request they determine the bytes of an answer, and so
   * its ETag.
   */
  readonly tagSeed: string;
  /** The bodies of answers by request, and the results computed for pages by demand. */
  readonly bodies = new BodyCache(24 * MIB);
  /** Tiles have their own cache: they are large and read quickly, and would replace pages that take long to make. */
  readonly tiles = new BodyCache(8 * MIB);
  readonly #siteUrl: string;
  readonly #tails = new Map<string, string>();
  #holders = 0;
  /** Called when the last request has ended, after the dataset was replaced. */
  #onLastRelease: (() => void) | null = null;

  /** @param configuration text of all else that answers depend on: version of the program, base map, prices */
  constructor(dataset: Dataset, siteUrl: string, configuration: string) {
    this.dataset = dataset;
    this.#siteUrl = siteUrl;
    const seed = `${dataset.manifest.dataset_id}\n${siteUrl}\n${configuration}`;
    this.tagSeed = hash('sha256', seed, 'base64url').slice(0, 16);
  }

  /** Makes the body of an answer: the data, and the members that every answer has. JSON is copied without parsing. */
  bodyOf(route: Route, data: unknown, costUnits: number): Body {
    const { form } = route.answer;
    if (form === 'other') return data instanceof Body ? data : Body.of(data as string | Buffer);
    if (form === 'json') return Body.of(`${JSON.stringify(data)}\n`);
    // The other forms have the data and `meta`.
    const tail = this.#tail(route, costUnits);
    const json = data instanceof JsonBytes ? data.bytes : Buffer.from(JSON.stringify(data));
    // In GeoJSON, `meta` is a member of the object itself: its last brace is replaced by the tail.
    if (form === 'geojson') return Body.around('', json.subarray(0, -1), tail);
    return Body.around('{"data":', json, tail);
  }

  /**
   * The text after the data: `meta` and the closing brace, in Latin-1, one character for each byte of its UTF-8: a
   * `Body` holds its bytes as such a string. It is
   * the same for all answers of a route with the same cost.
   */
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

  /** A request begins to use the dataset. */
  hold(): void {
    this.#holders++;
  }

  /** A request has ended that held the dataset. */
  release(): void {
    this.#holders--;
    if (this.#holders === 0) this.#onLastRelease?.();
  }

  /** Closes the dataset when no request holds it any more. Called when it is not served to new requests. */
  async retire(): Promise<void> {
    if (this.#holders > 0) await new Promise<void>((resolve) => (this.#onLastRelease = resolve));
    await this.dataset.close();
  }
}
