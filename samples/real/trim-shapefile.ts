/** The two tables of a polygon shapefile that have a record per shape. */
interface ShapefileTables {
  shp: Buffer;
  dbf: Buffer;
}

export type Box = [west: number, south: number, east: number, north: number];

const SHP_HEADER = 100;
const RECORD_HEADER = 8;

/** The records whose box meets `area`, byte for byte as published, under headers with their new numbers; with the index. */
export function trimShapefile({ shp, dbf }: ShapefileTables, area: Box): ShapefileTables & { shx: Buffer } {
  const shapes = shapeRecords(shp);
  const kept = shapes.flatMap((shape, i) => (meets(boxAt(shape), area) ? [i] : []));
  const rowsFrom = dbf.readUInt16LE(8);
  const rowBytes = dbf.readUInt16LE(10);
  const rows = kept.map((i) => dbf.subarray(rowsFrom + i * rowBytes, rowsFrom + (i + 1) * rowBytes));
  const head = Buffer.from(dbf.subarray(0, rowsFrom));
  head.writeUInt32LE(kept.length, 4);
  return {
    ...shapeFiles(
      shp,
      kept.map((i) => shapes[i]!),
    ),
    dbf: Buffer.concat([head, ...rows, Buffer.from([0x1a])]),
  };
}

/** The contents of every record, without the record headers. */
function shapeRecords(shp: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = SHP_HEADER; at < shp.length; ) {
    const bytes = 2 * shp.readInt32BE(at + 4);
    records.push(shp.subarray(at + RECORD_HEADER, at + RECORD_HEADER + bytes));
    at += RECORD_HEADER + bytes;
  }
  return records;
}

function shapeFiles(published: Buffer, contents: Buffer[]): { shp: Buffer; shx: Buffer } {
  const boxes = contents.map(boxAt);
  const all: Box = [
    Math.min(...boxes.map(([west]) => west)),
    Math.min(...boxes.map(([, south]) => south)),
    Math.max(...boxes.map(([, , east]) => east)),
    Math.max(...boxes.map(([, , , north]) => north)),
  ];
  const body: Buffer[] = [];
  const index: Buffer[] = [];
  let at = SHP_HEADER;
  for (const [i, content] of contents.entries()) {
    body.push(bigEndian(i + 1, content.length / 2), content);
    index.push(bigEndian(at / 2, content.length / 2));
    at += RECORD_HEADER + content.length;
  }
  return {
    shp: Buffer.concat([header(published, at, all), ...body]),
    shx: Buffer.concat([header(published, SHP_HEADER + RECORD_HEADER * index.length, all), ...index]),
  };
}

function header(published: Buffer, bytes: number, box: Box): Buffer {
  const head = Buffer.from(published.subarray(0, SHP_HEADER));
  head.writeInt32BE(bytes / 2, 24);
  for (const [i, value] of box.entries()) head.writeDoubleLE(value, 36 + 8 * i);
  return head;
}

const boxAt = (content: Buffer): Box =>
  [4, 12, 20, 28].map((at) => content.readDoubleLE(at)) as [number, number, number, number];

const meets = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

function bigEndian(...values: [number, number]): Buffer {
  const out = Buffer.alloc(8);
  out.writeInt32BE(values[0], 0);
  out.writeInt32BE(values[1], 4);
  return out;
}
