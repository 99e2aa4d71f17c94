import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CityGmlError } from '../../src/plateau/building.ts';
import { readAll } from './read-all.ts';

const NAMESPACES =
  'xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gml="http://www.opengis.net/gml"';
const RING =
  '<gml:exterior><gml:LinearRing><gml:posList>35.6 139.7 0 35.6 139.71 0 35.61 139.7 0 35.6 139.7 0</gml:posList></gml:LinearRing></gml:exterior>';
const building = (attributes = '') =>
  `<core:cityObjectMember><bldg:Building gml:id="a"><bldg:measuredHeight>5</bldg:measuredHeight><bldg:lod0FootPrint><gml:MultiSurface${attributes}><gml:surfaceMember><gml:Polygon>${RING}</gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0FootPrint></bldg:Building></core:cityObjectMember>`;
const model = (body: string, head = '<?xml version="1.0" encoding="UTF-8"?>') =>
  `${head}<core:CityModel ${NAMESPACES}>${body}</core:CityModel>`;
const SOUND = model(building());

const utf16 = (text: string, bom: number[]) => Buffer.concat([Buffer.from(bom), Buffer.from(text, 'utf16le')]);
/** 東京 in Shift_JIS. */
const SHIFT_JIS = Buffer.from([0x93, 0x8c, 0x8b, 0x9e]);
const withShiftJis = (document: string) => {
  const at = document.indexOf('<bldg:measuredHeight');
  return Buffer.concat([
    Buffer.from(document.slice(0, at)),
    Buffer.from('<!--'),
    SHIFT_JIS,
    Buffer.from(`-->${document.slice(at)}`),
  ]);
};
const crs = (srsName: string) => model(building(` srsName="${srsName}"`));

/** What is wrong, the bytes, and what the one line must say. */
const BAD: [what: string, document: string | Buffer, says: RegExp][] = [
  ['an empty file', '', /the file is empty; expected CityGML/],
  ['only white space', ' \n ', /no element in the file; expected a core:CityModel/],
  ['UTF-16 with a mark', utf16(SOUND, [0xff, 0xfe]), /found UTF-16 \(little-endian\); expected .* UTF-8/],
  ['UTF-16 without a mark', utf16(SOUND, []), /found UTF-16/],
  [
    'Shift_JIS as declared',
    withShiftJis(SOUND.replace('UTF-8', 'Shift_JIS')),
    /declared as shift_jis; expected UTF-8: convert/,
  ],
  ['Shift_JIS in secret', withShiftJis(SOUND), /byte \d+: the bytes are not UTF-8 \(Shift_JIS\?\); convert the file/],
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), /found gzip; expected CityGML/],
  ['a zip', Buffer.from('PK\u0003\u0004................................'), /found a zip without the ending/],
  ['JSON', '{"type": "FeatureCollection", "features": []}', /found "\{"type": "FeatureCollect"; expected CityGML/],
  ['CSV', 'id,lat,lon\n1,35,139\n2,35,139\n3,35,139\n', /expected CityGML/],
  ['HTML', '<!DOCTYPE html><html><body></body></html>', /the outermost element is <html>; expected core:CityModel/],
  [
    'another XML',
    '<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1"/>',
    /is <gpx>; expected core:CityModel/,
  ],
  ['CityGML 1.0', SOUND.replaceAll('/2.0', '/1.0'), /CityGML 1\.0 is not read; expected CityGML 2\.0 or 3\.0/],
  ['CityGML 4.0', SOUND.replaceAll('/2.0', '/4.0'), /CityGML 4\.0 is not read/],
  ['no buildings', model(''), /CityGML without a bldg:Building; found nothing/],
  [
    'another theme',
    model(
      '<core:cityObjectMember><tran:Road xmlns:tran="http://www.opengis.net/citygml/transportation/2.0"/></core:cityObjectMember>',
    ),
    /without a bldg:Building; found 1 tran:Road/,
  ],
  [
    'a cut in a tag',
    SOUND.slice(0, SOUND.indexOf('<gml:posList') + 5),
    /ends inside <gml:LinearRing>, which begins at byte \d+; it is cut off/,
  ],
  ['a cut in a text', SOUND.slice(0, SOUND.indexOf('139.71')), /ends inside <gml:posList>/],
  ['a cut between tags', SOUND.slice(0, -'</core:CityModel>'.length), /ends inside <core:CityModel>/],
  ['a cut in a comment', `${SOUND}<!-- and`, /ends inside a tag or comment/],
  ['a cut in a character', Buffer.from(`${SOUND}<!-- 東`).subarray(0, -1), /ends inside/],
  [
    'a wrong end tag',
    SOUND.replace('</gml:Polygon>', '</gml:Polygone>'),
    /found <\/gml:Polygone>, expected <\/gml:Polygon> to end/,
  ],
  ['a missing end tag', SOUND.replace('</gml:Polygon>', ''), /found <\/gml:surfaceMember>, expected <\/gml:Polygon>/],
  [
    'a missing end tag in what is skipped',
    model(building().replace('<bldg:lod0FootPrint>', '<bldg:address><a><b></a></bldg:address><bldg:lod0FootPrint>')),
    /expected <\/bldg:address>/,
  ],
  ['an end too many', `${SOUND}</core:CityModel>`, /found <\/core:CityModel> where nothing is open/],
  ['two roots', SOUND + SOUND.replace(/^<\?.*?\?>/, ''), /after the end of the outermost element/],
  ['text after the end', `${SOUND} and so on`, /text outside the outermost element/],
  [
    'an unbound prefix',
    SOUND.replace(' xmlns:gml="http://www.opengis.net/gml"', ''),
    /the prefix of <gml:MultiSurface> is not bound/,
  ],
  ['an unknown entity', SOUND.replace('>5<', '>&five;<'), /unknown entity &five;/],
  ['a bare ampersand', SOUND.replace('>5<', '>5 & 6<'), /"&" that begins no reference/],
  ['a reference to no character', SOUND.replace('>5<', '>&#0;<'), /&#0; is not a character/],
  [
    'entity definitions',
    SOUND.replace('?>', '?><!DOCTYPE m [<!ENTITY a "b">]>'),
    /a document type with definitions; remove it/,
  ],
  ['an attribute without quotes', SOUND.replace('gml:id="a"', 'gml:id=a'), /an attribute value without quotes/],
  ['an attribute without a value', SOUND.replace('gml:id="a"', 'gml:id'), /an attribute without "="/],
  ['"<" in an attribute', SOUND.replace('gml:id="a"', 'gml:id="<a"'), /"<" in an attribute value/],
  ['"<" in a text', SOUND.replace('>5<', '>5 < 6<'), /"<" that begins no tag/],
  [
    'WGS 84',
    crs('http://www.opengis.net/def/crs/EPSG/0/4326'),
    /byte \d+: <gml:MultiSurface> is in the .*EPSG\/0\/4326"; expected EPSG:6697/,
  ],
  ['a plane zone', crs('urn:ogc:def:crs:EPSG::6677'), /"urn:ogc:def:crs:EPSG::6677"; expected EPSG:6697/],
  ['CRS84', crs('urn:ogc:def:crs:OGC:1.3:CRS84'), /expected EPSG:6697/],
  ['a name without a number', crs('JGD2011'), /expected EPSG:6697/],
  ['a vertical system alone', crs('urn:ogc:def:crs:EPSG::6695'), /expected EPSG:6697/],
  [
    'elements without end',
    model('<a xmlns="http://www.opengis.net/citygml/2.0">'.repeat(5)),
    /ends inside <a>, which begins at byte/,
  ],
];

for (const [what, document, says] of BAD) {
  test(`bad file: ${what}`, () => {
    const bytes = Buffer.from(document);
    let message = '';
    for (const chunk of [Number.POSITIVE_INFINITY, 1, 7]) {
      assert.throws(
        () => readAll(bytes, 'town.gml', chunk),
        (error: Error) => {
          assert.ok(error instanceof CityGmlError, String(error.stack));
          assert.match(error.message, says);
          assert.match(error.message, /^town\.gml: /);
          assert.ok(!error.message.includes('\n'));
          message ||= error.message;
          assert.equal(error.message, message, 'the same wherever the reads are split');
          return true;
        },
      );
    }
  });
}

const GOOD_CRS = [
  'http://www.opengis.net/def/crs/EPSG/0/6697',
  'https://www.opengis.net/def/crs/EPSG/10.0/6697',
  'urn:ogc:def:crs:EPSG::6697',
  'urn:ogc:def:crs:EPSG:9.8.15:6697',
  'EPSG:6697',
  'http://www.opengis.net/gml/srs/epsg.xml#6697',
  'urn:ogc:def:crs:EPSG::6668',
  'urn:ogc:def:crs,crs:EPSG::6668,crs:EPSG::6695',
];

test('the coordinate reference systems that are read, however they are written', () => {
  for (const srsName of GOOD_CRS) {
    const { summary } = readAll(crs(srsName));
    assert.deepEqual(summary.epsg, [srsName.includes('6668') ? 6668 : 6697], srsName);
  }
  assert.deepEqual(readAll(SOUND).summary.epsg, []);
});

test('a cut at any byte is an error, never a shorter city', () => {
  const bytes = Buffer.from(SOUND);
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => readAll(bytes.subarray(0, length)), CityGmlError, `cut after ${length} bytes`);
  }
  assert.equal(readAll(bytes).buildings.length, 1);
});

test('a tag without end does not fill the memory', () => {
  const endless = Buffer.alloc(1 << 20, ' ');
  assert.throws(() => {
    const chunks = [Buffer.from('<core:CityModel '), ...Array.from({ length: 20 }, () => endless)];
    readAll(Buffer.concat(chunks));
  }, /more than 16 MiB/);
});
