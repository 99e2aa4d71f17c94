import { byCodeUnits } from '../formats/files.ts';
import type { InputManifest } from '../snapshot/manifest.ts';

/** A file that a build has read. */
export interface BuildInput {
  label: string;
  /** Hexadecimal. */
  sha256: string;
  /** The file on this machine, or its zip; absent when it is not kept. */
  path?: string;
}

/** A fetched file and its source. */
export interface InputOrigin extends Pick<InputManifest, 'url' | 'edition' | 'fetched_at' | 'sha256'> {
  /** The file on this machine. */
  path: string;
  /** Path below the folder of `hidamari fetch`. */
  file: string;
}

/**
 * The inputs of a build for the manifest, in order of name. A fetched file is recognized by its content; a file from a
 * fetched zip, by the zip.
 * @param ofParts the inputs in the manifests of joined parts
 */
export function withOrigins(
  inputs: readonly BuildInput[],
  origins: readonly InputOrigin[],
  ofParts: readonly InputManifest[],
): InputManifest[] {
  const byContent = new Map(origins.map((origin) => [origin.sha256, origin]));
  const byPath = new Map(origins.map((origin) => [origin.path, origin]));
  const known = ({ label, sha256, path }: BuildInput): InputManifest => {
    const same = byContent.get(sha256);
    if (same !== undefined) return entry(same.file, sha256, same);
    const zip = path === undefined ? undefined : byPath.get(path);
    if (zip === undefined || !/\.zip$/i.test(zip.file)) return entry(label, sha256, null);
    return { ...entry(`${zip.file}/${label}`, sha256, zip), zip_sha256: zip.sha256 };
  };
  const all = [...inputs.filter(({ label }) => label !== PART_LABEL).map(known), ...ofParts];
  const once = new Map(all.map((one) => [`${one.file}\0${one.sha256}`, one]));
  return [...once].sort(([a], [b]) => byCodeUnits(a, b)).map(([, one]) => one);
}

/** The label of a part's dataset among the inputs of a join. */
export const PART_LABEL = 'part';

const entry = (file: string, sha256: string, origin: InputOrigin | null): InputManifest => ({
  file,
  sha256,
  url: origin?.url ?? null,
  edition: origin?.edition ?? null,
  fetched_at: origin?.fetched_at ?? null,
});
