import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { PaymentRequired } from '@x402/core/types';
import { KNOWN } from '../support/fake-dataset.ts';
import { openShop, richPayer, UNIT_PRICE } from './shop.ts';

async function agentIn(test: TestContext) {
  const shop = await openShop(test, { mcp: { version: '1.2.3', method: '' } });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${shop.url}/mcp`)));
  test.after(() => client.close());
  const call = async (name: string, args: Record<string, unknown>, payment?: unknown) =>
    client.callTool({ name, arguments: args, ...(payment !== undefined && { _meta: { 'x402/payment': payment } }) });
  return { shop, payer: richPayer(shop), call };
}

describe('agents whose calls are paid', () => {
  it('PaymentRequired in the structured content, the payment in _meta, the receipt in _meta', async (test) => {
    const { shop, payer, call } = await agentIn(test);
    const args = { building_id: KNOWN.building };
    const unpaid = await call('building_sun', args);
    assert.equal(unpaid.isError, true);
    const terms = unpaid.structuredContent as unknown as PaymentRequired;
    assert.equal(terms.accepts[0]?.amount, String(UNIT_PRICE));
    const paid = await call('building_sun', args, await payer.pay(terms));
    assert.ok(!paid.isError, JSON.stringify(paid.content));
    assert.match(JSON.stringify(paid._meta?.['x402/payment-response']), /"success":true/);
    assert.equal(shop.ledger.balance(payer.account.address), 1_000_000n - UNIT_PRICE);
    const foreign = await call('building_sun', { building_id: '13101-bldg-2' }, await payer.pay(terms));
    assert.equal(foreign.isError, true);
  });

  it('no payment is taken for several calls at once: it says how each is paid', async (test) => {
    const { shop, payer, call } = await agentIn(test);
    const args = { facility_ids: [KNOWN.facility, '1399999999'] };
    const terms = (await call('care_facility', { facility_id: KNOWN.facility })).structuredContent;
    const payment = await payer.pay(terms as unknown as PaymentRequired);
    for (const compared of [
      await call('compare_care_facilities', args),
      await call('compare_care_facilities', args, payment),
    ]) {
      assert.equal(compared.isError, true);
      assert.match(JSON.stringify(compared.content), /a payment pays for one: call care_facility for each of them/);
    }
    assert.equal(shop.ledger.balance(payer.account.address), 1_000_000n);
    assert.ok(!(await call('care_facility', { facility_id: KNOWN.facility }, payment)).isError);
  });
});
