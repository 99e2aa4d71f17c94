import { crc32, deflateSync } from 'node:zlib';

/*
 * Files of elevation as they are published, made of heights.
 */

/** Row by row from the north-west; null: no data. */
type Heights = readonly (number | null)[];

export const tileText = (heights: Heights, side = 256): string =>
  Array.from({ length: side }, (_, row) =>
    heights
      .slice(row * side, (row + 1) * side)
      .map((height) => (height === null ? 'e' : height.toFixed(2)))
      .join(','),
  ).join('\n');

/** Red, green and blue of a height. */
function colourOf(height: number | null): [number, number, number] {
  const number = height === null ? 2 ** 23 : Math.round(height * 100) + (height < 0 ? 2 ** 24 : 0);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** @param filter of all rows, 0 to 4; `palette`: with a table of colours */
export function tilePng(heights: Heights, { side = 256, filter = 0, palette = false, alpha = false } = {}): Buffer {
  const colours = heights.map(colourOf);
  const table = palette ? [...new Map(colours.map((colour) => [colour.join(), colour])).values()] : [];
  const step = palette ? 1 : alpha ? 4 : 3;
  const at = (i: number): number[] => {
    if (palette) return [table.findIndex((colour) => colour.join() === colours[i]?.join())];
    return alpha ? [...(colours[i] ?? []), heights[i] === null ? 0 : 255] : (colours[i] ?? []);
  };
  const rows = Array.from({ length: side }, (_, row) =>
    Buffer.from(Array.from({ length: side }, (_, column) => at(row * side + column)).flat()),
  );
  const data = Buffer.concat(
    rows.flatMap((row, i) => [Buffer.from([filter]), filtered(row, rows[i - 1], step, filter)]),
  );
  return png(side, palette ? 3 : alpha ? 6 : 2, data, palette ? [chunk('PLTE', Buffer.from(table.flat()))] : []);
}

/** A square picture in black. */
export const greyPng = (side: number): Buffer => png(side, 0, Buffer.alloc(side * (side + 1)));

/** @param colour type: 0 grey, 2 RGB, 3 palette, 6 RGBA; `data`: rows, each with its filter in front */
function png(side: number, colour: number, data: Buffer, others: readonly Buffer[] = []): Buffer {
  const header = Buffer.from([0, 0, side >> 8, side & 255, 0, 0, side >> 8, side & 255, 8, colour, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...others,
    chunk('IDAT', deflateSync(data)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function filtered(row: Buffer, above: Buffer | undefined, step: number, filter: number): Buffer {
  return Buffer.from(
    row.map((value, i) => {
      const [a, b, c] = [row[i - step] ?? 0, above?.[i] ?? 0, above?.[i - step] ?? 0];
      const [da, db, dc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
      const paeth = da <= db && da <= dc ? a : db <= dc ? b : c;
      return value - ([0, a, b, (a + b) >> 1, paeth][filter] ?? 0);
    }),
  );
}

export function chunk(type: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A file of 基盤地図情報: `columns` × `rows` heights from `start` on. */
export const gsiXml = (
  [south, west, north, east]: readonly [number, number, number, number],
  [columns, rows]: readonly [number, number],
  heights: Heights,
  start = '0 0',
): string => `<?xml version="1.0" encoding="UTF-8"?>
<Dataset xmlns:gml="http://www.opengis.net/gml/3.2" xmlns="http://fgd.gsi.go.jp/spec/2008/FGD_GMLSchema" gml:id="Dataset1">
<DEM gml:id="DEM001"><type>5mメッシュ（標高）</type><mesh>53393599</mesh><coverage gml:id="DEM001-3">
<gml:boundedBy><gml:Envelope srsName="fguuid:jgd2011.bl">
<gml:lowerCorner>${south} ${west}</gml:lowerCorner>
<gml:upperCorner>${north} ${east}</gml:upperCorner>
</gml:Envelope></gml:boundedBy>
<gml:gridDomain><gml:Grid gml:id="DEM001-4" dimension="2"><gml:limits><gml:GridEnvelope>
<gml:low>0 0</gml:low><gml:high>${columns - 1} ${rows - 1}</gml:high>
</gml:GridEnvelope></gml:limits><gml:axisLabels>x y</gml:axisLabels></gml:Grid></gml:gridDomain>
<gml:rangeSet><gml:DataBlock><gml:rangeParameters><gml:QuantityList uom="DEM構成点"/></gml:rangeParameters>
<gml:tupleList>
${heights.map((height) => (height === null ? 'データなし,-9999.' : `地表面,${height.toFixed(2)}`)).join('\n')}
</gml:tupleList></gml:DataBlock></gml:rangeSet>
<gml:coverageFunction><gml:GridFunction><gml:sequenceRule order="+x-y">Linear</gml:sequenceRule>
<gml:startPoint>${start}</gml:startPoint></gml:GridFunction></gml:coverageFunction>
</coverage></DEM></Dataset>
`;

/** Relief of PLATEAU: triangles of latitude, longitude and height of three corners. */
export const relief = (triangles: readonly (readonly number[])[], epsg = 6697): string => `<?xml version="1.0"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:dem="http://www.opengis.net/citygml/relief/2.0" xmlns:gml="http://www.opengis.net/gml">
<gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/${epsg}" srsDimension="3"><gml:lowerCorner>35 139 0</gml:lowerCorner><gml:upperCorner>36 140 9</gml:upperCorner></gml:Envelope></gml:boundedBy>
<core:cityObjectMember><dem:ReliefFeature gml:id="dem_1"><dem:lod>1</dem:lod><dem:reliefComponent><dem:TINRelief gml:id="tin_1"><dem:lod>1</dem:lod><dem:tin><gml:TriangulatedSurface><gml:trianglePatches>
${triangles
  .map(
    (corners) =>
      `<gml:Triangle><gml:exterior><gml:LinearRing><gml:posList>${[...corners, ...corners.slice(0, 3)].join(' ')}</gml:posList></gml:LinearRing></gml:exterior></gml:Triangle>`,
  )
  .join('\n')}
</gml:trianglePatches></gml:TriangulatedSurface></dem:tin></dem:TINRelief></dem:reliefComponent></dem:ReliefFeature></core:cityObjectMember>
</core:CityModel>
`;

export interface TiffForm {
  width: number;
  height: number;
  bits: number;
  format: 'signed' | 'float';
  compression: 'none' | 'lzw' | 'deflate';
  predictor: 1 | 2 | 3;
  /** Side of tiles; null for strips of `rowsPerStrip`. */
  tile: number | null;
  rowsPerStrip: number;
  littleEndian: boolean;
  noData: number;
  /** West and north edge and the side of a cell. */
  place: readonly [west: number, north: number, cell: number];
  /** EPSG code, by the key of GeoTIFF for it. */
  system: readonly [key: 2048 | 3072, epsg: number];
  isPoint: boolean;
}

export const TIFF: TiffForm = {
  width: 70,
  height: 50,
  bits: 32,
  format: 'float',
  compression: 'none',
  predictor: 1,
  tile: null,
  rowsPerStrip: 7,
  littleEndian: true,
  noData: -9999,
  place: [139.7, 35.7, 1 / 18_000],
  system: [2048, 6668],
  isPoint: false,
};

/** A GeoTIFF of heights, or one with other tags where they are given by number: [type, values]. */
export function geoTiff(heights: Heights, form: TiffForm, others: Record<number, [number, number[]]> = {}): Buffer {
  const { width, height, tile, rowsPerStrip, littleEndian: le } = form;
  const [columns, rows] = tile === null ? [width, rowsPerStrip] : [tile, tile];
  const blocks: Buffer[] = [];
  for (let row = 0; row < height; row += rows) {
    for (let column = 0; column < width; column += columns) {
      const down = tile === null ? Math.min(rows, height - row) : rows;
      const values = Array.from({ length: down * columns }, (_, i) => {
        const [r, c] = [row + Math.floor(i / columns), column + (i % columns)];
        return r < height && c < width ? (heights[r * width + c] ?? form.noData) : form.noData;
      });
      blocks.push(packed(values, columns, form));
    }
  }
  const [west, north, cell] = form.place;
  const shift = form.isPoint ? cell / 2 : 0;
  const [key, epsg] = form.system;
  const tags: Record<number, [number, number[]]> = {
    256: [4, [width]],
    257: [4, [height]],
    258: [3, [form.bits]],
    262: [3, [1]],
    277: [3, [1]],
    259: [3, [{ none: 1, lzw: 5, deflate: 8 }[form.compression]]],
    317: [3, [form.predictor]],
    339: [3, [form.format === 'float' ? 3 : 2]],
    ...(tile === null
      ? { 273: [4, blocks.map(() => 0)], 278: [4, [rowsPerStrip]], 279: [4, blocks.map(({ length }) => length)] }
      : {
          322: [4, [tile]],
          323: [4, [tile]],
          324: [4, blocks.map(() => 0)],
          325: [4, blocks.map(({ length }) => length)],
        }),
    33550: [12, [cell, cell, 0]],
    33922: [12, [0, 0, 0, west + shift, north - shift, 0]],
    34735: [3, [1, 1, 0, 3, 1024, 0, 1, key === 2048 ? 2 : 1, 1025, 0, 1, form.isPoint ? 2 : 1, key, 0, 1, epsg]],
    42113: [2, [...Buffer.from(`${form.noData}\0`)]],
    ...others,
  };
  const numbers = Object.keys(tags).map(Number);
  let at = 8 + 2 + 12 * numbers.length + 4;
  const extra: Buffer[] = [];
  const entries = numbers.map((tag) => {
    const [type, values] = tags[tag] ?? [0, []];
    const size = TYPE_BYTES[type] ?? 1;
    const bytes = Buffer.concat(values.map((value) => fieldOf(value, type, le)));
    const entry = Buffer.alloc(12);
    fieldOf(tag, 3, le).copy(entry, 0);
    fieldOf(type, 3, le).copy(entry, 2);
    fieldOf(values.length, 4, le).copy(entry, 4);
    if (size * values.length <= 4) bytes.copy(entry, 8);
    else {
      fieldOf(at, 4, le).copy(entry, 8);
      extra.push(bytes);
      at += bytes.length;
    }
    return { tag, entry, offset: size * values.length <= 4 ? null : at - bytes.length };
  });
  const head = Buffer.concat([
    Buffer.from(le ? 'II*\0' : 'MM\0*', 'latin1'),
    fieldOf(8, 4, le),
    fieldOf(numbers.length, 3, le),
  ]);
  const file = Buffer.concat([head, ...entries.map(({ entry }) => entry), Buffer.alloc(4), ...extra, ...blocks]);
  const offsets = entries.findIndex(({ tag }) => tag === (tile === null ? 273 : 324));
  const place = entries[offsets]?.offset ?? 10 + 12 * offsets + 8;
  if (!((tile === null ? 273 : 324) in others))
    blocks.forEach((block, i) => {
      fieldOf(at, 4, le).copy(file, place + 4 * i);
      at += block.length;
    });
  return file;
}

/** Bytes of the types of tags that have more than one. */
const TYPE_BYTES: Readonly<Record<number, number>> = { 3: 2, 4: 4, 12: 8, 17: 8 };

function fieldOf(value: number, type: number, littleEndian: boolean): Buffer {
  const view = new DataView(new ArrayBuffer(8));
  if (type === 12) view.setFloat64(0, value, littleEndian);
  else if (type === 3) view.setUint16(0, value, littleEndian);
  else if (type === 4) view.setUint32(0, value, littleEndian);
  else if (type === 17) view.setBigInt64(0, BigInt(value), littleEndian);
  else if (type === 6) view.setInt8(0, value);
  else view.setUint8(0, value);
  return Buffer.from(view.buffer, 0, TYPE_BYTES[type] ?? 1);
}

function packed(values: readonly number[], columns: number, form: TiffForm): Buffer {
  const { bits, format, littleEndian: le, compression, predictor } = form;
  const size = bits / 8;
  const view = new DataView(new ArrayBuffer(values.length * size));
  values.forEach((value, i) => {
    if (format === 'float') bits === 32 ? view.setFloat32(4 * i, value, le) : view.setFloat64(8 * i, value, le);
    else bits === 16 ? view.setInt16(2 * i, Math.round(value), le) : view.setInt32(4 * i, Math.round(value), le);
  });
  let bytes: Buffer = Buffer.from(view.buffer);
  const rows = values.length / columns;
  if (predictor === 2) {
    for (let row = 0; row < rows; row++) {
      for (let i = (row + 1) * columns - 1; i > row * columns; i--) {
        if (bits === 16) view.setUint16(2 * i, view.getUint16(2 * i, le) - view.getUint16(2 * i - 2, le), le);
        else view.setUint32(4 * i, view.getUint32(4 * i, le) - view.getUint32(4 * i - 4, le), le);
      }
    }
  } else if (predictor === 3) {
    const planes = Buffer.alloc(bytes.length);
    for (let row = 0; row < rows; row++) {
      const from = row * columns * size;
      for (let i = 0; i < columns * size; i++) {
        const [byte, column] = [Math.floor(i / columns), i % columns];
        planes[from + i] = bytes[from + column * size + (le ? size - 1 - byte : byte)] ?? 0;
      }
      for (let i = columns * size - 1; i > 0; i--)
        planes[from + i] = (planes[from + i] ?? 0) - (planes[from + i - 1] ?? 0);
    }
    bytes = planes;
  }
  if (compression === 'deflate') return deflateSync(bytes);
  return compression === 'lzw' ? lzw(bytes) : bytes;
}

/** Packs bytes as LZW of TIFF. */
function lzw(bytes: Buffer): Buffer {
  const out: number[] = [];
  let [bits, held] = [0, 0];
  let [table, width] = [new Map<string, number>(), 9];
  const put = (code: number): void => {
    bits = (bits << width) | code;
    held += width;
    while (held >= 8) {
      held -= 8;
      out.push((bits >> held) & 255);
    }
    bits &= (1 << held) - 1;
  };
  const codeOf = (text: string): number => (text.length === 1 ? text.charCodeAt(0) : (table.get(text) ?? -1));
  put(256);
  let text = '';
  for (const byte of bytes) {
    const longer = text + String.fromCharCode(byte);
    if (codeOf(longer) >= 0) {
      text = longer;
      continue;
    }
    put(codeOf(text));
    table.set(longer, 258 + table.size);
    if (258 + table.size === 4094) {
      put(256);
      [table, width] = [new Map(), 9];
    } else if (258 + table.size >= 1 << width) width++;
    text = String.fromCharCode(byte);
  }
  if (text !== '') put(codeOf(text));
  put(257);
  if (held > 0) out.push((bits << (8 - held)) & 255);
  return Buffer.from(out);
}
