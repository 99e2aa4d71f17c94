import { type Operation, requestTarget } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { Dataset } from '../dataset/dataset.ts';

/** A URL to try and what it shows. */
export interface ExampleUrl {
  summary: string;
  url: string;
}

/** URLs that work with the dataset at hand: its own first building, town or facility stands in for the parameters. */
export function exampleUrls(dataset: Dataset, siteUrl: string): ExampleUrl[] {
  const values: Record<string, string> = { name: 'sunlight-building', ...sunlightValues(dataset) };
  const shown = OPERATIONS.filter(({ half, optional }) => optional === undefined && (half === 'site' || dataset[half]));
  return shown.flatMap((operation) => {
    const target = targetWith(operation, values);
    return target === null ? [] : [{ summary: operation.summary, url: siteUrl + target }];
  });
}

/** Null when a parameter that has to be given has no value in this dataset. */
function targetWith(operation: Operation, values: Readonly<Record<string, string>>): string | null {
  const needed = operation.parameters.filter(({ required }) => required).map(({ name }) => name);
  if (needed.some((name) => values[name] === undefined)) return null;
  return requestTarget(operation, Object.fromEntries(needed.map((name) => [name, values[name]!])));
}

/** The first town that has buildings, and its first building. */
function sunlightValues({ sunlight }: Dataset): Record<string, string> {
  for (const { town_code } of sunlight?.towns() ?? []) {
    const building = sunlight!.town(town_code, 1, 1)?.buildings[0];
    if (building === undefined) continue;
    const { building_id, ward_code, lat, lon } = building;
    return { town_code, building_id, ward_code, lat: String(lat), lon: String(lon) };
  }
  return {};
}
