import { cp932 } from './cp932.ts';

/** One record: rings of [x, y], closed by the writer; outer rings clockwise, holes counter-clockwise. */
export interface ShapeRecord {
  rings: [number, number][][];
  attributes: Record<string, string>;
}

export interface ShapeColumn {
  name: string;
  type: 'C' | 'N';
  width: number;
}

export const JGD2011 =
  'GEOGCS["GCS_JGD_2011",DATUM["D_JGD_2011",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

const POLYGON = 5;

/** The files of a polygon shapefile (ESRI, 1998) with a dBASE III table in cp932, by extension. */
export function shapefile(
  records: ShapeRecord[],
  columns: ShapeColumn[],
): Record<'shp' | 'shx' | 'dbf' | 'prj', Uint8Array> {
  const contents = records.map(({ rings }) => polygonContent(rings.map((ring) => [...ring, ring[0]])));
  const box = boxOf(records.flatMap(({ rings }) => rings.flat()));
  const shpBytes = 100 + contents.reduce((sum, content) => sum + 8 + content.length, 0);
  const index: Buffer[] = [];
  const body: Buffer[] = [];
  let offset = 100;
  for (const [i, content] of contents.entries()) {
    const words = content.length / 2;
    index.push(bigEndian(offset / 2, words));
    body.push(bigEndian(i + 1, words), content);
    offset += 8 + content.length;
  }
  return {
    shp: Buffer.concat([header(shpBytes, box), ...body]),
    shx: Buffer.concat([header(100 + 8 * records.length, box), ...index]),
    dbf: dbase(
      records.map(({ attributes }) => attributes),
      columns,
    ),
    prj: Buffer.from(JGD2011, 'latin1'),
  };
}

type Box = [west: number, south: number, east: number, north: number];

function boxOf(points: [number, number][]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function header(bytes: number, box: Box): Buffer {
  const out = Buffer.alloc(100);
  out.writeInt32BE(9994, 0);
  out.writeInt32BE(bytes / 2, 24);
  out.writeInt32LE(1000, 28);
  out.writeInt32LE(POLYGON, 32);
  for (const [i, value] of box.entries()) out.writeDoubleLE(value, 36 + 8 * i);
  return out;
}

function bigEndian(...values: number[]): Buffer {
  const out = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) out.writeInt32BE(value, 4 * i);
  return out;
}

function polygonContent(rings: [number, number][][]): Buffer {
  const points = rings.flat();
  const out = Buffer.alloc(44 + 4 * rings.length + 16 * points.length);
  out.writeInt32LE(POLYGON, 0);
  for (const [i, value] of boxOf(points).entries()) out.writeDoubleLE(value, 4 + 8 * i);
  out.writeInt32LE(rings.length, 36);
  out.writeInt32LE(points.length, 40);
  let first = 0;
  for (const [i, ring] of rings.entries()) {
    out.writeInt32LE(first, 44 + 4 * i);
    first += ring.length;
  }
  for (const [i, [x, y]] of points.entries()) {
    out.writeDoubleLE(x, 44 + 4 * rings.length + 16 * i);
    out.writeDoubleLE(y, 52 + 4 * rings.length + 16 * i);
  }
  return out;
}

function dbase(rows: Record<string, string>[], columns: ShapeColumn[]): Buffer {
  const rowBytes = 1 + columns.reduce((sum, { width }) => sum + width, 0);
  const head = Buffer.alloc(32 + 32 * columns.length + 1);
  head.set([3, 124, 3, 22]); // dBASE III, 22 March 2024
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(rowBytes, 10);
  head[29] = 0x13; // cp932
  for (const [i, { name, type, width }] of columns.entries()) {
    head.write(name, 32 + 32 * i, 'latin1');
    head.write(type, 43 + 32 * i, 'latin1');
    head[48 + 32 * i] = width;
  }
  head[head.length - 1] = 0x0d;
  const cells = rows.flatMap((row) => [
    Buffer.from(' '),
    ...columns.map((column) => cell(row[column.name] ?? '', column)),
  ]);
  return Buffer.concat([head, ...cells, Buffer.from([0x1a])]);
}

/** Text to the left, numbers to the right, spaces around. */
function cell(text: string, { name, type, width }: ShapeColumn): Buffer {
  const bytes = cp932(text);
  if (bytes.length > width) throw new Error(`${name}: ${JSON.stringify(text)} is longer than ${width} bytes`);
  const out = Buffer.alloc(width, ' ');
  out.set(bytes, type === 'N' ? width - bytes.length : 0);
  return out;
}
