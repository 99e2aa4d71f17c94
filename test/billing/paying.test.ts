import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { examplesOf } from '../../src/contract/operation.ts';
import { fillPath } from '../../src/contract/parameter.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { startServer } from '../support/api-server.ts';
import type { ContractProxy } from '../support/contract-proxy.ts';
import { PAY_TO, TOKEN } from './facilitator.ts';
import {
  BUILDING,
  openShop,
  Payer,
  problemOf,
  richPayer,
  type Shop,
  settlementOf,
  shopUnderContract,
  suite,
  TERMS,
  UNIT_PRICE,
} from './shop.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

/** Every operation that is sold, and again with each parameter that adds to its price. */
const SOLD = OPERATIONS.filter(({ costUnits }) => costUnits > 0).flatMap((operation) => {
  const call = (units: number, more: Record<string, string>) => ({
    operation,
    units,
    target: fillPath(operation.path, { ...examplesOf(operation)[0], ...more }),
    name: [operation.id, ...Object.keys(more)].join(' with '),
  });
  const options = operation.parameters.flatMap(({ name, moreUnits }) =>
    moreUnits === undefined ? [] : call(operation.costUnits + moreUnits, { [name]: 'true' }),
  );
  return [call(operation.costUnits, {}), ...options];
});

describe('calls that are paid', () => {
  let shop: Shop;
  let proxy: ContractProxy;
  let payer: Payer;
  const scope = suite();
  before(async () => {
    ({ shop, proxy, payer } = await shopUnderContract(scope));
  });

  for (const { operation, units, target, name } of SOLD) {
    const price = UNIT_PRICE * BigInt(units);

    test(`${name}: 402 that says how to pay, then the answer for exactly its price`, async () => {
      const unpaid = await fetch(proxy.url + target);
      assert.equal(unpaid.status, 402);
      assert.match(unpaid.headers.get('cache-control')!, /no-store/);
      assert.equal(unpaid.headers.get('payment-response'), null);
      const terms = payer.terms(unpaid);
      assert.deepEqual(terms.accepts, [
        {
          scheme: 'exact',
          network: TOKEN.network,
          amount: String(price),
          asset: TOKEN.asset,
          payTo: PAY_TO,
          maxTimeoutSeconds: 120,
          extra: { assetTransferMethod: 'eip3009', name: TOKEN.name, version: TOKEN.version },
        },
      ]);
      assert.deepEqual(terms.resource, {
        url: shop.url + target,
        description: operation.summary,
        mimeType: 'application/json',
      });
      const problem = await problemOf(unpaid);
      assert.equal(problem.type, `${shop.url}/problems/payment-required/`);
      assert.equal(problem.pricing_url, `${shop.url}/pricing/`);
      const [method] = problem.payment_methods as { type: string; amount: string; pay_to: string }[];
      assert.deepEqual([method!.type, method!.amount, method!.pay_to], ['x402', String(price), PAY_TO]);

      const before = shop.ledger.balance(PAY_TO);
      const paid = await payer.send(proxy.url + target, await payer.sign(proxy.url + target));
      assert.equal(paid.status, 200);
      assert.equal(shop.ledger.balance(PAY_TO) - before, price);
      assert.equal(paid.headers.get('x-cost-units'), String(units));
      assert.match(paid.headers.get('cache-control')!, /no-store/);
      assert.equal(paid.headers.get('etag'), null);
      const { meta } = (await paid.json()) as { meta: { cost_units: number } };
      assert.equal(meta.cost_units, units);
      const { transaction } = shop.ledger.transfers.at(-1)!;
      assert.deepEqual(settlementOf(paid), {
        success: true,
        transaction,
        network: TOKEN.network,
        payer: payer.account.address,
      });
    });
  }

  test('a payment buys the answer in any coding, whatever If-None-Match says', async () => {
    const url = `${shop.url}/api/v1/sunlight/near?lat=35.6812&lon=139.7671&r=100`;
    const headers = { 'accept-encoding': 'br', 'if-none-match': '*' };
    const response = await payer.send(url, await payer.sign(url), headers);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-encoding'), 'br');
    assert.ok('data' in ((await response.json()) as object));
  });

  test('HEAD and OPTIONS are free and take no payment that comes along', async () => {
    const payment = await payer.sign(shop.url + BUILDING);
    const { length } = shop.ledger.transfers;
    const head = await fetch(shop.url + BUILDING, { method: 'HEAD', headers: payer.header(payment) });
    assert.deepEqual([head.status, head.headers.get('x-cost-units'), head.headers.get('etag')], [200, '0', null]);
    const options = await fetch(shop.url + BUILDING, { method: 'OPTIONS' });
    assert.equal(options.status, 204);
    assert.match(options.headers.get('access-control-allow-headers')!, /PAYMENT-SIGNATURE/);
    assert.match(options.headers.get('access-control-expose-headers')!, /PAYMENT-REQUIRED, PAYMENT-RESPONSE/);
    assert.equal(shop.ledger.transfers.length, length);
    assert.equal((await payer.send(shop.url + BUILDING, payment)).status, 200);
  });

  test('every failure comes before 402, and takes no payment', async () => {
    const payment = await payer.sign(shop.url + BUILDING);
    const { length } = shop.ledger.transfers;
    const cases: [string, RequestInit, number][] = [
      ['/api/v1/sunlight/building/13101-bldg-999999', {}, 404],
      ['/api/v1/sunlight/town/13101001001/buildings?page=4', {}, 404],
      ['/api/v1/sunlight/bulk/13123', {}, 404],
      ['/api/v1/kaigo/facility/9999999999', {}, 404],
      ['/api/v1/nowhere', {}, 404],
      ['/api/v1/sunlight/building/x', {}, 400],
      [BUILDING, { method: 'POST' }, 405],
      [BUILDING, { headers: { authorization: 'Bearer nonsense' } }, 401],
    ];
    for (const [path, init, status] of cases) {
      for (const paying of [{}, payer.header(payment)]) {
        const headers = { ...(init.headers as object), ...paying };
        assert.equal((await fetch(proxy.url + path, { ...init, headers })).status, status, path);
      }
    }
    assert.equal(shop.ledger.transfers.length, length);
  });

  test('pages, lists and descriptions are free', async () => {
    for (const operation of OPERATIONS) {
      if (operation.costUnits > 0 || operation.id === 'bulk-file') continue;
      const target = fillPath(operation.path, examplesOf(operation)[0]!);
      assert.equal((await fetch(proxy.url + target)).status, 200, target);
    }
  });

  test('a bulk file that was paid for is downloaded for free', async () => {
    const bought = (await (await payer.buy(`${shop.url}/api/v1/sunlight/bulk/13101`)).json()) as {
      data: { url: string };
    };
    assert.equal(await (await fetch(bought.data.url)).text(), 'PAR1 …');
  });

  test('the prices are told, to people and to programs', async () => {
    const { data } = (await (await fetch(`${proxy.url}/pricing/index.json`)).json()) as {
      data: {
        billing: string;
        unit_price: string;
        operations: { path: string; payment_methods: { amount: string }[] }[];
      };
    };
    assert.deepEqual([data.billing, data.unit_price], ['x402', '0.001 USD Coin']);
    assert.deepEqual(
      data.operations.map(({ path, payment_methods }) => [path, payment_methods[0]!.amount]),
      OPERATIONS.filter(({ costUnits }) => costUnits > 0).map(({ path, costUnits }) => [
        path,
        String(UNIT_PRICE * BigInt(costUnits)),
      ]),
    );
    const page = await (await fetch(`${proxy.url}/pricing/`)).text();
    for (const text of [TERMS.payTo, TERMS.asset, TERMS.network, '0.02', 'PAYMENT-SIGNATURE'])
      assert.ok(page.includes(text), text);
  });

  test('nothing has broken the contract', () => {
    assert.deepEqual(proxy.breaches, []);
    for (const operation of ['sunlightBuilding 402', 'kaigoNear 402', 'sunlightBulk 200'])
      assert.ok(proxy.seen.has(operation));
  });
});

test('without billing nothing is paid, and payments are not even read', async (t) => {
  const { url } = await startServer(t);
  const response = await fetch(url + BUILDING, { headers: { 'payment-signature': 'nonsense' } });
  assert.deepEqual([response.status, response.headers.get('payment-response')], [200, null]);
  const { data } = (await (await fetch(`${url}/pricing/index.json`)).json()) as {
    data: { billing: string; unit_price: null };
  };
  assert.deepEqual([data.billing, data.unit_price], ['off', null]);
  assert.match(await (await fetch(`${url}/en/pricing/`)).text(), /All calls are free/);
});

test('the limit counts paid calls, and an answer over it takes no payment', async (t) => {
  const shop = await openShop(t, { limiters: { api: new MemoryRateLimiter(3) } });
  const payer = richPayer(shop);
  assert.equal((await payer.buy(shop.url + BUILDING)).status, 200);
  const payment = await payer.sign(shop.url + BUILDING);
  assert.equal((await payer.send(shop.url + BUILDING, payment)).status, 429);
  assert.equal(shop.ledger.transfers.length, 1);
});

test('a payer without an account at the facilitator needs none: a new key pays at once', async (t) => {
  const shop = await openShop(t, { key: 'a key for the facilitator' });
  const payer = new Payer();
  const unfunded = await payer.buy(shop.url + BUILDING);
  assert.equal(unfunded.status, 402);
  assert.match((await problemOf(unfunded)).detail, /insufficient_funds/);
  shop.ledger.mint(payer.account.address, 1000n);
  assert.equal((await payer.buy(shop.url + BUILDING)).status, 200);
  assert.equal(shop.facilitator.headers.authorization, 'Bearer a key for the facilitator');
});
