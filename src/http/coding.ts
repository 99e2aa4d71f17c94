import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** How a body travels. */
export type Coding = 'identity' | 'gzip' | 'br';

/** Smaller bodies gain nothing from compression: they fit into one packet as they are. Bytes. */
const SMALLEST_COMPRESSED = 1400;

/** In order of preference at equal weight. */
const OFFERED = ['br', 'gzip', 'identity'] as const;

/**
 * The coding for an answer, by the quality values of Accept-Encoding (RFC 9110, 12.5.3). Where the client refuses
 * everything, the body goes out as it is, which the RFC allows and which beats a refusal.
 */
export function chooseCoding(accept: string | undefined, bytes: number): Coding {
  if (accept === undefined || bytes < SMALLEST_COMPRESSED) return 'identity';
  const weights = new Map<string, number>();
  for (const item of accept.split(',')) {
    const [name = '', ...parameters] = item.split(';');
    const quality = parameters.map((parameter) => /^\s*q=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find((q) => q);
    weights.set(name.trim().toLowerCase(), quality === undefined ? 1 : Number(quality));
  }
  const any = weights.get('*');
  let best: Coding = 'identity';
  let bestWeight = 0;
  for (const coding of OFFERED) {
    const unlisted = coding === 'identity' ? (any ?? 0.001) : (any ?? 0);
    const alias = coding === 'gzip' ? weights.get('x-gzip') : undefined;
    const weight = weights.get(coding) ?? alias ?? unlisted;
    if (weight > bestWeight) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Level 4 of brotli beats gzip's 6 in size at the same speed on these answers. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: 1 } };

/** The body in the given coding. The same bytes give the same bytes. */
export async function encode(body: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  return coding === 'br' ? brotliAsync(body, BROTLI) : gzipAsync(body, { level: 6 });
}
