import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { authorizationTypes } from '@x402/evm';
import type { ContractProxy } from '../support/contract-proxy.ts';
import { KNOWN } from '../support/fake-dataset.ts';
import { PAY_TO, TOKEN } from './facilitator.ts';
import { BUILDING, FACILITY, type Payer, problemOf, type Shop, shopUnderContract, suite } from './shop.ts';

const OTHER = '0x000000000000000000000000000000000000dEaD';
const seconds = () => Math.floor(Date.now() / 1000);

/** A payment as loose JSON, to be spoilt. */
// biome-ignore lint/suspicious/noExplicitAny: it is there to be wrong
type Loose = Record<string, any>;

/** Sets the member at a path such as `accepted.amount`. */
function put(payment: Loose, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  names.reduce((parent, name) => parent[name], payment)[last] = value;
}

describe('payments that do not hold', () => {
  let shop: Shop;
  let proxy: ContractProxy;
  let payer: Payer;
  const scope = suite();
  before(async () => {
    ({ shop, proxy, payer } = await shopUnderContract(scope));
  });

  /** Sends a header as it is; asserts that nothing was paid. */
  async function sendHeader(header: string, path = BUILDING): Promise<Response> {
    const before = shop.ledger.transfers.length;
    const response = await fetch(proxy.url + path, { headers: { 'payment-signature': header } });
    assert.equal(shop.ledger.transfers.length, before);
    assert.equal(response.headers.get('x-cost-units'), '0');
    return response;
  }
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

  /** A payment that is signed in another domain, as by a wallet that is led astray. */
  async function signed(domain: Loose = {}): Promise<Loose> {
    const payment = (await payer.sign(shop.url + BUILDING)) as Loose;
    const { authorization } = payment.payload;
    const [value, validAfter, validBefore] = ['value', 'validAfter', 'validBefore'].map((name) =>
      BigInt(authorization[name]),
    );
    const signature = await payer.account.signTypedData({
      domain: { ...TOKEN, verifyingContract: TOKEN.asset, ...domain } as never,
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: { ...authorization, value, validAfter, validBefore },
    });
    return { ...payment, payload: { authorization, signature } };
  }

  const spoilt: [string, string, () => string, RegExp][] = [
    ['another amount accepted', 'accepted.amount', () => '1', /over "1", and this call costs 1000/],
    ['another network', 'accepted.network', () => 'eip155:84532', /network "eip155:84532", not eip155:8453/],
    ['another asset', 'accepted.asset', () => OTHER, /asset "0x0000/],
    ['another payee accepted', 'accepted.payTo', () => OTHER, /goes to "0x0000/],
    ['another scheme', 'accepted.scheme', () => 'upto', /scheme "upto", not exact/],
    ['another resource', 'resource.url', () => `${shop.url}${FACILITY}`, /for the resource/],
    ['less authorized', 'payload.authorization.value', () => '999', /999 is authorized/],
    ['more authorized', 'payload.authorization.value', () => '1001', /1001 is authorized/],
    ['another payee authorized', 'payload.authorization.to', () => OTHER, /is for 0x0000/],
    ['another payer', 'payload.authorization.from', () => OTHER, /payload_signature/],
    ['another nonce', 'payload.authorization.nonce', () => `0x${'0'.repeat(64)}`, /payload_signature/],
    ['a longer life', 'payload.authorization.validBefore', () => String(seconds() + 999), /_signature/],
    ['another signature', 'payload.signature', () => `0x${'1'.repeat(130)}`, /payload_signature/],
    ['an end in 1970', 'payload.authorization.validBefore', () => '1', /has expired at 1/],
    ['no end in sight', 'payload.authorization.validBefore', () => '9'.repeat(78), /more than 86400 s ahead/],
    ['a start in the future', 'payload.authorization.validAfter', () => String(seconds() + 90), /not valid before/],
  ];
  for (const [what, path, value, reason] of spoilt) {
    test(`${what}: 402 with the reason`, async () => {
      const payment = (await payer.sign(shop.url + BUILDING)) as Loose;
      put(payment, path, value());
      const response = await sendHeader(encoded(payment));
      assert.equal(response.status, 402);
      assert.match((await problemOf(response)).detail, reason);
      assert.ok(payer.terms(response).accepts.length > 0);
      assert.match(payer.terms(response).error!, reason);
    });
  }

  const misled: [string, Loose, RegExp][] = [
    ['on another chain', { chainId: 84532 }, /signature/],
    ['of another token', { verifyingContract: OTHER }, /signature/],
    ['of another version', { version: '1' }, /signature/],
  ];
  for (const [what, domain, reason] of misled) {
    test(`a signed transfer ${what}: 402`, async () => {
      const response = await sendHeader(encoded(await signed(domain)));
      assert.equal(response.status, 402);
      assert.match((await problemOf(response)).detail, reason);
    });
  }

  test('one that is signed well is taken, so that the above are refused for what they are', async () => {
    const response = await fetch(proxy.url + BUILDING, { headers: { 'payment-signature': encoded(await signed()) } });
    assert.equal(response.status, 200);
  });

  test('addresses are compared whatever their case, and unknown members are let through', async () => {
    const payment = (await payer.sign(shop.url + BUILDING)) as Loose;
    payment.accepted.payTo = PAY_TO.toLowerCase();
    payment.accepted.asset = TOKEN.asset.toUpperCase().replace('0X', '0x');
    payment.accepted.extra.more = { x: [1] };
    payment.extensions = { whatever: {} };
    delete payment.resource;
    const response = await fetch(proxy.url + BUILDING, { headers: { 'payment-signature': encoded(payment) } });
    assert.equal(response.status, 200);
  });

  /** A good payment with something spoilt in it. */
  async function spoiltHeader(path: string, value: unknown): Promise<string> {
    const payment = await signed();
    put(payment, path, value);
    return encoded(payment);
  }

  const malformed: [string, () => string | Promise<string>, RegExp][] = [
    ['empty', () => '', /not base64/],
    ['not base64', () => '{"x402Version":2}', /not base64/],
    ['base64url', () => 'eyJ-_w', /not base64/],
    ['base64 of no JSON', () => Buffer.from('x402').toString('base64'), /does not hold JSON/],
    ['base64 of no UTF-8', () => Buffer.from([0x22, 0xff, 0x22]).toString('base64'), /does not hold JSON/],
    ['a JSON null', () => encoded(null), /not a payment: the whole/],
    ['a list', () => encoded([]), /not a payment/],
    ['far too long', () => encoded('x'.repeat(7000)), /longer than 8192/],
    ['twice', async () => `${encoded(await signed())}, ${encoded(await signed())}`, /several/],
    ['version 1', async () => encoded({ ...(await signed()), x402Version: 1 }), /version 1, and this server speaks/],
    ['no payload', async () => encoded({ ...(await signed()), payload: undefined }), /not a payment/],
    ['a negative value', () => spoiltHeader('payload.authorization.value', '-1'), /value/],
    ['a float', () => spoiltHeader('payload.authorization.value', '1e3'), /value/],
    ['a number for a text', () => spoiltHeader('accepted.amount', 1000), /amount/],
    ['a short nonce', () => spoiltHeader('payload.authorization.nonce', '0x1'), /nonce/],
    ['a prototype', async () => Buffer.from('{"__proto__":{"x402Version":2}}').toString('base64'), /not a payment/],
  ];
  for (const [what, header, reason] of malformed) {
    test(`PAYMENT-SIGNATURE ${what}: 400 that names the header`, async () => {
      const response = await sendHeader(await header());
      assert.equal(response.status, 400);
      const { detail, errors } = await problemOf(response);
      assert.match(detail, reason);
      assert.deepEqual(errors, [{ parameter: 'PAYMENT-SIGNATURE', detail }]);
    });
  }

  test('a malformed payment does not hide that a resource is unknown or that a parameter is wrong', async () => {
    assert.equal((await sendHeader('?', '/api/v1/nowhere')).status, 404);
    const { errors } = await problemOf(await sendHeader('?', '/api/v1/sunlight/near?lat=1'));
    assert.ok(!JSON.stringify(errors).includes('PAYMENT'));
  });

  test('what is signed for an URL written otherwise is for another resource', async () => {
    const payment = await payer.sign(shop.url + BUILDING);
    const otherwise = `/api/v1/sunlight/building/${KNOWN.building.replace('-', '%2D')}`;
    assert.equal((await sendHeader(encoded(payment), otherwise)).status, 402);
  });

  test('nothing has broken the contract', () => assert.deepEqual(proxy.breaches, []));
});
