import { InvalidArgumentError } from 'commander';
import type { BillingParts } from '../api/billing/billing.ts';
import type { PaymentTerms } from '../api/billing/terms.ts';
import { flagName, oneOf, type Setting, type ValuesOf, webUrl, wholeNumber, withRequired } from './setting.ts';

/** Settings for the payment of calls. */
export const BILLING_SETTINGS = {
  billing: {
    flag: '--billing <way>',
    default: 'off',
    description: 'Whether calls have to be paid: "off", or "x402", one by one.',
    parse: oneOf(['off', 'x402']),
  },
  x402Facilitator: {
    flag: '--x402-facilitator <url>',
    description: 'The facilitator that verifies and settles payments; /verify and /settle are appended to it.',
    parse: webUrl,
  },
  x402FacilitatorKey: {
    flag: '--x402-facilitator-key <secret>',
    description: 'Bearer token for the payment facilitator, where it asks for one.',
    isSecret: true,
    parse: bearerToken,
  },
  x402Timeout: {
    flag: '--x402-timeout <seconds>',
    default: '15',
    description: 'How long the facilitator may take to verify, and then to settle, before the call gets 503.',
    parse: wholeNumber(1, 120),
  },
  x402Network: {
    flag: '--x402-network <id>',
    description: 'The EVM blockchain on which calls are paid, in CAIP-2: eip155:8453 is Base.',
    parse: network,
  },
  x402Asset: {
    flag: '--x402-asset <address>',
    description: "Address of the token's contract; the token must know EIP-3009, as USDC does.",
    parse: address,
  },
  x402AssetName: {
    flag: '--x402-asset-name <name>',
    description: "The token's name in its EIP-712 domain, to the letter: payers sign it.",
    parse: word,
  },
  x402AssetVersion: {
    flag: '--x402-asset-version <version>',
    description: "The version in the token's EIP-712 domain: payers sign it.",
    parse: word,
  },
  x402AssetDecimals: {
    flag: '--x402-asset-decimals <digits>',
    description: "The token's decimals: 6 means that 1000000 is 1.",
    parse: wholeNumber(0, 36),
  },
  x402PayTo: {
    flag: '--x402-pay-to <address>',
    description: 'Your address, which is paid.',
    parse: address,
  },
  x402UnitPrice: {
    flag: '--x402-unit-price <amount>',
    description: "Price of one cost unit, a whole number in the token's smallest unit.",
    parse: amount,
  },
  x402Valid: {
    flag: '--x402-valid <seconds>',
    default: '120',
    description: 'How long payers are asked to sign a payment to be valid.',
    parse: wholeNumber(30, 3600),
  },
} as const satisfies Record<string, Setting>;

/** Settings that billing by x402 needs. */
const NEEDED = [
  'x402Facilitator',
  'x402Network',
  'x402Asset',
  'x402AssetName',
  'x402AssetVersion',
  'x402AssetDecimals',
  'x402PayTo',
  'x402UnitPrice',
] as const satisfies (keyof typeof BILLING_SETTINGS)[];

type BillingSettings = ValuesOf<typeof BILLING_SETTINGS>;

/** The flags of the missing settings. */
export function missingForBilling(settings: BillingSettings): string[] {
  if (settings.billing !== 'x402') return [];
  const missing = NEEDED.filter((name) => settings[name] === undefined);
  return missing.map((name) => flagName(BILLING_SETTINGS[name].flag));
}

/** The terms of payment, and the facilitator that takes the payments. */
export function paymentOf(settings: BillingSettings): {
  terms: PaymentTerms;
  facilitator: BillingParts['facilitator'];
} {
  const needed = withRequired(BILLING_SETTINGS, settings, NEEDED);
  return {
    terms: {
      network: needed.x402Network,
      asset: needed.x402Asset,
      assetName: needed.x402AssetName,
      assetVersion: needed.x402AssetVersion,
      assetDecimals: needed.x402AssetDecimals,
      payTo: needed.x402PayTo,
      unitPrice: needed.x402UnitPrice,
      validSeconds: settings.x402Valid,
    },
    facilitator: {
      url: needed.x402Facilitator,
      key: settings.x402FacilitatorKey ?? null,
      timeoutMs: settings.x402Timeout * 1000,
    },
  };
}

/** @throws InvalidArgumentError */
function network(text: string): PaymentTerms['network'] {
  const chain = /^eip155:([1-9]\d{0,31})$/.exec(text)?.[1];
  if (chain !== undefined) return `eip155:${chain}`;
  throw new InvalidArgumentError('It must be an EVM chain in CAIP-2, such as eip155:8453.');
}

/** @throws InvalidArgumentError */
function address(text: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(text) && !/^0x0{40}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be an address: 0x and 40 hexadecimal digits, not all of them 0.');
}

/** @throws InvalidArgumentError */
function word(text: string): string {
  if (/^[\x20-\x7e]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 64 characters of ASCII.');
}

/** @throws InvalidArgumentError */
function amount(text: string): bigint {
  if (/^[1-9]\d{0,29}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1, in digits only.');
}

/** @throws InvalidArgumentError */
function bearerToken(text: string): string {
  if (/^[\w.~+/-]+=*$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a token as bearer authentication allows it.');
}
