import { byCodeUnits } from '../formats/files.ts';
import type { InputManifest } from '../snapshot/manifest.ts';

/** A file that a build has read. */
export interface BuildInput {
  label: string;
  /** Hexadecimal. */
  sha256: string;
  /** The file on this machine, or the zip it lies in; absent where it is not kept. */
  path?: string;
}

/** A fetched file and where it came from. */
export interface InputOrigin extends Pick<InputManifest, 'url' | 'edition' | 'fetched_at' | 'sha256'> {
  /** The file on this machine. */
  path: string;
  /** Below the folder of `hidamari fetch`. */
  file: string;
}

/**
 * What the manifest says of the inputs of a build, in order of name. A fetched file is known by its content; what was read out of a
 * fetched zip is known by the zip.
 * @param ofParts what the manifests of joined parts say of theirs
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

/** Stands for the dataset of a part among the inputs of a build that joins them. */
export const PART_LABEL = 'part';

const entry = (file: string, sha256: string, origin: InputOrigin | null): InputManifest => ({
  file,
  sha256,
  url: origin?.url ?? null,
  edition: origin?.edition ?? null,
  fetched_at: origin?.fetched_at ?? null,
});
