import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { hidamari } from '../support/run.ts';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { PAY_TO, TestFacilitator, TOKEN } from './facilitator.ts';
import { Payer, settlementOf } from './shop.ts';

const SETTINGS = {
  HIDAMARI_BILLING: 'x402',
  HIDAMARI_X402_NETWORK: TOKEN.network,
  HIDAMARI_X402_ASSET: TOKEN.asset,
  HIDAMARI_X402_ASSET_NAME: TOKEN.name,
  HIDAMARI_X402_ASSET_VERSION: TOKEN.version,
  HIDAMARI_X402_ASSET_DECIMALS: '6',
  HIDAMARI_X402_PAY_TO: PAY_TO,
  HIDAMARI_X402_UNIT_PRICE: '250',
};

test('hidamari serve --billing x402 sells the bundled sample', async (t) => {
  const facilitator = await TestFacilitator.start(t);
  Object.assign(process.env, SETTINGS, { HIDAMARI_X402_FACILITATOR: `${facilitator.url}/` });
  t.after(() => {
    for (const name of [...Object.keys(SETTINGS), 'HIDAMARI_X402_FACILITATOR']) delete process.env[name];
  });
  const sample = await startSample(t, await generatedDataset(join(tempFolder(t), 'data')));
  const { data } = (await (await fetch(`${sample.url}/index.json`)).json()) as { data: { urls: { url: string }[] } };
  const full = data.urls.map(({ url }) => url).find((url) => url.endsWith('/full'))!;
  const payer = new Payer();
  facilitator.ledger.mint(payer.account.address, 750n);
  const answer = await payer.buy(full);
  assert.equal(answer.status, 200);
  assert.equal(settlementOf(answer).transaction, facilitator.ledger.transfers[0]!.transaction);
  assert.equal(facilitator.ledger.balance(PAY_TO), 750n);
  assert.equal(facilitator.asked.supported, 1);
  assert.equal((await payer.buy(full)).status, 402);
  assert.equal((await fetch(`${sample.url}/pricing/`)).status, 200);
  assert.equal(await sample.stop(), 0);
});

test('--billing x402 without the rest is wrong usage, and says what is missing', async () => {
  const { code, stderr } = await hidamari(['serve', '--billing', 'x402', '--x402-pay-to', PAY_TO]);
  assert.equal(code, 2);
  assert.match(stderr, /^hidamari: --billing x402 needs --x402-facilitator, --x402-network, --x402-asset, /);
  assert.doesNotMatch(stderr, /--x402-pay-to/);
});
