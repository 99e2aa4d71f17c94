import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Registry } from 'prom-client';
import { BUILDING, FACILITY, openShop, Payer, paymentTally, richPayer } from './shop.ts';

async function meteredShop(t: TestContext) {
  const registry = new Registry();
  const shop = await openShop(t, { registry });
  return { shop, told: () => paymentTally(registry), payer: richPayer(shop) };
}

test('what was asked for, settled and refused is counted, by operation and by reason', async (t) => {
  const { shop, told, payer } = await meteredShop(t);
  const url = shop.url + BUILDING;
  assert.deepEqual(await told(), {});

  const payment = await payer.sign(url); // asks once
  assert.deepEqual(await told(), { 'asked_total{sunlight-building}': 1 });
  for (let i = 0; i < 3; i++) await payer.send(url, payment);
  const { resource, ...bare } = payment;
  await payer.send(shop.url + FACILITY, bare as typeof payment);
  await payer.send(`${url}/full`, payment);
  await fetch(url, { headers: { 'payment-signature': 'nonsense' } });
  const late = structuredClone(await payer.sign(url));
  (late.payload as { authorization: { validBefore: string } }).authorization.validBefore = '1';
  await payer.send(url, late);
  await new Payer().buy(url);
  shop.facilitator.tricks.settle = async () => ({ success: false, errorReason: 'x', transaction: '' });
  await payer.buy(url);
  // None of these is a matter of payment.
  await fetch(url, { method: 'HEAD' });
  await fetch(`${shop.url}/api/v1/nowhere`);
  await fetch(`${shop.url}/api/v1/sunlight/building/13101-bldg-999999`);
  assert.deepEqual(await told(), {
    'asked_total{sunlight-building}': 4,
    'settled_total{sunlight-building}': 1,
    'refused_total{malformed}': 1,
    'refused_total{terms}': 1,
    'refused_total{time}': 1,
    'refused_total{invalid}': 1,
    'refused_total{unsettled}': 1,
    'refused_total{used}': 2,
    'refused_total{elsewhere}': 1,
  });
});

test('a payment is pending while it is settled, open until its answer is given, and then neither', async (t) => {
  const { shop, told, payer } = await meteredShop(t);
  const url = shop.url + BUILDING;
  const payment = await payer.sign(url);
  const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  shop.facilitator.tricks.settle = async () => {
    begun.resolve();
    await done.promise;
    return {};
  };
  const answer = payer.send(url, payment);
  await begun.promise;
  assert.equal((await payer.send(url, payment)).status, 503);
  assert.deepEqual(await told(), {
    'asked_total{sunlight-building}': 1,
    'unavailable_total{busy}': 1,
    'pending{settling}': 1,
  });
  done.resolve();
  assert.equal((await answer).status, 503);
  assert.equal((await told())['pending{open}'], 1);
  delete shop.facilitator.tricks.settle;
  assert.equal((await payer.send(url, payment)).status, 200);
  shop.facilitator.tricks.verify = async () => ({});
  assert.equal((await payer.buy(url)).status, 503);
  assert.deepEqual(await told(), {
    'asked_total{sunlight-building}': 2,
    'settled_total{sunlight-building}': 1,
    'unavailable_total{busy}': 1,
    'unavailable_total{facilitator}': 2,
  });
});
