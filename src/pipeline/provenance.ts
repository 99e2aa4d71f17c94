import { byCodeUnits } from '../formats/files.ts';
import type { HashedInput, InputManifest } from '../snapshot/manifest.ts';

/** A file that a build has read. */
export interface BuildInput extends HashedInput {
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
 * The inputs of a build for the manifest, each once, in order of name. A fetched file is recognized by its content; a
 * file from a fetched zip, by the zip. The dataset of a joined part is not listed: its own inputs are.
 * @param partInputs the inputs in the manifests of joined parts
 */
export function withOrigins(
  inputs: readonly BuildInput[],
  origins: readonly InputOrigin[],
  partInputs: readonly InputManifest[],
): InputManifest[] {
  const byContent = new Map(origins.map((origin) => [origin.sha256, origin]));
  const byPath = new Map(origins.map((origin) => [origin.path, origin]));
  const entryOf = ({ label, sha256, path }: BuildInput): InputManifest => {
    const origin = byContent.get(sha256);
    if (origin !== undefined) return manifestEntry(origin.file, sha256, origin);
    const zip = path === undefined ? undefined : byPath.get(path);
    if (zip === undefined || !/\.zip$/i.test(zip.file)) return manifestEntry(label, sha256, null);
    return { ...manifestEntry(`${zip.file}/${label}`, sha256, zip), zip_sha256: zip.sha256 };
  };
  const all = [...inputs.filter(({ label }) => label !== PART_LABEL).map(entryOf), ...partInputs];
  const byIdentity = new Map(all.map((input) => [`${input.file}\0${input.sha256}`, input]));
  return [...byIdentity].sort(([a], [b]) => byCodeUnits(a, b)).map(([, input]) => input);
}

/** The label of a part's dataset among the inputs of a join. */
export const PART_LABEL = 'part';

/** The entry of an input in the manifest; without an origin its source is null. */
const manifestEntry = (file: string, sha256: string, origin: InputOrigin | null): InputManifest => ({
  file,
  sha256,
  url: origin?.url ?? null,
  edition: origin?.edition ?? null,
  fetched_at: origin?.fetched_at ?? null,
});
