import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readReadings } from '../../src/census/readings.ts';
import { checkProjection } from '../../src/census/shapefile.ts';
import { findAllInputs, findInputs, readGeoJsonText } from '../../src/pipeline/inputs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeZip } from '../support/write-zip.ts';

it('GeoJSON in Shift_JIS is refused, because its names would be garbled', async (t) => {
  const path = join(tempFolder(t), 'N02-23_Station.geojson');
  writeFileSync(path, Buffer.from('{"name":"\x90_\x93c"}', 'latin1'));
  const [input] = await findAllInputs([path]);
  await assert.rejects(
    readGeoJsonText(input),
    /N02-23_Station\.geojson: its text is not UTF-8, as GeoJSON is: convert it/,
  );
});

it('a zip that is empty, or something else, is refused with what to do', async (t) => {
  const path = join(tempFolder(t), 'city.zip');
  writeFileSync(path, '');
  await assert.rejects(findInputs([path], ['buildings']), /city\.zip: not a readable zip: it is empty: get it again/);
  writeFileSync(path, Buffer.alloc(100, '7z'));
  await assert.rejects(
    findInputs([path], ['buildings']),
    /its 100 bytes are cut off, or of another kind: get it again/,
  );
});

it('two files of one name in a zip are both found', async (t) => {
  const path = join(tempFolder(t), 'city.zip');
  const name = '53394611_bldg_6697_op.gml';
  writeZip(path, [
    { name, data: 'a' },
    { name, data: 'bc' },
  ]);
  const { inputs } = await findInputs([path], ['buildings']);
  assert.deepEqual(
    inputs.map(({ size }) => size),
    [1, 2],
  );
});

it('a workbook in place of the postal file is quoted in short', () => {
  const workbook = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5000, 'x')]);
  assert.throws(
    () => readReadings(workbook, '13TOKYO.CSV'),
    (error: Error) => /not a row of Japan Post/.test(error.message) && error.message.length < 300,
  );
});

it('an empty .prj is said to be empty', () => {
  assert.throws(() => checkProjection('', 'r2ka13101.prj'), /r2ka13101\.prj: is empty; get it again, or leave it out/);
});
