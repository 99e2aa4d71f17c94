import assert from 'node:assert/strict';
import { request, type ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { PAY_TO, type Trick } from './facilitator.ts';
import { BUILDING, FACILITY, openShop, problemOf, richPayer, type Shop, settlementOf } from './shop.ts';

const ELSEWHERE = '0x000000000000000000000000000000000000dEaD';
const raw =
  (text: string, status = 200) =>
  async (_honest: unknown, response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    return null;
  };
const changed =
  (changes: object): Trick =>
  async (honest) => ({ ...(await honest()), ...changes });
const said = (answer: object, status = 200): Trick => raw(JSON.stringify(answer), status);

/** What both questions can be answered with. */
const NONSENSE: [string, Trick][] = [
  ['no JSON', raw('<html>')],
  ['another form', raw('{"isValid":"true","success":"true"}')],
  ['an error of its own', raw('{"error":"oops"}', 500)],
  ['success with status 500', async (honest, response) => raw(JSON.stringify(await honest()), 500)(honest, response)],
  ['another payer', changed({ payer: ELSEWHERE })],
  ['far too much', raw(`{"isValid":true,"success":true,"x":"${'x'.repeat(70_000)}"}`)],
  [
    'another address',
    async (_honest, response) => {
      response.writeHead(307, { Location: '/elsewhere' }).end();
      return null;
    },
  ],
  [
    'a closed connection',
    async (_honest, response) => {
      response.socket!.destroy();
      return null;
    },
  ],
  [
    'half a body',
    async (_honest, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{"success":true,"isVal');
      setImmediate(() => response.socket!.destroy());
      return null;
    },
  ],
  ['silence', async () => null],
  [
    'a body that never ends',
    async (_honest, response) => {
      const drip = setInterval(() => response.write(' '), 20).unref();
      response.on('close', () => clearInterval(drip));
      return null;
    },
  ],
];

/** What only a settlement can be answered with. */
const LIES: [string, Trick][] = [
  ['no transaction', changed({ transaction: '' })],
  ['a transaction that is none', changed({ transaction: '0x1234' })],
  ['another network', changed({ network: 'eip155:1' })],
  ['no network', changed({ network: undefined })],
  ['another amount', changed({ amount: '1' })],
  ['a failure with a transaction', changed({ success: false, errorReason: 'x' })],
  [
    'a failure of its own',
    said({ success: false, errorReason: 'unexpected_settle_error', transaction: '', network: '' }),
  ],
  ['a settlement that is under way', said({ success: false, errorReason: 'settlement_pending', transaction: '' })],
];

async function unavailable(response: Response): Promise<string> {
  assert.equal(response.status, 503);
  assert.match(response.headers.get('retry-after')!, /^\d+$/);
  assert.deepEqual([response.headers.get('x-cost-units'), response.headers.get('cache-control')], ['0', 'no-store']);
  const { detail, type } = await problemOf(response);
  assert.match(type, /\/problems\/unavailable\/$/);
  assert.doesNotMatch(detail, /127\.0\.0\.1|ECONN|undefined/);
  return detail;
}

/** Only where it has to run out is the time short: elsewhere a busy machine would be taken for a slow facilitator. */
const patience = (what: string) => ({ timeoutMs: /silence|never ends|unknown/.test(what) ? 800 : 10_000 });

describe('a facilitator that cannot be relied on', { concurrency: 8 }, () => {
  for (const [what, trick] of NONSENSE) {
    test(`answers /verify with ${what}: 503, nothing taken; the same payment works later`, async (t) => {
      const shop = await openShop(t, patience(what));
      const payer = richPayer(shop);
      const payment = await payer.sign(shop.url + BUILDING);
      shop.facilitator.tricks.verify = trick;
      assert.match(await unavailable(await payer.send(shop.url + BUILDING, payment)), /Nothing was charged/);
      assert.deepEqual([shop.facilitator.asked.settle, shop.ledger.transfers.length], [0, 0]);
      assert.ok(shop.log.some(({ msg, level }) => msg === 'payment not taken' && level === 40));
      delete shop.facilitator.tricks.verify;
      await answeredOnce(shop, payer, payment);
    });
  }

  // Whatever it says, it may have done its work before: told apart by doing it or not.
  for (const works of [true, false]) {
    for (const [what, trick] of [...NONSENSE, ...LIES]) {
      test(`answers /settle with ${what}, having ${works ? '' : 'not '}settled: 503, then one answer for one payment`, async (t) => {
        const shop = await openShop(t, patience(what));
        const payer = richPayer(shop);
        const payment = await payer.sign(shop.url + BUILDING);
        shop.facilitator.tricks.settle = async (honest, response) => {
          const answer = works
            ? await honest()
            : { success: true, network: 'eip155:8453', transaction: `0x${'1'.repeat(64)}` };
          return trick(async () => answer, response);
        };
        assert.match(await unavailable(await payer.send(shop.url + BUILDING, payment)), /Do not pay again/);
        assert.ok(shop.log.some(({ msg, level }) => msg === 'payment open' && level === 50));
        // The open payment buys nothing else meanwhile.
        const { resource, ...bare } = payment;
        const elsewhere = await payer.send(shop.url + FACILITY, bare as typeof payment);
        assert.equal(elsewhere.status, 402);
        assert.match((await problemOf(elsewhere)).detail, /used for another request/);
        assert.equal((await payer.send(shop.url + BUILDING, payment)).status, 503);
        delete shop.facilitator.tricks.settle;
        await answeredOnce(shop, payer, payment);
      });
    }
  }

  /** The payment gives one answer, costs once and is then used. */
  async function answeredOnce(
    shop: Shop,
    payer: ReturnType<typeof richPayer>,
    payment: never | Parameters<typeof payer.send>[1],
  ) {
    const response = await payer.send(shop.url + BUILDING, payment);
    assert.equal(response.status, 200);
    assert.equal(settlementOf(response).transaction, shop.ledger.transfers[0]!.transaction);
    const again = await payer.send(shop.url + BUILDING, payment);
    assert.equal(again.status, 402);
    assert.match((await problemOf(again)).detail, /it has been used/);
    assert.deepEqual(
      shop.ledger.transfers.map(({ to, value }) => [to, value]),
      [[PAY_TO, 1000n]],
    );
  }

  test('refuses to settle what it found valid: 402 with PAYMENT-RESPONSE, and the payment is not lost', async (t) => {
    const shop = await openShop(t);
    const payer = richPayer(shop, 1000n);
    const payment = await payer.sign(shop.url + BUILDING);
    // The purse is emptied between the two.
    shop.facilitator.tricks.settle = async (honest) => {
      shop.ledger.balances.set(payer.account.address.toLowerCase(), 0n);
      return honest();
    };
    const refused = await payer.send(shop.url + BUILDING, payment);
    assert.equal(refused.status, 402);
    assert.deepEqual(settlementOf(refused), {
      success: false,
      errorReason: 'insufficient_funds',
      transaction: '',
      network: 'eip155:8453',
      payer: payer.account.address,
    });
    assert.match((await problemOf(refused)).detail, /does not settle it \(insufficient_funds\)/);
    shop.ledger.mint(payer.account.address, 1000n);
    delete shop.facilitator.tricks.settle;
    await answeredOnce(shop, payer, payment);
  });

  test('refuses with status 400: 402; what it says is passed on only when it is plain', async (t) => {
    const shop = await openShop(t);
    const payer = richPayer(shop);
    const payment = await payer.sign(shop.url + BUILDING);
    shop.facilitator.tricks.verify = said({ isValid: false, invalidReason: 'insufficient_funds' }, 400);
    assert.match((await problemOf(await payer.send(shop.url + BUILDING, payment))).detail, /\(insufficient_funds\)/);
    shop.facilitator.tricks.verify = said({ isValid: false, invalidReason: '<script>\r\n' });
    assert.match((await problemOf(await payer.send(shop.url + BUILDING, payment))).detail, /\(no_reason_given\)/);
  });

  test('refuses a payment whose outcome was unknown: 402 that warns, and it may still go through', async (t) => {
    const shop = await openShop(t, patience('unknown'));
    const payer = richPayer(shop);
    const payment = await payer.sign(shop.url + BUILDING);
    shop.facilitator.tricks.settle = async (honest) => {
      await honest();
      return null;
    };
    await unavailable(await payer.send(shop.url + BUILDING, payment));
    shop.facilitator.tricks.settle = said({ success: false, errorReason: 'nonce_already_used', transaction: '' });
    const refused = await payer.send(shop.url + BUILDING, payment);
    assert.equal(refused.status, 402);
    assert.match((await problemOf(refused)).detail, /look it up before you pay again/);
    delete shop.facilitator.tricks.settle;
    await answeredOnce(shop, payer, payment);
  });

  test('settles while the client goes away: its answer waits for it, and no second one', async (t) => {
    const shop = await openShop(t);
    const payer = richPayer(shop);
    const payment = await payer.sign(shop.url + BUILDING);
    const gone = Promise.withResolvers<void>();
    shop.facilitator.tricks.settle = async (honest) => {
      hasty.destroy();
      await gone.promise;
      return honest();
    };
    const hasty = request(shop.url + BUILDING, { headers: payer.header(payment) }).end();
    hasty.on('error', () => {});
    shop.app.server.once('connection', (socket) => socket.once('close', () => gone.resolve()));
    while (!shop.log.some(({ msg }) => msg === 'payment open')) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(shop.ledger.transfers.length, 1);
    const { settle } = shop.facilitator.asked;
    delete shop.facilitator.tricks.settle;
    await answeredOnce(shop, payer, payment);
    assert.equal(shop.facilitator.asked.settle, settle, 'the facilitator is not asked again');
  });

  test('is slower than connections may be silent, but not than it is given: the answer comes', async (t) => {
    const shop = await openShop(t, { patienceMs: 300, timeoutMs: 2000 });
    const payer = richPayer(shop);
    const payment = await payer.sign(shop.url + BUILDING);
    shop.facilitator.tricks.settle = async (honest) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return honest();
    };
    assert.equal((await payer.send(shop.url + BUILDING, payment)).status, 200);
  });
});

test('a failure of ours comes before the money moves', async (t) => {
  const shop = await openShop(t);
  const payer = richPayer(shop);
  const url = `${shop.url}/api/v1/sunlight/bulk/13101`;
  const payment = await payer.sign(url);
  const { bulk } = shop.dataset.sunlight!;
  shop.dataset.sunlight!.bulk = () => {
    throw new Error('the store is broken');
  };
  assert.equal((await payer.send(url, payment)).status, 500);
  assert.deepEqual([shop.facilitator.asked.verify, shop.ledger.transfers.length], [0, 0]);
  shop.dataset.sunlight!.bulk = bulk;
  assert.equal((await payer.send(url, payment)).status, 200);
});
