import { PbfReader, PbfWriter } from 'pbf';
import { EXTENT } from './tile-grid.ts';
import { LayerWriter } from './tile-layer.ts';

/** The layer in which every building stands once, whole, in the tile of its representative point. */
export const BUILDINGS_LAYER = 'buildings';
/** The layer of the pieces of buildings whose own tile is a neighbour. */
export const EDGES_LAYER = 'edges';

/** A building in one tile, before the tile is put together. */
interface TileBuilding {
  buildingId: string;
  whole: boolean;
  /** Tenths of a metre. */
  heightDm: number;
  /** `faces` or, at zoom 14, `best` (hours-text.ts); empty for a building without walls. */
  hours: string;
  geometry: Uint8Array;
}

/** Puts a building behind others in a list of bytes. */
export function writeTileBuilding(building: TileBuilding, out: PbfWriter): void {
  out.writeMessage(1, writeFields, building);
}

function writeFields(building: TileBuilding, out: PbfWriter): void {
  out.writeStringField(1, building.buildingId);
  out.writeBooleanField(2, building.whole);
  out.writeVarintField(3, building.heightDm);
  out.writeStringField(4, building.hours);
  out.writeBytesField(5, building.geometry);
}

/** The buildings of such a list. */
export function readTileBuildings(bytes: Uint8Array): TileBuilding[] {
  const list: TileBuilding[] = [];
  new PbfReader(bytes).readFields((tag, buildings: TileBuilding[], from) => {
    if (tag !== 1) return;
    const empty = { buildingId: '', whole: false, heightDm: 0, hours: '', geometry: new Uint8Array(0) };
    buildings.push(from.readMessage(readField, empty));
  }, list);
  return list;
}

function readField(tag: number, building: TileBuilding, from: PbfReader): void {
  if (tag === 1) building.buildingId = from.readString();
  else if (tag === 2) building.whole = from.readBoolean();
  else if (tag === 3) building.heightDm = from.readVarint();
  else if (tag === 4) building.hours = from.readString();
  else if (tag === 5) building.geometry = from.readBytes();
}

/** The vector tile of buildings, in order of ID whatever order they come in. */
export function buildingTile(z: number, buildings: TileBuilding[]): Uint8Array {
  buildings.sort((a, b) => (a.buildingId < b.buildingId ? -1 : 1));
  const out = new PbfWriter();
  for (const whole of [true, false]) {
    const layer = new LayerWriter(whole ? BUILDINGS_LAYER : EDGES_LAYER, EXTENT);
    for (const building of buildings) {
      if (building.whole !== whole) continue;
      const { buildingId, heightDm, hours } = building;
      layer.polygon(building.geometry, {
        building_id: buildingId,
        ...(z >= 15 && whole ? { height_m: heightDm / 10 } : {}),
        ...(hours === '' ? {} : { [z >= 15 ? 'faces' : 'best']: hours }),
      });
    }
    layer.finish(out);
  }
  return out.finish();
}
