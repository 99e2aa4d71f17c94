import type { Section } from '../contract/operation.ts';
import { API_VERSION, DATA_LICENSE, type Meta, schemaUrl } from '../contract/schema-document.ts';
import type { HalfManifest, Manifest } from './manifest.ts';

/**
 * The `meta` of an answer. The same dataset gives the same, at any time.
 * @param id names the schema of the answer
 */
export function metaOf(
  manifest: Manifest,
  { id, section }: { id: string; section: Section },
  siteUrl: string,
  costUnits: number,
): Meta {
  const halves = halvesOf(manifest, section);
  const dates = halves.flatMap(({ data_through }) => data_through ?? []);
  return {
    generated_at: manifest.generated_at,
    data_through: dates.sort().at(-1) ?? null,
    source: halves.flatMap(({ sources }) => sources),
    inputs_url: `${siteUrl}/inputs.json`,
    license: DATA_LICENSE,
    schema_url: schemaUrl(siteUrl, id),
    api_version: API_VERSION,
    cost_units: costUnits,
    dataset_id: manifest.dataset_id,
    attribution: halves.map(({ attribution }) => attribution).join('; '),
  };
}

/** The halves of which a section has data: one; for a section about both, all that the dataset has. */
function halvesOf({ halves }: Manifest, section: Section): HalfManifest[] {
  const manifests = section === 'sunlight' || section === 'kaigo' ? [halves[section]] : [halves.sunlight, halves.kaigo];
  return manifests.filter((manifest) => manifest !== null);
}
