import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { tileBox } from '../../src/geo/web-tile.ts';
import { Elevation, type ElevationGrid } from '../../src/terrain/elevation.ts';
import { elevationOf, openElevationFile } from '../../src/terrain/elevation-files.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeZip } from '../support/write-zip.ts';
import { chunk, geoTiff, greyPng, gsiXml, relief, TIFF, type TiffForm, tilePng, tileText } from './files.ts';

const folder = tempFolder({ after });
let files = 0;

/** Writes a file and opens it. */
async function open(name: string, bytes: Buffer | string) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const opened = await openElevationFile({ name, path, entry: null, size: bytes.length }, folder, files++);
  return { ...opened, elevation: elevationOf(opened.pieces) };
}

/** Heights of a slope with a pit: with two decimals, some below 0. */
const slope = (columns: number, rows: number, noData: (i: number) => boolean = () => false) =>
  Array.from({ length: columns * rows }, (_, i) =>
    noData(i) ? null : Math.round(100 * ((i % columns) * 0.37 - Math.floor(i / columns) * 0.21)) / 100,
  );

/** The centre of a cell of a grid in degrees. */
const centreOf =
  ({ west, south, east, north }: Omit<ElevationGrid, 'heights'>, columns: number, rows: number) =>
  (c: number, r: number) =>
    [north - ((r + 0.5) / rows) * (north - south), west + ((c + 0.5) / columns) * (east - west)] as const;

const ruined = (bytes: Buffer): Buffer => bytes.fill(0x55, bytes.length - 200);

const near = (found: number, expected: number | null, places = 1e-3): void => {
  if (expected === null) assert.ok(Number.isNaN(found), `${found}, expected no height`);
  else assert.ok(Math.abs(found - expected) <= places, `${found}, expected ${expected}`);
};

describe('elevation of several grids', () => {
  const grid = (west: number, columns: number, heights: readonly number[], spacing = 1): ElevationGrid => ({
    west,
    south: 35,
    east: west + columns * 0.001,
    north: 35 + 0.001 * (heights.length / columns),
    columns,
    rows: heights.length / columns,
    heights: Float32Array.from(heights),
    spacing,
  });

  it('is bilinear between the centres of cells, across files too', () => {
    const plane = (column: number, row: number): number => 10 + 4 * column - 2 * row;
    const cells = (first: number) => Array.from({ length: 9 }, (_, i) => plane(first + (i % 3), Math.floor(i / 3)));
    const both = new Elevation([grid(139, 3, cells(0)), grid(139.003, 3, cells(3))]);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 5, noNaN: true }), fc.double({ min: 0, max: 2, noNaN: true }), (x, y) => {
        near(both.heightAt(35.003 - (y + 0.5) * 0.001, 139 + (x + 0.5) * 0.001), plane(x, y), 1e-4);
      }),
    );
  });

  it('asks the coarser grid where the finer one knows nothing, and nobody beyond', () => {
    const fine = grid(139, 2, [1, Number.NaN, 1, 1], 5);
    const coarse = grid(139, 4, new Array(16).fill(7), 10);
    const elevation = new Elevation([coarse, fine]);
    near(elevation.heightAt(35.0005, 139.0005), 1);
    near(elevation.heightAt(35.0015, 139.0015), 7);
    near(elevation.heightAt(35.0035, 139.0035), 7);
    near(elevation.heightAt(35.0041, 139.001), null);
    near(new Elevation([]).heightAt(35, 139), null);
  });

  it('reads a file when it is needed, and holds no more than it may', () => {
    let reads = 0;
    const lazy = (west: number) => {
      const whole = grid(west, 2, [west, west, west, west]);
      const read = () => {
        reads++;
        return whole;
      };
      return { ...whole, name: String(west), read };
    };
    const elevation = new Elevation([139, 139.01, 139.02].map(lazy), 2 * 16);
    const at = (west: number): number => elevation.heightAt(35.001, west + 0.001);
    assert.equal(reads, 0);
    for (const west of [139, 139, 139.01, 139]) near(at(west), west, 1e-4);
    assert.equal(reads, 2);
    near(at(139.02), 139.02, 1e-4);
    near(at(139.01), 139.01, 1e-4);
    assert.equal(reads, 4, 'the one that was asked for longest ago had been dropped');
  });
});

describe('elevation tiles of 国土地理院', () => {
  const heights = slope(256, 256, (i) => i % 1000 === 7);
  const place = { z: 15, x: 29_100, y: 12_903 };
  const extent = tileBox(place);

  for (const [what, bytes] of [
    ['text', tileText(heights)],
    ...[0, 1, 2, 3, 4].map((filter) => [`PNG, filter ${filter}`, tilePng(heights, { filter })] as const),
    ['PNG with opacity', tilePng(heights, { alpha: true, filter: 4 })],
  ] as const) {
    it(`reads ${what}`, async () => {
      const name = `dem5a/15/29100/12903.${what === 'text' ? 'txt' : 'png'}`;
      const { elevation, known, unknown, pieces } = await open(name, bytes);
      assert.deepEqual([known, unknown], [256 * 256 - 66, 66]);
      assert.ok(Math.abs((pieces[0]?.spacing ?? 0) - 3.87) < 0.05, `${pieces[0]?.spacing} m`);
      const grid = elevation.files[0];
      assert.ok(grid && 'read' in grid);
      assert.deepEqual([grid.west, grid.south], [extent.west, extent.south]);
      const found = grid.read().heights;
      for (const [i, height] of heights.entries()) near(found[i] ?? 0, height);
      near(elevation.heightAt(extent.north, extent.west), heights[0] ?? null);
    });
  }

  it('reads a palette', async () => {
    const flat = Array.from({ length: 256 * 256 }, (_, i) => [1.5, -2.25, null][i % 3] ?? null);
    const { elevation, unknown } = await open('15/29100/12904.png', tilePng(flat, { palette: true }));
    assert.equal(unknown, 21_845);
    const grid = elevation.files[0];
    assert.ok(grid && 'read' in grid);
    assert.deepEqual([...grid.read().heights.subarray(0, 2)], [1.5, -2.25]);
  });

  it('lies where its folders say', () => {
    // The tile of the example in the specification, over Tokyo Bay.
    const { west, north } = tileBox({ z: 14, x: 14_547, y: 6463 });
    assert.deepEqual([west.toFixed(6), north.toFixed(6)], ['139.636230', '35.478565']);
  });

  const png = tilePng(heights);
  for (const [what, name, bytes, message] of [
    ['no tile in the path', 'tile.png', png, /tile\.png: its path does not say which tile it is; expected/],
    ['a column that no zoom has', '3/9/1.png', png, /its path does not say which tile/],
    ['a tile over the ocean', '15/1/12903.png', png, /which is not in Japan/],
    ['cut', '15/29100/1.png', png.subarray(0, 5000), /is cut off: get it again|not in Japan/],
    [
      'a flipped bit',
      '15/29100/12903.png',
      Buffer.from(png.map((byte, i) => (i === 900 ? byte ^ 4 : byte))),
      /the PNG is damaged \(.*\): get it again/,
    ],
    [
      'another size',
      '15/29100/12903.png',
      tilePng(slope(128, 128), { side: 128 }),
      /128 × 128 pixels; expected 256 × 256/,
    ],
    [
      'a picture in shades of grey',
      '15/29100/12903.png',
      greyPng(256),
      /1 channels of 8 bits; expected RGB, RGBA or a palette/,
    ],
    ['a web page', '15/29100/12903.png', '<html>', /is no PNG/],
    [
      'a picture of a billion pixels',
      '15/29100/12903.png',
      Buffer.concat([
        png.subarray(0, 8),
        chunk('IHDR', Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 8, 2, 0, 0, 0])),
        png.subarray(33),
      ]),
      /65536 × 65536 pixels; expected 256 × 256/,
    ],
    [
      'text without a line',
      '15/29100/12903.txt',
      tileText(heights).split('\n').slice(1).join('\n'),
      /expected 256 lines, found 255: get it again/,
    ],
    ['a page of an error', '15/29100/12903.txt', '<title>404</title>', /expected 256 lines, found 1: get it again/],
    [
      'text with a line that is cut',
      '15/29100/12903.txt',
      tileText(heights).replace(/,.*/, ''),
      /line 1: expected 256 values, found 1/,
    ],
    [
      'text with a word',
      '15/29100/12903.txt',
      tileText(heights).replace('0.37', 'x'),
      /line 1: "x"; expected a height in metres, or e/,
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(open(name, bytes), { name: 'ElevationFileError', message });
    });
  }
});

describe('XML of 基盤地図情報', () => {
  const box = [35.325, 139.7375, 35.325 + 1 / 120, 139.75] as const;
  const heights = slope(225, 150, (i) => i % 500 === 3);

  it('reads heights, on disk and in a zip', async () => {
    const text = gsiXml(box, [225, 150], heights);
    const { elevation, known, unknown, pieces } = await open('FG-GML-5339-35-99-DEM5A-20161001.xml', text);
    assert.deepEqual([known, unknown, pieces.length], [225 * 150 - 68, 68, 1]);
    const at = centreOf(
      { west: box[1], south: box[0], east: box[3], north: box[2], columns: 225, rows: 150, spacing: 5 },
      225,
      150,
    );
    for (const i of [0, 1, 224, 225, 20_000, 225 * 150 - 1])
      near(elevation.heightAt(...at(i % 225, Math.floor(i / 225))), heights[i] ?? null);
    const path = join(folder, 'FG-GML-5339-35-DEM5A.zip');
    writeZip(path, [{ name: 'FG-GML-5339-35-99-DEM5A-20161001.xml', data: text }]);
    const { listZip } = await import('../../src/formats/zip.ts');
    const [entry] = await listZip(path);
    assert.ok(entry);
    const zipped = await openElevationFile(
      { name: `${path}/${entry.name}`, path, entry, size: entry.uncompressedSize },
      folder,
      files++,
    );
    near(elevationOf(zipped.pieces).heightAt(...at(1, 0)), heights[1] ?? null);
  });

  it('begins at the start point, and leaves unknown what the list does not reach', async () => {
    const { elevation, known } = await open('FG-GML-1-DEM.xml', gsiXml(box, [225, 150], [5, 6, 7], '223 0'));
    assert.equal(known, 3);
    const at = centreOf(
      { west: box[1], south: box[0], east: box[3], north: box[2], columns: 225, rows: 150, spacing: 5 },
      225,
      150,
    );
    near(elevation.heightAt(...at(223, 0)), 5);
    near(elevation.heightAt(...at(0, 1)), 7);
    near(elevation.heightAt(...at(3, 1)), null);
  });

  const text = gsiXml(box, [225, 150], heights);
  for (const [what, bytes, message] of [
    ['cut inside the list', text.slice(0, 90_000), /ends inside gml:tupleList: it is cut off/],
    ['cut after the list', text.slice(0, text.indexOf('</gml:DataBlock>')), /does not end with <\/Dataset>/],
    [
      'a height too many',
      text.replace('地表面,0.37', '地表面,1.0\n地表面,0.37'),
      /has more heights than 225 × 150 cells/,
    ],
    [
      'a word',
      text.replace('地表面,0.37', '地表面,abc'),
      /height 2 of gml:tupleList is "地表面,abc"; expected 地表面,12\.30/,
    ],
    ['too many cells', text.replace('224 149', '99999 99999'), /100000 × 100000 cells .*expected a grid \(at most/],
    [
      'corners that are swapped',
      text.replace('lowerCorner>35.325 139.7375', 'lowerCorner>36.5 139.7375'),
      /from 36\.5, 139\.7375 to/,
    ],
    ['no corner', text.replace('<gml:lowerCorner>', '<gml:other>'), /gml:lowerCorner is missing; expected two numbers/],
    ['another order', text.replace('+x-y', '+y+x'), /in the order "\+y\+x"; expected \+x-y/],
    ['other XML', '<?xml version="1.0"?><a/>', /has no gml:tupleList/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(open('FG-GML-2-DEM.xml', bytes), { name: 'ElevationFileError', message });
    });
  }
});

describe('GeoTIFF', () => {
  const heights = slope(70, 50, (i) => i % 97 === 5);

  it('reads strips and tiles, all packings and predictors, both orders of bytes', async () => {
    const forms = fc.record({
      compression: fc.constantFrom('none', 'lzw', 'deflate' as const),
      numbers: fc.constantFrom(
        [16, 'signed', 1],
        [16, 'signed', 2],
        [32, 'float', 1],
        [32, 'float', 3],
        [64, 'float', 1],
        [64, 'float', 3],
        [32, 'signed', 2] as const,
      ),
      tile: fc.constantFrom(null, 16, 64),
      rowsPerStrip: fc.constantFrom(1, 7, 50),
      littleEndian: fc.boolean(),
      isPoint: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(forms, async ({ numbers, ...more }) => {
        const [bits, format, predictor] = numbers as readonly [16 | 32 | 64, 'signed' | 'float', 1 | 2 | 3];
        const form = { ...TIFF, ...more, bits, format, predictor } as TiffForm;
        const { elevation, known, unknown } = await open('a.tif', geoTiff(heights, form));
        assert.deepEqual([known, unknown], [70 * 50 - 37, 37]);
        const [west, north, cell] = form.place;
        const rounded = (height: number | null): number | null =>
          height === null || format === 'float' ? height : Math.round(height);
        for (let i = 0; i < heights.length; i += 31)
          near(
            elevation.heightAt(north - (Math.floor(i / 70) + 0.5) * cell, west + ((i % 70) + 0.5) * cell),
            rounded(heights[i] ?? null),
            2e-3,
          );
      }),
      { numRuns: 60 },
    );
  });

  it('takes metres of Web Mercator', async () => {
    const { west, north } = tileBox({ z: 15, x: 29_100, y: 12_903 });
    const [x, y] = [(west / 180) * Math.PI * 6378137, Math.asinh(Math.tan((north / 180) * Math.PI)) * 6378137];
    const form: TiffForm = { ...TIFF, place: [x, y, 4.777314267823516], system: [3072, 3857] };
    const { elevation, pieces } = await open('m.tif', geoTiff(heights, form));
    assert.ok(Math.abs((pieces[0]?.west ?? 0) - west) < 1e-9 && Math.abs((pieces[0]?.north ?? 0) - north) < 1e-9);
    near(elevation.heightAt(north - 1e-7, west + 1e-7), heights[0] ?? null, 0.01);
  });

  it('takes signed whole numbers of a tag, of 8 and of 64 bits', async () => {
    for (const type of [6, 17]) {
      const bytes = geoTiff(heights, TIFF, { 33550: [12, [0.001, 0.001, 0]], 33922: [type, [-1, -2, 0, 127, 26, 0]] });
      const { pieces } = await open('s.tif', bytes);
      near(pieces[0]?.west ?? 0, 127.001, 1e-9);
      near(pieces[0]?.north ?? 0, 25.998, 1e-9);
    }
  });

  it('heights that cannot be are unknown, and are counted', async () => {
    const { implausible, known } = await open(
      'n.tif',
      geoTiff([...slope(69, 50), ...new Array(50).fill(-32767)], TIFF),
    );
    assert.deepEqual([implausible, known], [50, 69 * 50]);
  });

  const whole = geoTiff(heights, TIFF);
  for (const [what, bytes, message] of [
    ['cut', whole.subarray(0, whole.length - 100), /strip or tile 8 ends at byte \d+, the file at \d+: it is cut off/],
    ['cut in its tags', whole.subarray(0, 60), /byte 10: the TIFF is cut off/],
    [
      'another system',
      geoTiff(heights, { ...TIFF, system: [3072, 6677] }),
      /EPSG:6677; expected EPSG:6668, 4326, 4612 or 3857: gdalwarp/,
    ],
    ['three bands', geoTiff(heights, TIFF, { 277: [3, [3]] }), /has 3 bands; expected one/],
    ['JPEG', geoTiff(heights, TIFF, { 259: [3, [7]] }), /packed by method 7; expected none, LZW or deflate/],
    ['a side of four billion', geoTiff(heights, TIFF, { 256: [4, [4e9]] }), /4000000000 × 50 cells; expected at most/],
    [
      'a strip of four billion',
      geoTiff(heights, TIFF, { 256: [4, [1e6]], 257: [4, [1e6]], 278: [4, [1e6]] }),
      /strips or tiles of 1000000 × 1000000 cells/,
    ],
    [
      'strips that are not there',
      geoTiff(heights, TIFF, { 279: [4, [1, 2]] }),
      /has 8 strips or tiles with 2 lengths; expected 8/,
    ],
    ['no place', geoTiff(heights, TIFF, { 33922: [12, [0, 0, 0]] }), /says not where it lies/],
    [
      'latitude for longitude',
      geoTiff(heights, { ...TIFF, place: [35, 139, 1 / 18_000] }),
      /which is not in Japan: are its coordinates in the wrong order/,
    ],
    [
      'damaged LZW',
      ruined(geoTiff(heights, { ...TIFF, compression: 'lzw' })),
      /strip or tile at byte \d+: .*(damaged|bytes, expected)/,
    ],
    ['deflate that is none', geoTiff(heights, TIFF, { 259: [3, [8]] }), /strip or tile at byte \d+: is damaged/],
    ['a text', Buffer.from('no picture at all'), /is no TIFF/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(open('b.tif', bytes), { name: 'ElevationFileError', message });
    });
  }

  it('ends, whatever bytes are changed', async () => {
    const packed = geoTiff(heights, { ...TIFF, compression: 'lzw' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(packed.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        async (changes) => {
          const bytes = Buffer.from(packed);
          for (const [at, byte] of changes) bytes[at] = byte;
          await open('c.tif', bytes).catch((error: Error) => assert.equal(error.name, 'ElevationFileError'));
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('relief of PLATEAU', () => {
  // A plane of 35° to 35.01° N: height 1000 (lat - 35) + 500 (lon - 139).
  const corner = (lat: number, lon: number) => [lat, lon, 1000 * (lat - 35) + 500 * (lon - 139)];
  const [a, b, c, d] = [corner(35, 139), corner(35, 139.01), corner(35.01, 139.01), corner(35.01, 139)];
  const square = [
    [...a, ...b, ...c],
    [...a, ...c, ...d],
  ];

  it('has the height of the triangle over the centre of each cell of 0.2″', async () => {
    const { elevation, known, pieces } = await open('53390000_dem_6697_op.gml', relief(square));
    assert.equal(known, 180 * 180);
    assert.ok(pieces.length >= 1 && pieces[0]?.spacing === 6.17);
    fc.assert(
      fc.property(
        fc.double({ min: 0.0001, max: 0.0099, noNaN: true }),
        fc.double({ min: 0.0001, max: 0.0099, noNaN: true }),
        (lat, lon) => near(elevation.heightAt(35 + lat, 139 + lon), 1000 * lat + 500 * lon, 2e-3),
      ),
    );
    near(elevation.heightAt(35.0101, 139.005), null);
  });

  it('upright triangles cover nothing; of two the higher one counts', async () => {
    const upright = [...a, ...b, ...[35, 139.005, 400]];
    const higher = square.map((corners) => corners.map((value, i) => (i % 3 === 2 ? value + 30 : value)));
    const { elevation } = await open('53390000_dem_6697_op.gml', relief([...higher, upright, ...square]));
    near(elevation.heightAt(35.005, 139.005), 37.5, 2e-3);
  });

  const text = relief(square);
  for (const [what, bytes, message] of [
    ['cut', text.slice(0, -200), /byte \d+: the file ends inside <.*it is cut off/],
    ['another system', relief(square, 6677), /coordinate system ".*6677"; expected EPSG:6697/],
    [
      'longitude before latitude',
      relief([[139, 35, 0, 139.1, 35, 0, 139, 35.1, 0]]),
      /a corner at latitude 139, longitude 35 is not in Japan/,
    ],
    ['a word in a corner', text.replace('139.01', 'x'), /byte \d+: "x" is not a number/],
    ['two corners', relief([a]), /byte \d+: a triangle of 6 numbers; expected latitude, longitude/],
    ['no triangles', relief([]), /has no triangles/],
    [
      'triangles as large as Japan',
      relief([[24, 124, 0, 24.1, 153, 0, 45, 141, 0]]),
      /cover more than a file of relief can/,
    ],
    [
      'buildings',
      text.replaceAll('dem:ReliefFeature', 'dem:Other').replaceAll('dem:TINRelief', 'dem:Other2'),
      /has no dem:ReliefFeature/,
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(open('53390000_dem_6697_op.gml', bytes), { name: 'ElevationFileError', message });
    });
  }
});

it('the same ground as tiles, XML, GeoTIFF and relief has the same heights', async () => {
  // Linear in latitude and longitude, so that no form loses anything between the centres of its cells.
  const place = { z: 14, x: 14_550, y: 6451 };
  const { west, south, east, north } = tileBox(place);
  const ground = (lat: number, lon: number): number => 40 + 3000 * (lat - south) + 2000 * (lon - west);
  const worldRow = (lat: number): number => Math.asinh(Math.tan((lat * Math.PI) / 180));
  const tile = Array.from({ length: 256 * 256 }, (_, i) => {
    const row = worldRow(north) - ((Math.floor(i / 256) + 0.5) / 256) * (worldRow(north) - worldRow(south));
    return ground((Math.atan(Math.sinh(row)) * 180) / Math.PI, west + (((i % 256) + 0.5) / 256) * (east - west));
  });
  const [columns, rows] = [225, 150];
  const inDegrees = (top: number, left: number, height: number, width: number): number[] =>
    Array.from({ length: columns * rows }, (_, i) =>
      ground(top - ((Math.floor(i / columns) + 0.5) / rows) * height, left + (((i % columns) + 0.5) / columns) * width),
    );
  const cell = 1 / 18_000;
  const [top, left] = [north - 0.002, west + 0.002];
  const [height, width] = [rows * cell, columns * cell];
  const cells = inDegrees(top, left, height, width);
  const form: TiffForm = { ...TIFF, width: columns, height: rows, place: [left, top, cell] };
  const corner = (lat: number, lon: number): number[] => [lat, lon, ground(lat, lon)];
  const [sw, se, ne, nw] = [
    corner(top - height, left),
    corner(top - height, left + width),
    corner(top, left + width),
    corner(top, left),
  ];
  const forms = [
    await open('same/14/14550/6451.txt', tileText(tile)),
    await open('same/14/14550/6451.png', tilePng(tile)),
    await open('same.xml', gsiXml([top - height, left, top, left + width], [columns, rows], cells)),
    await open('same.tif', geoTiff(cells, form)),
    await open(
      'same.gml',
      relief([
        [...sw!, ...se!, ...ne!],
        [...sw!, ...ne!, ...nw!],
      ]),
    ),
  ];
  for (let i = 0; i < 50; i++) {
    const lat = top - height * (0.05 + 0.9 * ((i * 0.618) % 1));
    const lon = left + width * (0.05 + 0.9 * ((i * 0.755) % 1));
    for (const { elevation } of forms) near(elevation.heightAt(lat, lon), ground(lat, lon), 0.01);
  }
});

describe('published files', () => {
  const tiff = 'terrain/gsi_5339-36_0.2arcsec.tif';
  it('the 5 m model of 5339-36', { skip: skipWithout(tiff) }, async () => {
    const path = sharedData(tiff) ?? '';
    const opened = await openElevationFile({ name: tiff, path, entry: null, size: 0 }, folder, files++);
    // As gdalinfo -stats has it: 50.65 % of 2250 × 1500 cells, -10.85 to 39.96 m.
    assert.deepEqual(
      [opened.known, opened.unknown, opened.implausible, opened.pieces.length],
      [1_709_585, 1_665_415, 0, 15],
    );
    const elevation = elevationOf(opened.pieces);
    let [lowest, highest] = [Infinity, -Infinity];
    for (const file of elevation.files) {
      assert.ok('read' in file);
      for (const height of file.read().heights) {
        if (height < lowest) lowest = height;
        if (height > highest) highest = height;
      }
    }
    assert.deepEqual([lowest.toFixed(2), highest.toFixed(2)], ['-10.85', '39.96']);
  });

  const dem = 'plateau/dem/523965_dem_6697_05_op.gml';
  it('relief of 523965', { skip: skipWithout(dem) }, async () => {
    const path = sharedData(dem) ?? '';
    const opened = await openElevationFile({ name: dem, path, entry: null, size: 0 }, folder, files++);
    const elevation = elevationOf(opened.pieces);
    // The height at a cell near the middle of each triangle is that of its plane.
    const triangles = [...readFileSync(path, 'utf8').matchAll(/<gml:posList>([^<]*)</g)].map(([, list = '']) =>
      list.trim().split(/\s+/).map(Number),
    );
    assert.equal(triangles.length, 1066);
    let far = 0;
    for (const [lat0 = 0, lon0 = 0, z0 = 0, lat1 = 0, lon1 = 0, z1 = 0, lat2 = 0, lon2 = 0, z2 = 0] of triangles) {
      const found = elevation.heightAt((lat0 + lat1 + lat2) / 3, (lon0 + lon1 + lon2) / 3);
      // Cells smooth what is narrower than they are.
      if (!(Math.abs(found - (z0 + z1 + z2) / 3) < 1)) far++;
    }
    assert.ok(far < 40, `${far} of 1066 triangles differ by more than 1 m in the middle`);
  });
});
