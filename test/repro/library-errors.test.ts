import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StaticClient } from '../../src/client/static-client.ts';
import { openFees } from '../../src/library/fees.ts';

// Before, another form of a day chose some price list, and the error of an unreachable host was "fetch failed".
test('the library refuses a day that does not exist, and names the address that it cannot reach', async () => {
  const fees = await openFees();
  const home = { serviceCode: '510', municipalityCode: '131016' };
  assert.ok(fees.estimate(home, { careLevel: 3 }, '2026-11-01').monthly_yen);
  for (const day of ['2026-13-41', '2026-02-30', '2026/11/01', '2026-11-01T00:00:00Z', '2026-11', 'soon', '']) {
    assert.throws(() => fees.estimate(home, { careLevel: 3 }, day), /is no day: expected YYYY-MM-DD/, day);
    assert.throws(() => fees.rooms('510', day), RangeError, day);
  }
  await assert.rejects(
    StaticClient.open('http://127.0.0.1:1/files'),
    /^Error: http:\/\/127\.0\.0\.1:1\/files\/packs\.json: cannot be reached$/,
  );
});
