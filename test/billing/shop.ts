import { after, type TestContext } from 'node:test';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { decodePaymentResponseHeader } from '@x402/core/http';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import type { Registry } from 'prom-client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { assembleBilling, type Billing } from '../../src/api/billing/billing.ts';
import { memoryClaims, type PaymentClaims } from '../../src/api/billing/claim.ts';
import type { PaymentTerms } from '../../src/api/billing/terms.ts';
import { type ServerChoices, startServer } from '../support/api-server.ts';
import { ContractProxy } from '../support/contract-proxy.ts';
import { KNOWN } from '../support/fake-dataset.ts';
import { PAY_TO, TestFacilitator, TOKEN } from './facilitator.ts';

type Test = Pick<TestContext, 'after'>;

/** Stands for the `describe` in whose body it is called: what it is handed to ends with the suite. */
export function suite(): Test {
  const cleanups: (() => unknown)[] = [];
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });
  return { after: (cleanup: () => unknown) => void cleanups.push(cleanup) } as never;
}

export const UNIT_PRICE = 1000n;

export const TERMS: PaymentTerms = {
  network: TOKEN.network,
  asset: TOKEN.asset,
  assetName: TOKEN.name,
  assetVersion: TOKEN.version,
  assetDecimals: 6,
  payTo: PAY_TO,
  unitPrice: UNIT_PRICE,
  validSeconds: 120,
};

/** Costs one unit. */
export const BUILDING = `/api/v1/sunlight/building/${KNOWN.building}`;
/** Costs one unit as well. */
export const FACILITY = `/api/v1/kaigo/facility/${KNOWN.facility}`;

interface BillingChoices {
  claims?: PaymentClaims;
  timeoutMs?: number;
  now?: () => number;
  key?: string;
  registry?: Registry;
}

export function billingWith(facilitatorUrl: string, choices: BillingChoices = {}): Billing {
  const { timeoutMs = 2000, now = Date.now, key = null } = choices;
  const facilitator = { url: facilitatorUrl, key, timeoutMs };
  const parts = { terms: TERMS, facilitator, registry: choices.registry ?? null };
  return assembleBilling(parts, choices.claims ?? memoryClaims(now), now);
}

/** A service whose calls are paid, with a facilitator and a chain of its own. */
export async function openShop(test: Test, choices: BillingChoices & ServerChoices = {}) {
  const facilitator = await TestFacilitator.start(test);
  const { claims = memoryClaims(choices.now ?? Date.now) } = choices;
  const server = await startServer(test, {
    offered: new Set(['sunlight-point']),
    ...choices,
    billing: billingWith(facilitator.url, { ...choices, claims }),
  });
  server.dataset.addBulk(Buffer.from('PAR1 …'));
  return { ...server, facilitator, ledger: facilitator.ledger, claims };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A payer: x402's own client with a key of its own. */
export class Payer {
  readonly account = privateKeyToAccount(generatePrivateKey());
  readonly #http: x402HTTPClient;

  constructor() {
    this.#http = new x402HTTPClient(new x402Client().register('eip155:*', new ExactEvmScheme(this.account)));
  }

  /** Asks for the price and signs a payment over it, with x402's client. */
  async sign(url: string): Promise<PaymentPayload> {
    const response = await fetch(url);
    if (response.status !== 402) throw new Error(`expected 402 of ${url}, got ${response.status}`);
    await response.arrayBuffer();
    return this.pay(this.terms(response));
  }

  /** Signs a payment over a price. */
  pay(terms: PaymentRequired): Promise<PaymentPayload> {
    return this.#http.createPaymentPayload(terms);
  }

  terms(response: Response): PaymentRequired {
    return this.#http.getPaymentRequiredResponse((name) => response.headers.get(name));
  }

  header(payment: PaymentPayload): Record<string, string> {
    return this.#http.encodePaymentSignatureHeader(payment);
  }

  async send(url: string, payment: PaymentPayload, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(url, { headers: { ...headers, ...this.header(payment) } });
  }

  /** The whole way: asks, signs, pays. */
  async buy(url: string): Promise<Response> {
    return this.send(url, await this.sign(url));
  }
}

/** A payer with funds. */
export function richPayer({ ledger }: { ledger: TestFacilitator['ledger'] }, funds = 1_000_000n): Payer {
  const payer = new Payer();
  ledger.mint(payer.account.address, funds);
  return payer;
}

/** A shop behind a proxy that holds every answer against the contract, and a payer with funds. */
export async function shopUnderContract(test: Test) {
  const shop = await openShop(test);
  return { shop, proxy: await ContractProxy.start(test, shop.url), payer: richPayer(shop) };
}

/** What PAYMENT-RESPONSE says. */
export function settlementOf(response: Response) {
  return decodePaymentResponseHeader(response.headers.get('payment-response')!);
}

/** What Prometheus is told of payments: `name{label}` → value, zeros left out. */
export async function paymentTally(registry: Registry): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [, name, label, value] of (await registry.metrics()).matchAll(
    /^hidamari_payments_(\w+)\{\w+="([\w-]+)"\} (\S+)$/gm,
  )) {
    if (value !== '0') found[`${name}{${label}}`] = Number(value);
  }
  return found;
}

/** What came back of a problem. */
export async function problemOf(response: Response) {
  return (await response.json()) as { status: number; detail: string; type: string; errors?: object[] } & Record<
    string,
    unknown
  >;
}
