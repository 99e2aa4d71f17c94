import { PbfReader, PbfWriter } from 'pbf';
import { EXTENT, type TilePiece, writeGeometry } from './tile-buildings.ts';

/** The layer with every building once, whole, in the tile of its representative point. */
export const BUILDINGS_LAYER = 'buildings';
/** The layer with pieces of buildings from neighbouring tiles. */
export const EDGES_LAYER = 'edges';

/** A building in one tile, before the tile is assembled. */
interface TileBuilding {
  buildingId: string;
  isWhole: boolean;
  /** Tenths of a metre. */
  heightDm: number;
  /** `faces` or, at zoom 14, `best` (hours.ts); empty for a building without walls. */
  hours: string;
  /** Its roof surfaces (`roofText`); empty for a prism. */
  roof: string;
  geometry: Uint8Array;
}

/** A building after it is cut at the border of a tile. */
interface CutBuilding extends Pick<TileBuilding, 'buildingId' | 'heightDm' | 'roof'> {
  /** In ASCII. */
  hours: Uint8Array;
  piece: TilePiece;
}

/** Appends a building to a list of encoded buildings. */
export function writeTileBuilding(building: CutBuilding, out: PbfWriter): void {
  out.writeMessage(1, writeFields, building);
}

/** Writes the fields of a building, which `readField` reads. */
function writeFields({ buildingId, heightDm, hours, roof, piece }: CutBuilding, out: PbfWriter): void {
  out.writeStringField(1, buildingId);
  out.writeBooleanField(2, piece.isWhole);
  out.writeVarintField(3, heightDm);
  out.writeBytesField(4, hours);
  out.writeMessage(5, writeGeometry, piece);
  if (roof !== '') out.writeStringField(6, roof);
}

/** Decodes a list of buildings that `writeTileBuilding` wrote. */
export function readTileBuildings(bytes: Uint8Array): TileBuilding[] {
  const list: TileBuilding[] = [];
  new PbfReader(bytes).readFields((tag, buildings: TileBuilding[], from) => {
    if (tag !== 1) return;
    const empty = { buildingId: '', isWhole: false, heightDm: 0, hours: '', roof: '', geometry: new Uint8Array(0) };
    buildings.push(from.readMessage(readField, empty));
  }, list);
  return list;
}

/** Reads one field of a building; the numbers are those of `writeFields`. */
function readField(tag: number, building: TileBuilding, from: PbfReader): void {
  if (tag === 1) building.buildingId = from.readString();
  else if (tag === 2) building.isWhole = from.readBoolean();
  else if (tag === 3) building.heightDm = from.readVarint();
  else if (tag === 4) building.hours = from.readString();
  else if (tag === 5) building.geometry = from.readBytes();
  else if (tag === 6) building.roof = from.readString();
}

/** Steps of a degree in the text of a roof: a step is 0.1 m. */
const STEPS_PER_DEGREE = 1e6;

/**
 * Roof surfaces as the text of a property: surfaces separated by `;`, rings by `|`, points by spaces, each point
 * `lon,lat,height`. Degrees are whole steps of 10⁻⁶, each point relative to the previous one, the first to 0; heights
 * are tenths of a metre above the base.
 * @param surfaces rings of latitude, longitude, height
 */
export function roofText(surfaces: readonly { rings: readonly ArrayLike<number>[] }[], baseM: number): string {
  let [x, y] = [0, 0];
  const pointText = (ring: ArrayLike<number>, i: number): string => {
    const [nextX, nextY] = [Math.round(ring[i + 1] * STEPS_PER_DEGREE), Math.round(ring[i] * STEPS_PER_DEGREE)];
    const text = `${nextX - x},${nextY - y},${Math.max(0, Math.round((ring[i + 2] - baseM) * 10))}`;
    [x, y] = [nextX, nextY];
    return text;
  };
  const ringText = (ring: ArrayLike<number>): string =>
    Array.from({ length: ring.length / 3 }, (_, i) => pointText(ring, 3 * i)).join(' ');
  return surfaces.map(({ rings }) => rings.map(ringText).join('|')).join(';');
}

/** The lowest zoom with the hours of each face and the heights; below it there are only the best hours. */
const FACES_FROM = 15;

/**
 * The vector tile of buildings, in order of ID. Pieces of buildings that reach over the edge of the tile are in a layer
 * of their own.
 */
export function buildingTile(z: number, buildings: TileBuilding[]): Uint8Array {
  buildings.sort((a, b) => (a.buildingId < b.buildingId ? -1 : 1));
  const out = new PbfWriter();
  for (const isWhole of [true, false]) {
    const layer = new LayerWriter(isWhole ? BUILDINGS_LAYER : EDGES_LAYER, EXTENT);
    for (const building of buildings) {
      if (building.isWhole !== isWhole) continue;
      layer.polygon(building.geometry);
      layer.property('building_id', building.buildingId);
      if (z >= FACES_FROM && isWhole) layer.property('height_m', building.heightDm / 10);
      if (building.roof !== '') layer.property('roof', building.roof);
      if (building.hours !== '') layer.property(z >= FACES_FROM ? 'faces' : 'best', building.hours);
    }
    layer.finish(out);
  }
  return out.finish();
}

/** The type of a geometry of polygons. */
const POLYGON = 3;

/** A feature of a layer. */
interface Feature {
  geometry: Uint8Array;
  /** Its properties: the index of a key, and that of a value among the values of this key. */
  pairs: { key: number; value: number }[];
}

/**
 * Collects the features of one layer of a vector tile (Mapbox Vector Tile 2.1) and writes it. The values of a key are
 * adjacent, because similar values compress better.
 */
class LayerWriter {
  readonly #name: string;
  readonly #extent: number;
  readonly #keys = new Map<string, number>();
  readonly #values: Map<string | number, number>[] = [];
  readonly #features: Feature[] = [];

  constructor(name: string, extent: number) {
    this.#name = name;
    this.#extent = extent;
  }

  /** Adds polygons by their geometry (tile-buildings.ts). Calls of `property` follow. */
  polygon(geometry: Uint8Array): void {
    this.#features.push({ geometry, pairs: [] });
  }

  /** Adds a property to the polygons that were added last. */
  property(name: string, value: string | number): void {
    const key = indexIn(this.#keys, name);
    this.#values[key] ??= new Map();
    this.#features.at(-1)?.pairs.push({ key, value: indexIn(this.#values[key], value) });
  }

  /** Appends the layer to a tile; nothing when it has no feature. */
  finish(tile: PbfWriter): void {
    if (this.#features.length > 0) tile.writeMessage(3, (_, out) => this.#write(out), null);
  }

  /** Writes the fields of a layer: 15 version, 1 name, 2 features, 3 keys, 4 values, 5 extent. */
  #write(out: PbfWriter): void {
    out.writeVarintField(15, 2);
    out.writeStringField(1, this.#name);
    // A value is numbered within its key here; in the layer the values of all keys are numbered together.
    const firstValueOf: number[] = [];
    let count = 0;
    for (const values of this.#values) {
      firstValueOf.push(count);
      count += values.size;
    }
    for (const { geometry, pairs } of this.#features) {
      const tags = pairs.flatMap(({ key, value }) => [key, firstValueOf[key] + value]);
      out.writeMessage(2, writeFeature, { tags, geometry });
    }
    for (const key of this.#keys.keys()) out.writeStringField(3, key);
    for (const values of this.#values) for (const value of values.keys()) out.writeMessage(4, writeValue, value);
    out.writeVarintField(5, this.#extent);
  }
}

/** Writes a feature of the vector tile specification: its tags (2), type (3) and geometry (4). */
function writeFeature({ tags, geometry }: { tags: number[]; geometry: Uint8Array }, out: PbfWriter): void {
  out.writePackedVarint(2, tags);
  out.writeVarintField(3, POLYGON);
  out.writeBytesField(4, geometry);
}

/** Writes a value. Its field tells its type: 1 text, 3 number, 5 whole number of 0 or more. */
function writeValue(value: string | number, out: PbfWriter): void {
  if (typeof value === 'string') out.writeStringField(1, value);
  else if (Number.isInteger(value) && value >= 0) out.writeVarintField(5, value);
  else out.writeDoubleField(3, value);
}

/** The index of a key. A new key gets the next index. */
function indexIn<Key>(indices: Map<Key, number>, key: Key): number {
  const index = indices.get(key);
  if (index !== undefined) return index;
  indices.set(key, indices.size);
  return indices.size - 1;
}
