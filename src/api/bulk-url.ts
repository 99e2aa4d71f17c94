import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** How long a signed URL works, seconds. */
export const BULK_URL_SECONDS = 3600;

/** What a download URL turns out to be. */
type Verdict = 'valid' | 'expired' | 'forged';

interface Key {
  /** Names the key in the URL without giving it away. */
  id: string;
  secret: string;
}

const EXPIRES = /^\d{1,12}$/;

/**
 * Signs download paths and checks them: HMAC-SHA256 over path, expiry and key. The first key signs; every key
 * verifies, so that URLs signed before a rotation work until they expire.
 */
export class BulkUrlSigner {
  readonly #keys: Key[];

  /** @param secrets the key in use, then the one before it, if any. */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#keys = secrets.map((secret) => ({ id: hash('sha256', secret, 'base64url').slice(0, 8), secret }));
  }

  /**
   * @param path as it will be requested, beginning with `/`.
   * @param nowMs milliseconds since 1970.
   */
  sign(path: string, nowMs: number): { target: string; expiresAt: Date } {
    const expires = Math.floor(nowMs / 1000) + BULK_URL_SECONDS;
    const key = this.#keys[0];
    const signature = seal(key, path, String(expires));
    const query = new URLSearchParams({ expires: String(expires), key: key.id, signature });
    return { target: `${path}?${query}`, expiresAt: new Date(expires * 1000) };
  }

  /** Checks the path and query of a request as they came. The URL works until the second `expires`, exclusive. */
  verify(path: string, query: string, nowMs: number): Verdict {
    const given = new URLSearchParams(query);
    const expires = given.get('expires') ?? '';
    const key = this.#keys.find(({ id }) => id === given.get('key'));
    if (key === undefined || given.size !== 3 || !EXPIRES.test(expires)) return 'forged';
    // The texts are compared, not the bytes: several texts are base64url of the same bytes.
    const signature = Buffer.from(given.get('signature') ?? '');
    const expected = Buffer.from(seal(key, path, expires));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 'forged';
    return nowMs < Number(expires) * 1000 ? 'valid' : 'expired';
  }
}

function seal({ id, secret }: Key, path: string, expires: string): string {
  return createHmac('sha256', secret).update(`${path}\n${expires}\n${id}`).digest('base64url');
}
