import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { CLAIM_SECONDS, type Claim, memoryClaims, redisClaims, standingOf } from '../../src/api/billing/claim.ts';
import { SharedRedis } from '../../src/http/redis.ts';
import { startServer } from '../support/api-server.ts';
import { RedisServer, skipWithoutRedis } from '../support/redis-server.ts';
import { BUILDING, billingWith, openShop, paymentTally, problemOf, richPayer } from './shop.ts';

const SITE = 'https://hidamari.example';

/** Sends again while the answer is 503, as its Retry-After asks for, only sooner. */
async function retried(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const response = await send();
    if (response.status !== 503 || attempt === 200) return response;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('the same authorization in another spelling, or signed anew, is the same payment', async (t) => {
  const shop = await openShop(t);
  // A facilitator that settles whatever it is asked to: only the claims are left.
  shop.facilitator.tricks.verify = async () => ({ isValid: true });
  shop.facilitator.tricks.settle = async () => ({
    success: true,
    transaction: `0x${'1'.repeat(64)}`,
    network: 'eip155:8453',
  });
  const payer = richPayer(shop);
  const payment = await payer.sign(shop.url + BUILDING);
  assert.equal((await payer.send(shop.url + BUILDING, payment)).status, 200);
  const { authorization, signature } = payment.payload as { authorization: Record<string, string>; signature: string };
  const spellings = [
    { signature, authorization: { ...authorization, nonce: authorization.nonce!.toUpperCase().replace('0X', '0x') } },
    { signature, authorization: { ...authorization, from: authorization.from!.toLowerCase() } },
    { signature: `${signature}00`, authorization },
    { signature, authorization: { ...authorization, validAfter: '1' } },
  ];
  for (const payload of spellings) {
    assert.equal((await payer.send(shop.url + BUILDING, { ...payment, payload })).status, 402);
  }
});

describe('several servers with one Redis', { skip: skipWithoutRedis }, () => {
  const silent = pino({ level: 'silent' });

  async function twoServers(t: Parameters<typeof openShop>[0] & object) {
    const redis = await RedisServer.start(t as never);
    const connect = async () => {
      const shared = await SharedRedis.connect(redis.url, silent);
      t.after(() => shared.close());
      return redisClaims(shared, Date.now);
    };
    const [first, other] = [new Registry(), new Registry()];
    const choices = { siteUrl: SITE, timeoutMs: 10_000 };
    const shop = await openShop(t, { ...choices, claims: await connect(), registry: first });
    const parts = { ...choices, claims: await connect(), registry: other };
    const second = await startServer(t, { siteUrl: SITE, billing: billingWith(shop.facilitator.url, parts) });
    return { redis, shop, urls: [shop.url, second.url] as const, registries: [first, other] };
  }

  test('at once on both, with a facilitator that would settle everything twice: one answer', async (t) => {
    const { shop, urls } = await twoServers(t);
    shop.facilitator.tricks.settle = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { success: true, transaction: `0x${'1'.repeat(64)}`, network: 'eip155:8453' };
    };
    const payer = richPayer(shop);
    for (let round = 0; round < 5; round++) {
      const payment = await payer.sign(urls[0] + BUILDING);
      const settled = shop.facilitator.asked.settle;
      const sent = Array.from({ length: 12 }, (_, i) => payer.send(urls[i % 2]! + BUILDING, payment));
      const responses = await Promise.all(sent);
      const served = responses.filter(({ status }) => status === 200).length;
      assert.ok(served <= 1, `${served} answers`);
      // None at once where the machine was too busy for Redis to answer in time: then the payment is still good.
      if (served === 0) assert.equal((await retried(() => payer.send(urls[0] + BUILDING, payment))).status, 200);
      else assert.equal(shop.facilitator.asked.settle - settled, 1);
      assert.equal((await retried(() => payer.send(urls[1] + BUILDING, payment))).status, 402);
    }
  });

  test('what one server has left open the other one delivers', async (t) => {
    const { shop, urls, registries } = await twoServers(t);
    const payer = richPayer(shop);
    const payment = await payer.sign(urls[0] + BUILDING);
    shop.facilitator.tricks.settle = async (honest, response) => {
      await honest();
      response.socket!.destroy();
      return null;
    };
    assert.equal((await payer.send(urls[0] + BUILDING, payment)).status, 503);
    for (const registry of registries) assert.equal((await paymentTally(registry))['pending{open}'], 1);
    delete shop.facilitator.tricks.settle;
    assert.equal((await retried(() => payer.send(urls[1] + BUILDING, payment))).status, 200);
    assert.equal((await retried(() => payer.send(urls[0] + BUILDING, payment))).status, 402);
    assert.equal(shop.ledger.transfers.length, 1);
  });

  test('without Redis nothing is sold and nothing given away; when it is back, things go on', async (t) => {
    const { shop, urls, redis, registries } = await twoServers(t);
    const payer = richPayer(shop);
    const payment = await payer.sign(urls[0] + BUILDING);
    await redis.kill();
    for (const url of urls) {
      const response = await payer.send(url + BUILDING, payment);
      assert.equal(response.status, 503);
      assert.match((await problemOf(response)).detail, /Nothing was charged/);
    }
    for (const registry of registries) {
      const told = await paymentTally(registry);
      assert.ok(Number.isNaN(told['pending{open}']) && Number.isNaN(told['pending{settling}']));
      assert.equal(told['unavailable_total{claims}'], 1);
    }
    assert.equal((await fetch(urls[0] + BUILDING)).status, 402);
    assert.equal(shop.facilitator.asked.settle, 0);
    await redis.start();
    const response = await retried(() => payer.send(urls[0] + BUILDING, payment));
    assert.equal(response.status, 200);
    assert.equal(shop.ledger.transfers.length, 1);
  });

  test('Redis goes while a payment is being settled: 503 that says so, no free answer', async (t) => {
    const { shop, urls, redis } = await twoServers(t);
    const payer = richPayer(shop);
    const payment = await payer.sign(urls[0] + BUILDING);
    shop.facilitator.tricks.settle = async (honest) => {
      const answer = await honest();
      await redis.kill();
      return answer;
    };
    const response = await payer.send(urls[0] + BUILDING, payment);
    assert.equal(response.status, 503);
    assert.match((await problemOf(response)).detail, /Do not pay again/);
  });
});

const claim = (over: Partial<Claim>): Claim => ({
  purpose: 'p',
  state: 'settling',
  holder: 'h',
  until: 1000,
  transaction: null,
  ...over,
});

test('what a claim means, by its purpose, its state and the time', () => {
  assert.equal(standingOf(null, 'p', 0), 'new');
  assert.equal(standingOf(claim({}), 'p', 999), 'busy');
  assert.equal(standingOf(claim({}), 'p', 1000), 'open', 'its server has died');
  assert.equal(standingOf(claim({ state: 'open' }), 'p', 0), 'open');
  assert.equal(standingOf(claim({ state: 'spent' }), 'p', 5000), 'spent');
  for (const state of ['settling', 'open', 'spent'] as const) {
    assert.equal(standingOf(claim({ state }), 'other', 5000), 'elsewhere');
  }
});

test('claims are kept as long as any authorization can be valid, and then make room; those not settled in time count as open', async () => {
  let now = 0;
  const claims = memoryClaims(() => now);
  assert.ok(await claims.swap('a', null, claim({ until: 45_000 })));
  assert.ok(!(await claims.swap('a', null, claim({}))));
  assert.deepEqual(await claims.pending(), { settling: 1, open: 0 });
  now = 45_000;
  assert.deepEqual(await claims.pending(), { settling: 0, open: 1 });
  now = CLAIM_SECONDS * 1000 - 1;
  await claims.swap('b', null, claim({ state: 'spent' }));
  assert.notEqual(await claims.read('a'), null);
  now += 1;
  assert.deepEqual(await claims.pending(), { settling: 0, open: 0 });
  assert.deepEqual([await claims.read('a'), (await claims.read('b')) !== null], [null, true]);
  assert.ok(CLAIM_SECONDS >= 2 * 24 * 3600);
});

describe('both stores of claims do the same', { skip: skipWithoutRedis }, () => {
  test('whatever is swapped, in whichever order', async (t) => {
    const redis = await RedisServer.start(t as never);
    const shared = await SharedRedis.connect(redis.url, pino({ level: 'silent' }));
    t.after(() => shared.close());
    let now = Date.now();
    const [inMemory, inRedis] = [memoryClaims(() => now), redisClaims(shared, () => now)];
    const state = fc.constantFrom('settling' as const, 'open' as const, 'spent' as const);
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      stale: fc.boolean(),
      after: fc.option(state),
      /** How long the lease of a claim is that is being settled, and how much time goes by afterwards, seconds. */
      lease: fc.integer({ min: 0, max: 60 }),
      pause: fc.constantFrom(0, 1, 30, 3600),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const prefix = `${run++}:`;
        for (const [i, { id, stale, after, lease, pause }] of steps.entries()) {
          const next = after === null ? null : claim({ state: after, holder: String(i), until: now + lease * 1000 });
          const results: boolean[] = [];
          for (const claims of [inMemory, inRedis]) {
            const there = await claims.read(prefix + id);
            const before = stale ? claim({ holder: 'stale' }) : there;
            results.push(await claims.swap(prefix + id, before, next));
          }
          assert.equal(results[0], results[1]);
          assert.equal(results[0], !stale);
          assert.deepEqual(await inMemory.read(prefix + id), await inRedis.read(prefix + id));
          now += pause * 1000;
          assert.deepEqual(await inMemory.pending(), await inRedis.pending());
        }
      }),
      { numRuns: 50 },
    );
  });
});
