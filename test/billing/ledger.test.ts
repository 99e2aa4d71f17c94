import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { randomFrom } from '../../samples/random.ts';
import { startServer } from '../support/api-server.ts';
import { PAY_TO, type Trick } from './facilitator.ts';
import { BUILDING, billingWith, FACILITY, openShop, Payer, UNIT_PRICE } from './shop.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

/** Price in cost units of what is bought. */
const GOODS: readonly (readonly [string, number])[] = [
  [BUILDING, 1],
  [FACILITY, 1],
  [`${BUILDING}/full`, 3],
  ['/api/v1/sunlight/near?lat=35.6812&lon=139.7671&r=60', 2],
  ['/api/v1/sunlight/building/13101-bldg-999999', 0],
];

test(`what is charged is exactly what is answered, in a crowd and with a moody facilitator (SEED=${SEED})`, async (t) => {
  const random = randomFrom(SEED);
  const siteUrl = 'https://hidamari.example';
  const registries = [new Registry(), new Registry()] as const;
  const shop = await openShop(t, { siteUrl, registry: registries[0], timeoutMs: 10_000 });
  const { claims } = shop;
  const second = await startServer(t, {
    siteUrl,
    billing: billingWith(shop.facilitator.url, { claims, registry: registries[1], timeoutMs: 10_000 }),
  });
  const servers = [shop.url, second.url];
  const moody: Trick = async (honest, response) => {
    const mood = random();
    await new Promise((resolve) => setTimeout(resolve, random() * 8));
    const answer = mood < 0.1 ? null : await honest();
    if (mood < 0.2) response.socket!.destroy();
    if (mood < 0.2 || answer === null) return null;
    if (mood < 0.25) return { ...answer, payer: PAY_TO };
    if (mood < 0.3) return {};
    return answer;
  };
  shop.facilitator.tricks.verify = moody;
  shop.facilitator.tricks.settle = moody;

  let answered = 0n;
  const tally = new Map<number, number>();
  async function send(payer: Payer, path: string, units: number, payment: Awaited<ReturnType<Payer['sign']>>) {
    const server = servers[Math.floor(random() * 2)]!;
    const { status } = await payer.send(server + path, payment);
    tally.set(status, (tally.get(status) ?? 0) + 1);
    if (status === 200) answered += UNIT_PRICE * BigInt(units);
    return status;
  }

  /** Sends a request with its payment until it is decided, as a 503 asks for. */
  async function obtain(...request: Parameters<typeof send>): Promise<number> {
    for (let round = 0; round < 100; round++) {
      const status = await send(...request);
      if (status !== 503) return status;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('it never comes to an end');
  }

  /** Buys a few things; sends every payment in several copies, some of them elsewhere. */
  async function shopper(): Promise<void> {
    const payer = new Payer();
    // Enough for some of it only.
    shop.ledger.mint(payer.account.address, UNIT_PRICE * BigInt(Math.floor(random() * 8)));
    for (let i = 0; i < 4; i++) {
      const [path, units] = GOODS[Math.floor(random() * GOODS.length)]!;
      if (units === 0) {
        assert.equal((await fetch(shop.url + path)).status, 404);
        continue;
      }
      const payment = await payer.sign(shop.url + path);
      const { resource, ...bare } = payment;
      const copies = Array.from({ length: 1 + Math.floor(random() * 3) }, () => obtain(payer, path, units, payment));
      if (random() < 0.5)
        copies.push(obtain(payer, path === BUILDING ? FACILITY : BUILDING, 1, bare as typeof payment));
      const ends = await Promise.all(copies);
      assert.ok(ends.filter((status) => status === 200).length <= 1, 'one payment, one answer');
    }
  }
  await Promise.all(Array.from({ length: 20 }, shopper));

  const charged = shop.ledger.transfers.reduce((sum, { value }) => sum + value, 0n);
  t.diagnostic(`statuses ${JSON.stringify(Object.fromEntries(tally))}, charged ${charged}`);
  assert.equal(answered, charged);
  assert.equal(shop.ledger.balance(PAY_TO), charged);
  assert.deepEqual(await claims.pending(), { settling: 0, open: 0 });
  const metrics = registries.map((registry) => registry.getSingleMetric('hidamari_payments_settled_total')!.get());
  const settled = (await Promise.all(metrics)).flatMap(({ values }) => values.map(({ value }) => value));
  assert.equal(
    settled.reduce((sum, value) => sum + value, 0),
    tally.get(200),
  );
  assert.ok(charged > 0n && (tally.get(402) ?? 0) > 0 && (tally.get(503) ?? 0) > 0);
});
