import { cellIndex } from '../geo/degree.ts';
import { LocalPlane } from '../geo/plane.ts';
import { edgeCrosses, pointSegmentSquared } from '../geo/polygon.ts';
import { twoDecimals } from '../geo/rounding.ts';
import {
  dictionaryPath,
  groupOf,
  PACK_KINDS,
  PACKS_FILE,
  PACKS_FORMAT,
  type PackedPolygons,
  type PackIndex,
  type PackKind,
  type PacksAbout,
  packPath,
  STRIP_ROWS,
  type StaticAnswer,
  type StripEntry,
  stripKey,
  townPageKey,
  UNITS_PER_DEGREE,
  withFullPhrases,
} from './packs.ts';

/** Reads the bytes of a file: all, or from `start` to before `end`; null when there is no such file. */
type ReadBytes = (path: string, range?: { start: number; end: number }) => Promise<Uint8Array | null>;

/** Limit of buildings of a search, as on the server. */
const NEAR_LIMIT = 50;

/**
 * Answers from the files of `hidamari export --static`, for browsers and Node.js. The texts are those of the server, to
 * the byte. Null means that the server would answer 404. Parameters are not checked.
 */
export class StaticClient {
  readonly #read: ReadBytes;
  readonly #about: PacksAbout;
  readonly #dictionaries = new Map<PackKind, Promise<Uint8Array>>();
  readonly #packs = new Map<string, Promise<Pack | null>>();

  private constructor(read: ReadBytes, about: PacksAbout) {
    this.#read = read;
    this.#about = about;
  }

  /**
   * Opens an export.
   * @param site URL of the exported folder, or a function that reads its files
   * @throws {Error} When there is no export, or one of another format.
   */
  static async open(site: string | ReadBytes): Promise<StaticClient> {
    const read = typeof site === 'string' ? rangeReader(site) : site;
    const bytes = await read(PACKS_FILE);
    if (bytes === null) throw new Error(`${PACKS_FILE} is missing: hidamari export --static makes it`);
    const about = JSON.parse(textOf(bytes)) as PacksAbout;
    if (about.format !== PACKS_FORMAT)
      throw new Error(
        `${PACKS_FILE}: format ${about.format}, this client reads ${PACKS_FORMAT}: take the client beside it`,
      );
    return new StaticClient(read, about);
  }

  get datasetId(): string {
    return this.#about.dataset_id;
  }

  /** `/api/v1/sunlight/building/{building_id}`, whose data is the beginning of the full answer's data. */
  async building(buildingId: string): Promise<string | null> {
    const full = await this.#text('buildings', buildingId);
    return full === null ? null : this.#answer('building', `${full.slice(0, full.indexOf(',"faces":['))}}`);
  }

  /** `/api/v1/sunlight/building/{building_id}/full` */
  async full(buildingId: string): Promise<string | null> {
    const full = await this.#text('buildings', buildingId);
    return full === null ? null : this.#answer('full', full);
  }

  /** `/api/v1/sunlight/town/{town_code}/buildings` */
  async town(townCode: string, page = 1): Promise<string | null> {
    const town = await this.#text('towns', townPageKey(townCode, page));
    return town === null ? null : this.#answer('town', town);
  }

  /** `/api/v1/kaigo/facility/{facility_id}` in the standard case. */
  async facility(facilityId: string): Promise<string | null> {
    const facility = await this.#text('facilities', facilityId);
    return facility === null ? null : this.#answer('facility', facility);
  }

  /** `/api/v1/sunlight/near` */
  async near(lat: number, lon: number, radiusM = 100): Promise<string> {
    const plane = new LocalPlane(lat, lon);
    const byId = new Map<string, { distanceM: number; id: string; summary: object }>();
    for (const [summary, polygons] of await this.#buildingsAround(plane, radiusM)) {
      const id = summary.building_id;
      // A building lies in several strips when it crosses their borders.
      if (byId.has(id)) continue;
      const distanceM = distanceTo(plane, polygons);
      if (distanceM <= radiusM) byId.set(id, { distanceM, id, summary });
    }
    const all = [...byId.values()].sort((a, b) => a.distanceM - b.distanceM || (a.id < b.id ? -1 : 1));
    const nearest = all.slice(0, NEAR_LIMIT);
    const buildings = nearest.map(({ distanceM, summary }) => ({
      distance_m: twoDecimals(distanceM),
      ...summary,
    }));
    const truncated = all.length > NEAR_LIMIT;
    return this.#answer(
      'near',
      JSON.stringify({ lat, lon, radius_m: radiusM, count: buildings.length, truncated, buildings }),
    );
  }

  /** The body of an answer, as the server writes it. */
  #answer(kind: StaticAnswer, data: string): string {
    return `{"data":${data}${this.#about.tails[kind]}`;
  }

  /** The text with a key; null when the packs have none. In packs, frequent phrases are shortened. */
  async #text(kind: PackKind, key: string): Promise<string | null> {
    const pack = await this.#pack(kind, groupOf(kind, key));
    const block = pack?.blockOf(key) ?? -1;
    if (pack === null || block < 0) return null;
    const [lines = new Map<string, string>()] = await this.#blocks(kind, pack, block, block + 1);
    const text = lines.get(key);
    return text === undefined ? null : withFullPhrases(text);
  }

  /**
   * The buildings of all strips that a circle touches, also those outside the circle. A band is `STRIP_ROWS` rows of
   * cells around the Earth; its strips follow each other in the file, so each band is one range of bytes.
   */
  async #buildingsAround(plane: LocalPlane, radiusM: number): Promise<StripEntry[]> {
    const { lat, lon, perLat } = plane;
    // A thousandth more than the radius, against errors of rounding.
    const reachLat = (radiusM / perLat) * 1.001;
    const reachLon = (radiusM / plane.leastPerLon(lat - reachLat, lat + reachLat)) * 1.001;
    const bandOf = (degrees: number): number => Math.floor(cellIndex(degrees) / STRIP_ROWS);
    const bands: Promise<StripEntry[]>[] = [];
    for (let band = bandOf(lat - reachLat); band <= bandOf(lat + reachLat); band++)
      bands.push(
        this.#stripsBetween(stripKey(band, cellIndex(lon - reachLon)), stripKey(band, cellIndex(lon + reachLon))),
      );
    return (await Promise.all(bands)).flat();
  }

  /** The buildings of the strips from one key to another, both in the same band. Each strip is a block of its own. */
  async #stripsBetween(first: string, last: string): Promise<StripEntry[]> {
    const pack = await this.#pack('near', groupOf('near', first));
    if (pack === null) return [];
    const [from, to] = [pack.firstNotBefore(first), pack.blockOf(last) + 1];
    if (from >= to) return [];
    const blocks = await this.#blocks('near', pack, from, to);
    return blocks.flatMap((lines) =>
      [...lines.values()].flatMap((text) => JSON.parse(withFullPhrases(text)) as StripEntry[]),
    );
  }

  /**
   * The blocks with the numbers `from` up to, but without, `to`: of each its texts by key. Reads them by one request.
   * @throws {Error} When the pack has fewer bytes than its index says.
   */
  async #blocks(kind: PackKind, pack: Pack, from: number, to: number): Promise<Map<string, string>[]> {
    const [start, end] = [pack.starts[from] ?? 0, pack.starts[to] ?? 0];
    const [dictionary, bytes] = await Promise.all([
      this.#dictionary(kind),
      this.#read(`${pack.path}.pack`, { start, end }),
    ]);
    if (bytes?.length !== end - start)
      throw new Error(`${pack.path}.pack: ${bytes?.length ?? 'no'} bytes came, expected ${end - start}`);
    return Promise.all(
      Array.from({ length: to - from }, async (_, i) => {
        const [a, b] = [pack.starts[from + i] ?? 0, pack.starts[from + i + 1] ?? 0];
        return linesOf(textOf(await inflate(bytes.subarray(a - start, b - start), dictionary)));
      }),
    );
  }

  /** The dictionary for the blocks of a kind; empty when the export has none. */
  #dictionary(kind: PackKind): Promise<Uint8Array> {
    return cached(this.#dictionaries, kind, async () => {
      const bytes = await this.#read(dictionaryPath(this.#about.dataset_id, kind));
      return bytes ?? NO_DICTIONARY;
    });
  }

  /** The pack of a group; null when the export has none. */
  async #pack(kind: PackKind, group: string): Promise<Pack | null> {
    // A group is the beginning of a key that a caller may have made up. Other characters could lead to another file.
    if (!/^\w+$/.test(group)) return null;
    const path = packPath(this.#about.dataset_id, kind, group);
    return cached(this.#packs, path, async () => {
      const bytes = await this.#read(`${path}.index`);
      if (bytes === null) return null;
      return new Pack(path, JSON.parse(textOf(await inflate(bytes, NO_DICTIONARY))) as PackIndex);
    });
  }

  /**
   * Reads the indexes of some packs, and their dictionaries. Afterwards each answer from these packs takes one request,
   * a search at most two.
   * @param groups names of packs, as `groupOf` makes them from a key
   */
  async warm(groups: Partial<Record<PackKind, readonly string[]>>): Promise<void> {
    const reads = PACK_KINDS.flatMap((kind) => {
      const names = groups[kind] ?? [];
      return names.length === 0 ? [] : [this.#dictionary(kind), ...names.map((name) => this.#pack(kind, name))];
    });
    await Promise.all(reads);
  }
}

/** The positions of the blocks of a pack. */
class Pack {
  readonly path: string;
  readonly #keys: readonly string[];
  /** The first byte of each block, and the end of the last one. */
  readonly starts: readonly number[];

  constructor(path: string, { keys, lengths }: PackIndex) {
    this.path = path;
    this.#keys = keys;
    const starts = [0];
    for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length);
    this.starts = starts;
  }

  /** The only block that can contain a key; -1 for a key before the first one of the pack. */
  blockOf(key: string): number {
    const block = this.firstNotBefore(key);
    return this.#keys[block] === key ? block : block - 1;
  }

  /** The first block whose first key is not smaller than `key`; the number of blocks when there is none. */
  firstNotBefore(key: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Metres from the plane's origin to the nearest polygon, 0 inside; computed in the same steps as on the server. */
function distanceTo(plane: LocalPlane, polygons: PackedPolygons): number {
  let least = Infinity;
  for (const rings of polygons) {
    let inside = false;
    for (const ring of rings) {
      const points = pointsOf(plane, ring);
      for (let i = 0; i < points.length; i++) {
        const [[ax, ay], [bx, by]] = [points[i], points[(i + 1) % points.length]];
        least = Math.min(least, pointSegmentSquared(0, 0, ax, ay, bx, by));
        if (edgeCrosses(0, 0, ax, ay, bx, by)) inside = !inside;
      }
    }
    if (inside) least = 0;
  }
  return Math.sqrt(least);
}

/**
 * The points of a ring in metres on the plane.
 * @param ring latitude and longitude of the first point, then the differences of each point from the one before, in
 * units of `UNITS_PER_DEGREE`
 */
function pointsOf(plane: LocalPlane, ring: readonly number[]): [x: number, y: number][] {
  const points: [number, number][] = [];
  let [lat, lon] = [0, 0];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    lat += ring[i] ?? 0;
    lon += ring[i + 1] ?? 0;
    const degrees = lat / UNITS_PER_DEGREE;
    points.push([plane.x(degrees, lon / UNITS_PER_DEGREE), plane.y(degrees)]);
  }
  return points;
}

/** The texts of a block by key. A line is a key, a tab and a text. */
function linesOf(text: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (const line of text.split('\n')) {
    const tab = line.indexOf('\t');
    if (tab > 0) lines.set(line.slice(0, tab), line.slice(tab + 1));
  }
  return lines;
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** For `inflate`: the bytes were compressed without a dictionary. */
const NO_DICTIONARY = new Uint8Array();

/**
 * Unpacks a block that was compressed with a dictionary. `DecompressionStream` accepts no dictionary. So the dictionary
 * is prepended as a stored block (RFC 1951, 3.2.4): a zero byte, its size, and the complement of its size, each in two
 * bytes. The compressed block can refer to it. The dictionary is removed from the result.
 */
async function inflate(block: Uint8Array, dictionary: Uint8Array): Promise<Uint8Array> {
  const size = dictionary.length;
  const head = size === 0 ? [] : [0, size & 255, size >> 8, ~size & 255, (~size >> 8) & 255];
  const withDictionary = new Uint8Array(head.length + size + block.length);
  withDictionary.set(head);
  withDictionary.set(dictionary, head.length);
  withDictionary.set(block, head.length + size);
  const stream = new Blob([withDictionary]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer()).subarray(size);
}

/** A function that reads the files of a site by HTTP. */
function rangeReader(site: string): ReadBytes {
  const base = site.endsWith('/') ? site : `${site}/`;
  return async (path, range) => {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end - 1}` } : {};
    // The errors of `fetch` name no address.
    const failed = (error: Error): never => {
      throw new Error(`${base}${path}: cannot be reached`, { cause: error });
    };
    const response = await fetch(base + path, { headers }).catch(failed);
    const bytes = new Uint8Array(await response.arrayBuffer().catch(failed));
    // A bucket whose objects may not be listed answers 403 for a missing one.
    if (response.status === 404 || response.status === 403) return null;
    if (!response.ok) throw new Error(`${base}${path}: the host answers ${response.status}`);
    // A host without support for ranges returns the whole file.
    return range && response.status === 200 ? bytes.subarray(range.start, range.end) : bytes;
  };
}

/** The value of a key, which is made at the first call. A failure is forgotten, so that the next call tries again. */
function cached<K, V>(values: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const existing = values.get(key);
  if (existing !== undefined) return existing;
  const value = make();
  values.set(key, value);
  value.catch(() => values.delete(key));
  return value;
}
