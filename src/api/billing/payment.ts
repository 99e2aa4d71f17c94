import { hash } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { quote, shorten } from '../suggest.ts';
import { MalformedPayment, type PaymentRequirements, X402_VERSION } from './terms.ts';

const address = () => Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
const wholeNumber = () => Type.String({ pattern: '^(0|[1-9]\\d{0,77})$' });

/** The part that the payer signs (EIP-3009, `transferWithAuthorization`). Times are seconds since 1970. */
const Authorization = Type.Object({
  from: address(),
  to: address(),
  value: wholeNumber(),
  validAfter: wholeNumber(),
  validBefore: wholeNumber(),
  nonce: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
});

/**
 * The content of the PAYMENT-SIGNATURE header (`PaymentPayload`, x402 version 2, 5.2; scheme `exact` on EVM). Other
 * members are ignored. Signatures of smart accounts are longer than 65 bytes.
 */
const Payment = Type.Object({
  x402Version: Type.Literal(X402_VERSION),
  resource: Type.Optional(Type.Union([Type.Object({ url: Type.String() }), Type.Null()])),
  accepted: Type.Object({
    scheme: Type.String(),
    network: Type.String(),
    amount: Type.String(),
    asset: Type.String(),
    payTo: Type.String(),
  }),
  payload: Type.Object({
    signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2}){65,2048}$' }),
    authorization: Authorization,
  }),
});
export type Payment = Static<typeof Payment>;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Longer than a payment of any smart account, characters. */
const LONGEST_HEADER = 8192;

/**
 * Reads a PAYMENT-SIGNATURE header.
 * @throws MalformedPayment when it does not have the form of a payment of x402
 */
export function readPayment(header: string): Payment {
  const value = decodeHeader(header);
  if (Value.Check(Payment, value)) return value;
  const version = (value as { x402Version?: unknown } | null)?.x402Version;
  if (typeof version === 'number' && version !== X402_VERSION) {
    throw new MalformedPayment(`it is of x402 version ${version}, and this server speaks version ${X402_VERSION}`);
  }
  const [violation] = Value.Errors(Payment as TSchema, value);
  const location = violation?.instancePath || 'the whole';
  throw new MalformedPayment(`its JSON is not a payment: ${location} ${violation?.message}`);
}

/**
 * The JSON value in the base64 of a header.
 * @throws MalformedPayment when the header is too long, or is not the base64 of JSON
 */
function decodeHeader(header: string): unknown {
  if (header.length > LONGEST_HEADER) throw new MalformedPayment(`it is longer than ${LONGEST_HEADER} characters`);
  if (!BASE64.test(header)) throw new MalformedPayment('it is not base64, or it was sent several times');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64')));
  } catch {
    throw new MalformedPayment('its base64 does not hold JSON in UTF-8');
  }
}

/** Hexadecimal addresses are equal in capital and small letters. */
const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * Why a payment does not fit a call; null when it fits. Checks the unsigned part (`accepted`, `resource`) too, so that
 * no client pays for something other than it expects.
 */
export function mismatch(
  { accepted, resource, payload: { authorization } }: Payment,
  requirements: PaymentRequirements,
  resourceUrl: string,
): string | null {
  const { scheme, network, amount, asset, payTo } = requirements;
  if (accepted.scheme !== scheme) return `it is of the scheme ${quote(accepted.scheme)}, not ${scheme}`;
  if (accepted.network !== network) return `it is on the network ${quote(accepted.network)}, not ${network}`;
  if (!isSameAddress(accepted.asset, asset)) return `it is in the asset ${quote(accepted.asset)}, not ${asset}`;
  if (accepted.amount !== amount) return `it is over ${quote(accepted.amount)}, and this call costs ${amount}`;
  if (!isSameAddress(accepted.payTo, payTo)) return `it goes to ${quote(accepted.payTo)}, not to ${payTo}`;
  if (authorization.value !== amount) return `${authorization.value} is authorized, and this call costs ${amount}`;
  if (!isSameAddress(authorization.to, payTo)) return `the authorization is for ${authorization.to}, not for ${payTo}`;
  if (resource?.url !== undefined && resource.url !== resourceUrl) {
    return `it is for the resource ${quote(resource.url)}, not for ${shorten(resourceUrl)}`;
  }
  return null;
}

/** Longest remaining validity of an authorization. Claims are kept longer. */
const MOST_VALID_SECONDS = 24 * 3600;

/** Why an authorization cannot be used now: it is not valid yet, not any more, or for too long; null when it can. */
export function timeFaultOf({ payload: { authorization } }: Payment, nowMs: number): string | null {
  const now = BigInt(Math.floor(nowMs / 1000));
  const start = BigInt(authorization.validAfter);
  const end = BigInt(authorization.validBefore);
  if (start >= now) return `the authorization is not valid before ${start + 1n}, and it is ${now}`;
  if (end <= now) return `the authorization has expired at ${end}, and it is ${now}`;
  if (end > now + BigInt(MOST_VALID_SECONDS)) {
    return `the authorization is valid until ${end}, which is more than ${MOST_VALID_SECONDS} s ahead`;
  }
  return null;
}

/**
 * A unique ID of a payment. The contract of the asset accepts each nonce of a payer once. The signature is not part of
 * the ID, because one authorization can be signed in several ways.
 */
export function paymentIdentity({ payload: { authorization } }: Payment, { network, asset }: PaymentRequirements) {
  const { from, nonce } = authorization;
  return hash('sha256', `${network}\n${asset}\n${from}\n${nonce}`.toLowerCase(), 'base64url');
}

/** A hash of a payment and of the request that it pays for. */
export function paymentPurpose({ payload }: Payment, resourceUrl: string): string {
  return hash('sha256', `${resourceUrl}\n${JSON.stringify(payload)}`, 'base64url');
}
