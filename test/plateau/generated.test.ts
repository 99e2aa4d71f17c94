import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type NumberSink, parseNumbers } from '../../src/plateau/position-parser.ts';
import { Utf8Check } from '../../src/plateau/xml/encoding.ts';
import { readAll } from './read-all.ts';
import { saxesBuildings } from './saxes-reader.ts';

/** fast-check prints seed and path of a failure; a given seed repeats it: SEED=123 node --test … */
const options = (runs: number) =>
  process.env.SEED ? { numRuns: runs, seed: Number(process.env.SEED) } : { numRuns: runs };

/** A prefix for each namespace, `''` for the default one (gml takes part too: elements only). */
const PREFIXES = fc.uniqueArray(fc.constantFrom('core', 'bldg', 'gml', 'uro', 'gen', 'a', 'b-c', '_x', '都', 'g.m.l'), {
  minLength: 5,
  maxLength: 5,
});

/** Things that may stand between elements and mean nothing. */
const NOISE = fc.constantFrom(
  '',
  ' ',
  '\n\t',
  '\r\n',
  '<!-- -->',
  '<!-- <bldg:Building> & > "quoted" -->',
  '<?target data > ?>',
  '<!--東京-->',
);

interface Ring {
  points: [number, number, number][];
}

interface Drawn {
  id: string | null;
  height: string | null;
  storeys: string | null;
  usage: string | null;
  note: string;
  solids: Ring[];
  base: number;
  top: number;
  noise: string[];
  textAs: ('plain' | 'cdata' | 'entities' | 'comment')[];
}

/**
 * Within 1 km, so that the solids of a building lie as near to each other as those of a real one; and within 60 m from
 * south to north, so that solids that are then moved apart do not overlap.
 */
const RING: fc.Arbitrary<Ring> = fc
  .tuple(
    fc.integer({ min: 3, max: 8 }),
    fc.double({ min: 35.1, max: 35.1005, noNaN: true }),
    fc.double({ min: 139.1, max: 139.11, noNaN: true }),
  )
  .map(([n, lat, lon]) => ({
    points: Array.from({ length: n }, (_, i) => [
      lat + 0.0001 * Math.sin((2 * Math.PI * i) / n),
      lon + 0.0001 * Math.cos((2 * Math.PI * i) / n),
      0,
    ]),
  }));

const BUILDING: fc.Arbitrary<Drawn> = fc.record({
  id: fc.option(fc.integer({ min: 1, max: 99_999 }).map((n) => `13101-bldg-${n}`)),
  height: fc.option(fc.constantFrom('9.5', ' 12 ', '-9999', '0', '1e1', '3.')),
  storeys: fc.option(fc.constantFrom('1', '12', '9999', '0')),
  usage: fc.option(fc.constantFrom('411', '402')),
  note: fc.string({ unit: fc.constantFrom('a', '>', '/', '&', '"', "'", '=', '屋', '𠮷', ' '), maxLength: 12 }),
  solids: fc.array(RING, { minLength: 1, maxLength: 3 }),
  base: fc.double({ min: -5, max: 400, noNaN: true }),
  top: fc.double({ min: 401, max: 900, noNaN: true }),
  noise: fc.array(NOISE, { minLength: 12, maxLength: 12 }),
  textAs: fc.array(fc.constantFrom('plain', 'cdata', 'entities', 'comment'), { minLength: 5, maxLength: 5 }),
});

const attribute = (text: string, quote: string) => {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return quote + (quote === '"' ? safe.replaceAll('"', '&quot;') : safe.replaceAll("'", '&#39;')) + quote;
};

/** The same text in different clothes. */
function clothed(text: string, as: Drawn['textAs'][number]): string {
  const half = text.length >> 1;
  if (as === 'cdata') return `${text.slice(0, half)}<![CDATA[${text.slice(half)}]]>`;
  if (as === 'entities') return [...text].map((c, i) => (i % 3 === 0 ? `&#${c.codePointAt(0)};` : c)).join('');
  if (as === 'comment') return `${text.slice(0, half)}<!-- 1 2 3 -->${text.slice(half)}`;
  return text;
}

function toXml(buildings: Drawn[], prefixes: string[]): string {
  const [core, bldg, gml, uro] = prefixes as [string, string, string, string];
  const face = (points: Ring['points'], z: number, as: Drawn['textAs'][number]) => {
    const closed = [...points, points[0]!];
    const text = closed.map(([lat, lon]) => `${lat} ${lon} ${z}`).join(' ');
    return `<${gml}:surfaceMember><${gml}:Polygon><${gml}:exterior><${gml}:LinearRing><${gml}:posList>${clothed(text, as)}</${gml}:posList></${gml}:LinearRing></${gml}:exterior></${gml}:Polygon></${gml}:surfaceMember>`;
  };
  const members = buildings.map((b, i) => {
    const n = (k: number) => b.noise[k]!;
    const value = (name: string, text: string | null, k: number) =>
      text === null
        ? ''
        : `<${bldg}:${name}${k % 2 ? ' a = "1>2"' : ''}>${clothed(text, b.textAs[k]!)}</${bldg}:${name} >${n(k)}`;
    const faces = b.solids
      .map(({ points }, s) => {
        // Moved by some 200 m, so that each is a prism of its own: of two that overlap, the readers may choose either.
        const moved = points.map(([lat, lon]): [number, number, number] => [lat + s / 500, lon, 0]);
        return face(moved, b.base, b.textAs[3]!) + n(4) + face(moved.toReversed(), b.top, b.textAs[4]!);
      })
      .join(n(5));
    const id =
      b.id === null
        ? ''
        : `<${uro}:buildingIDAttribute><${uro}:BuildingIDAttribute><${uro}:buildingID>${b.id}</${uro}:buildingID></${uro}:BuildingIDAttribute></${uro}:buildingIDAttribute>`;
    const skipped = `<${bldg}:address><x:y xmlns:x="urn:x" z=${attribute(b.note, "'")}>${n(6)}<![CDATA[</${bldg}:Building>]]></x:y><${gml}:z/></${bldg}:address>`;
    return `<${core}:cityObjectMember>${n(7)}<${bldg}:Building ${gml}:id=${attribute(`b${i}${b.note}`, i % 2 ? '"' : "'")} note="/>">${n(8)}${value('usage', b.usage, 0)}${value('measuredHeight', b.height, 1)}${value('storeysAboveGround', b.storeys, 2)}${skipped}<${bldg}:lod1Solid><${gml}:Solid><${gml}:exterior><${gml}:CompositeSurface>${faces}${n(9)}</${gml}:CompositeSurface></${gml}:exterior></${gml}:Solid></${bldg}:lod1Solid>${n(10)}${id}</${bldg}:Building>${n(11)}</${core}:cityObjectMember>`;
  });
  return `<?xml version="1.0"?><${core}:CityModel xmlns:${core}="http://www.opengis.net/citygml/2.0" xmlns:${bldg}='http://www.opengis.net/citygml/building/2.0' xmlns:${gml}="http://www.opengis.net/gml" xmlns:${uro}="https://www.geospatial.jp/iur/uro/3.1">${members.join('\n')}</${core}:CityModel>`;
}

const DOCUMENT = fc
  .tuple(fc.array(BUILDING, { minLength: 1, maxLength: 4 }), PREFIXES)
  .map(([buildings, prefixes]) => toXml(buildings, prefixes));

const withoutPlace = (document: string, chunk?: number) =>
  readAll(document, 'generated.gml', chunk).buildings.map(
    ({ source: _, roof: __, roofSurfaces: ___, ...rest }) => rest,
  );

test('generated documents: as the saxes reader has them, in chunks of any size', () => {
  fc.assert(
    fc.property(DOCUMENT, fc.integer({ min: 1, max: 700 }), (document, chunk) => {
      const expected = saxesBuildings([document]);
      assert.deepEqual(withoutPlace(document), expected);
      assert.deepEqual(withoutPlace(document, chunk), expected);
    }),
    options(150),
  );
});

test('generated documents: split in two at every byte', () => {
  const [document] = fc
    .sample(fc.array(BUILDING, { minLength: 2, maxLength: 2 }), { numRuns: 1, seed: 7 })
    .map((buildings) => toXml(buildings, ['a', '都', 'gml', 'b-c', 'gen']));
  const bytes = Buffer.from(document!);
  const whole = JSON.stringify(readAll(bytes));
  for (let at = 1; at < bytes.length; at++) {
    assert.equal(JSON.stringify(readAll(bytes, 'test.gml', at)), whole, `chunks of ${at} bytes`);
  }
});

test('numbers: the doubles of Number(), from bytes', () => {
  const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
  const NUMBER = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.double({ min: 20, max: 46, noNaN: true }).map(String),
    fc.double({ min: 122, max: 154, noNaN: true }).map(String),
    fc
      .tuple(fc.constantFrom('', '-', '+'), digits(20), fc.constantFrom('.', ''), digits(24))
      .map((parts) => parts.join('')),
    fc.tuple(digits(3), digits(15)).map(([whole, fraction]) => `${whole}.${fraction}`),
    fc.constantFrom('.5', '5.', '-0', '0.1e-7', '1E3', '9007199254740993', '0.000000000000000000001'),
    // Halfway between two doubles, to 17 digits: where rounding is hardest.
    fc.integer({ min: 2 ** 30, max: 2 ** 31 - 1 }).map((n) => {
      const odd = (BigInt(n) << 23n) | 1n;
      return `${(odd * 5n ** 17n).toString().slice(0, 17)}`.replace(/^(.{3})/, '$1.');
    }),
  );
  fc.assert(
    fc.property(
      fc.array(NUMBER, { minLength: 1, maxLength: 30 }),
      fc.constantFrom(' ', '\n', '\t \r\n'),
      (texts, space) => {
        const bytes = Buffer.from(space + texts.join(space) + space);
        const sink: NumberSink = { values: new Float64Array(1), length: 0 };
        parseNumbers(bytes, 0, bytes.length, sink);
        assert.deepEqual([...sink.values.subarray(0, sink.length)], texts.map(Number));
      },
    ),
    options(2000),
  );
});

test('numbers: what is no number is refused', () => {
  for (const text of ['x', '1 2 3x', '1,5', '--1', '1.2.3', 'NaN', 'Infinity', '1e999', '.', '-', '0x10', '１']) {
    const bytes = Buffer.from(text);
    assert.throws(
      () => parseNumbers(bytes, 0, bytes.length, { values: new Float64Array(8), length: 0 }),
      /is not a number/,
    );
  }
});

test('UTF-8: the first bad byte, wherever the stream is split', () => {
  const PIECE = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  );
  const isGood = (bytes: Uint8Array) => {
    try {
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.array(PIECE, { maxLength: 8 }), fc.integer({ min: 1, max: 9 }), (pieces, chunk) => {
      // A last ASCII character settles whether one before it was left unfinished.
      const bytes = Buffer.concat([...pieces, Buffer.from('.')]);
      const check = new Utf8Check();
      let bad = false;
      for (let from = 0; from < bytes.length && !bad; from += chunk) {
        const at = check.next(bytes.subarray(from, from + chunk));
        bad = at !== -1;
        // Whatever comes before is good but for a character that the bad byte breaks.
        if (bad)
          assert.ok([0, 1, 2, 3].some((back) => from + at >= back && isGood(bytes.subarray(0, from + at - back))));
      }
      assert.equal(!bad, isGood(bytes));
    }),
    options(3000),
  );
});
