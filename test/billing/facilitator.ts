import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { authorizationTypes } from '@x402/evm';
import { keccak256, recoverTypedDataAddress, toHex } from 'viem';

/** The token and who is paid in the tests: as on Base, but nothing leaves this machine. */
export const TOKEN = {
  network: 'eip155:8453',
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  name: 'USD Coin',
  version: '2',
} as const;
export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

interface Authorization {
  from: `0x${string}`;
  to: `0x${string}`;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: `0x${string}`;
}

/** The chain: a token that knows EIP-3009. Every transfer that was ever made stands in `transfers`. */
class Ledger {
  readonly balances = new Map<string, bigint>();
  readonly transfers: { from: string; to: string; value: bigint; transaction: string }[] = [];
  readonly #nonces = new Set<string>();
  now = () => Math.floor(Date.now() / 1000);

  balance(address: string): bigint {
    return this.balances.get(address.toLowerCase()) ?? 0n;
  }

  mint(address: string, value: bigint): void {
    this.balances.set(address.toLowerCase(), this.balance(address) + value);
  }

  /** Why `transferWithAuthorization` would revert, or null. */
  async objection(authorization: Authorization, signature: `0x${string}`): Promise<string | null> {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const [start, end] = [BigInt(validAfter), BigInt(validBefore)];
    const signer = await recoverTypedDataAddress({
      domain: { name: TOKEN.name, version: TOKEN.version, chainId: TOKEN.chainId, verifyingContract: TOKEN.asset },
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: { from, to, value: BigInt(value), validAfter: start, validBefore: end, nonce },
      signature,
    }).catch(() => null);
    if (signer?.toLowerCase() !== from.toLowerCase()) return 'invalid_exact_evm_payload_signature';
    if (start >= BigInt(this.now())) return 'invalid_exact_evm_payload_authorization_valid_after';
    if (end <= BigInt(this.now())) return 'invalid_exact_evm_payload_authorization_valid_before';
    if (this.#nonces.has(`${from}${nonce}`.toLowerCase())) return 'invalid_exact_evm_nonce_already_used';
    if (this.balance(from) < BigInt(value)) return 'insufficient_funds';
    return null;
  }

  /** Makes the transfer. @returns the hash of its transaction. */
  async transfer(authorization: Authorization, signature: `0x${string}`): Promise<string> {
    const objection = await this.objection(authorization, signature);
    if (objection !== null) throw new Error(objection);
    const { from, to, value, nonce } = authorization;
    this.#nonces.add(`${from}${nonce}`.toLowerCase());
    this.balances.set(from.toLowerCase(), this.balance(from) - BigInt(value));
    this.mint(to, BigInt(value));
    const transaction = keccak256(toHex(`transfer ${this.transfers.length}`));
    this.transfers.push({ from, to, value: BigInt(value), transaction });
    return transaction;
  }
}

/** A request to the facilitator. */
interface Submission {
  x402Version: number;
  paymentPayload: { payload: { authorization: Authorization; signature: `0x${string}` } };
  paymentRequirements: { network: string; asset: string; amount: string; payTo: string; scheme: string };
}

/** Behaves otherwise than it should: gives the answer, or null when it has dealt with the response itself. */
export type Trick = (honest: () => Promise<object>, response: ServerResponse) => Promise<object | null>;

/**
 * A facilitator on a socket of its own, in front of a ledger. It does what the specification says (verify, settle,
 * supported), and a settlement that is asked for again gives the transaction there was. Tests play tricks with it.
 */
export class TestFacilitator {
  readonly ledger = new Ledger();
  /** By what is asked; stays until it is taken away. */
  readonly tricks: { verify?: Trick; settle?: Trick } = {};
  readonly asked = { verify: 0, settle: 0, supported: 0 };
  /** The last request's headers. */
  headers: IncomingMessage['headers'] = {};
  url = '';
  stop: () => Promise<void> = async () => {};
  readonly #settled = new Map<string, string>();

  static async start(test: Pick<TestContext, 'after'>): Promise<TestFacilitator> {
    const facilitator = new TestFacilitator();
    const server = createServer((request, response) => void facilitator.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    facilitator.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    facilitator.stop = () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    };
    test.after(() => facilitator.stop());
    return facilitator;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const what = request.url!.slice(1) as 'verify' | 'settle' | 'supported';
    this.asked[what]++;
    this.headers = request.headers;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const honest = async () =>
      what === 'supported'
        ? { kinds: [{ x402Version: 2, scheme: 'exact', network: TOKEN.network }], extensions: [], signers: {} }
        : this[what](JSON.parse(Buffer.concat(chunks).toString()));
    const trick = what === 'supported' ? undefined : this.tricks[what];
    const answer = await (trick === undefined ? honest() : trick(honest, response));
    if (answer !== null) response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  }

  async verify({ paymentPayload, paymentRequirements }: Submission): Promise<object> {
    const { authorization, signature } = paymentPayload.payload;
    const payer = authorization.from;
    const invalidReason =
      disagreement(authorization, paymentRequirements) ?? (await this.ledger.objection(authorization, signature));
    return invalidReason === null ? { isValid: true, payer } : { isValid: false, invalidReason, payer };
  }

  async settle({ paymentPayload, paymentRequirements }: Submission): Promise<object> {
    const { authorization, signature } = paymentPayload.payload;
    const { network } = paymentRequirements;
    const payer = authorization.from;
    const known = this.#settled.get(signature);
    if (known !== undefined) return { success: true, transaction: known, network, payer };
    const errorReason =
      disagreement(authorization, paymentRequirements) ?? (await this.ledger.objection(authorization, signature));
    if (errorReason !== null) return { success: false, errorReason, transaction: '', network, payer };
    try {
      const transaction = await this.ledger.transfer(authorization, signature);
      this.#settled.set(signature, transaction);
      return { success: true, transaction, network, payer };
    } catch (error) {
      return { success: false, errorReason: (error as Error).message, transaction: '', network, payer };
    }
  }
}

function disagreement(
  { to, value }: Authorization,
  { network, asset, amount, payTo, scheme }: Submission['paymentRequirements'],
): string | null {
  if (scheme !== 'exact') return 'unsupported_scheme';
  if (network !== TOKEN.network) return 'invalid_network';
  if (asset !== TOKEN.asset) return 'invalid_payment_requirements';
  if (to.toLowerCase() !== payTo.toLowerCase()) return 'invalid_exact_evm_payload_recipient_mismatch';
  return value === amount ? null : 'invalid_exact_evm_payload_authorization_value';
}
