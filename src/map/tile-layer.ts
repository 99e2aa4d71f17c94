import { PbfWriter } from 'pbf';

const POLYGON = 3;

/** Gathers the features of one layer of a vector tile (Mapbox Vector Tile 2.1) and writes it. */
export class LayerWriter {
  readonly #name: string;
  readonly #extent: number;
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<string | number, number>();
  readonly #features = new PbfWriter();
  #count = 0;

  constructor(name: string, extent: number) {
    this.#name = name;
    this.#extent = extent;
  }

  /** Adds polygons: their geometry (polygon-commands.ts) and properties. */
  polygon(geometry: Uint8Array, properties: Readonly<Record<string, string | number>>): void {
    const tags = Object.entries(properties).flatMap(([key, value]) => [
      place(this.#keys, key),
      place(this.#values, value),
    ]);
    this.#features.writeMessage(2, writeFeature, { tags, geometry });
    this.#count++;
  }

  /** Writes the layer behind what stands in the tile; nothing where it has no feature. */
  finish(tile: PbfWriter): void {
    if (this.#count > 0) tile.writeMessage(3, (_, out) => this.#write(out), null);
  }

  #write(out: PbfWriter): void {
    out.writeVarintField(15, 2);
    out.writeStringField(1, this.#name);
    append(out, this.#features.finish());
    for (const key of this.#keys.keys()) out.writeStringField(3, key);
    for (const value of this.#values.keys()) out.writeMessage(4, writeValue, value);
    out.writeVarintField(5, this.#extent);
  }
}

function writeFeature({ tags, geometry }: { tags: number[]; geometry: Uint8Array }, out: PbfWriter): void {
  out.writePackedVarint(2, tags);
  out.writeVarintField(3, POLYGON);
  out.writeBytesField(4, geometry);
}

function writeValue(value: string | number, out: PbfWriter): void {
  if (typeof value === 'string') out.writeStringField(1, value);
  else if (Number.isInteger(value) && value >= 0) out.writeVarintField(5, value);
  else out.writeDoubleField(3, value);
}

function append(out: PbfWriter, bytes: Uint8Array): void {
  out.realloc(bytes.length);
  out.buf.set(bytes, out.pos);
  out.pos += bytes.length;
}

function place<Key>(places: Map<Key, number>, key: Key): number {
  const known = places.get(key);
  if (known !== undefined) return known;
  places.set(key, places.size);
  return places.size - 1;
}
