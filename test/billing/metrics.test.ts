import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { CLAIM_SECONDS, type Claim, memoryClaims, redisClaims } from '../../src/api/billing/claim.ts';
import { SharedRedis } from '../../src/http/redis.ts';
import { startServer } from '../support/api-server.ts';
import { RedisServer, skipWithoutRedis } from '../support/redis-server.ts';
import { type BillingChoices, BUILDING, billingWith, FACILITY, openShop, Payer, richPayer } from './shop.ts';

/** What Prometheus is told of payments: `name{label}` → value, zeros left out. */
async function tally(registry: Registry): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [, name, label, value] of (await registry.metrics()).matchAll(
    /^hidamari_payments_(\w+)\{\w+="([\w-]+)"\} (\S+)$/gm,
  )) {
    if (value !== '0') found[`${name}{${label}}`] = Number(value);
  }
  return found;
}

async function meteredShop(t: TestContext, choices: BillingChoices = {}) {
  const registry = new Registry();
  const shop = await openShop(t, { ...choices, registry });
  return { shop, told: () => tally(registry), payer: richPayer(shop) };
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

test('a settlement that is never ended counts as open when its server must have died, and is forgotten with its claim', async () => {
  let now = 1_000_000;
  const claims = memoryClaims(() => now);
  const claim: Claim = { purpose: 'p', state: 'settling', holder: 'h', until: now + 45_000, transaction: null };
  await claims.swap('a', null, claim);
  assert.deepEqual(await claims.pending(), { settling: 1, open: 0 });
  now += 45_000;
  assert.deepEqual(await claims.pending(), { settling: 0, open: 1 });
  now += CLAIM_SECONDS * 1000;
  assert.deepEqual(await claims.pending(), { settling: 0, open: 0 });
});

describe('with a Redis that servers share', { skip: skipWithoutRedis }, () => {
  test('each tells of all that is open, and of nothing while Redis is away', async (t) => {
    const redis = await RedisServer.start(t as never);
    const connect = async () => {
      const shared = await SharedRedis.connect(redis.url, pino({ level: 'silent' }));
      t.after(() => shared.close());
      return redisClaims(shared, Date.now);
    };
    const { shop, told, payer } = await meteredShop(t, { claims: await connect(), timeoutMs: 10_000 });
    const registry = new Registry();
    const billing = billingWith(shop.facilitator.url, { claims: await connect(), registry, timeoutMs: 10_000 });
    await startServer(t, { billing });
    shop.facilitator.tricks.settle = async () => ({});
    assert.equal((await payer.buy(shop.url + BUILDING)).status, 503);
    for (const each of [await told(), await tally(registry)]) assert.equal(each['pending{open}'], 1);
    await redis.kill();
    for (const each of [await told(), await tally(registry)]) {
      assert.ok(Number.isNaN(each['pending{open}']) && Number.isNaN(each['pending{settling}']));
    }
    assert.equal((await payer.buy(shop.url + BUILDING)).status, 503);
    assert.equal((await told())['unavailable_total{claims}'], 1);
  });
});
