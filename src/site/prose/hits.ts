import type { Dataset } from '../../dataset/dataset.ts';

/** A thing that was found. */
export interface Hit {
  kind: 'building' | 'town' | 'facility' | 'municipality';
  name: string;
  detail: string;
  /** Of its page. */
  path: string;
}

/** What a word finds: an exact ID first, then towns by name and reading, then municipalities. */
export function find({ sunlight, kaigo }: Dataset, q: string, most: number): Hit[] {
  const hits: Hit[] = [];
  const building = sunlight?.summary(q)?.toJSON();
  if (building !== undefined)
    hits.push({ kind: 'building', name: q, detail: building.town_name ?? '', path: `/sunlight/building/${q}/` });
  const facility = kaigo?.facility(q)?.toJSON();
  if (facility !== undefined)
    hits.push({ kind: 'facility', name: facility.name, detail: facility.address ?? '', path: `/kaigo/facility/${q}/` });
  for (const { town_code, name, reading } of sunlight?.towns() ?? []) {
    if (name?.includes(q) || reading?.startsWith(q))
      hits.push({ kind: 'town', name: name ?? town_code, detail: reading ?? '', path: `/sunlight/town/${town_code}/` });
  }
  for (const { municipality_code, name, prefecture, services } of kaigo?.municipalities() ?? []) {
    if (name.includes(q))
      hits.push({
        kind: 'municipality',
        name,
        detail: prefecture,
        path: `/kaigo/${municipality_code}/${services[0]?.service_code}/`,
      });
  }
  return hits.slice(0, most);
}
