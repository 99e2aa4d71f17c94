import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** What ends a manifest, so that it checks itself: every other file is checked by what the manifest says of it. */
export interface Seal {
  /** SHA-256 (hexadecimal) of the JSON of all other members, without spaces. */
  sha256: string;
  /** Ed25519 (RFC 8032) over the same bytes; null: the build had no key. */
  signature: { key: string; ed25519: string } | null;
}

/** A short name for a key: the first 16 digits of the SHA-256 of its public part (SubjectPublicKeyInfo, DER). */
function keyName(key: KeyObject): string {
  const open = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(open.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

/** The text of a sealed manifest. The same members and the same key give the same text. */
export function sealedText(members: object, key: KeyObject | null): string {
  const bytes = Buffer.from(JSON.stringify(members));
  const signature = key && { key: keyName(key), ed25519: sign(null, bytes, key).toString('base64') };
  return textOf(members, { sha256: createHash('sha256').update(bytes).digest('hex'), signature });
}

/** What is wrong with the seal of a manifest's text, or null. With `trusted` it must be signed with that key. */
export function sealComplaint(text: string, trusted: KeyObject | null): string | null {
  const { seal, ...members } = JSON.parse(text) as { seal?: Partial<Seal> | null };
  if (typeof seal?.sha256 !== 'string') return 'damaged: it has no seal';
  const bytes = Buffer.from(JSON.stringify(members));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (seal.sha256 !== sha256) return `damaged: its SHA-256 is ${sha256}, its seal says ${seal.sha256}`;
  // Space between members is not under the checksum, nor are members that are there twice.
  if (textOf(members, seal) !== text) return 'damaged: it is not written as a build writes it';
  if (trusted === null) return null;
  if (!seal.signature) return `not signed; expected the signature of key ${keyName(trusted)}`;
  const signature = Buffer.from(String(seal.signature.ed25519), 'base64');
  if (verify(null, bytes, trusted, signature)) return null;
  return `its signature, of key ${seal.signature.key}, is not that of the trusted key ${keyName(trusted)}`;
}

function textOf(members: object, { sha256, signature }: Partial<Seal>): string {
  const seal = { sha256, signature: signature && { key: signature.key, ed25519: signature.ed25519 } };
  return `${JSON.stringify({ ...members, seal }, null, 2)}\n`;
}
