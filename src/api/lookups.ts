import type { FacilitySort, KaigoAnswers, SunlightAnswers } from '../dataset/dataset.ts';
import type { Exchange } from './exchange.ts';
import type { Values } from './parameters.ts';

/** How an operation's `data` is found. */
interface Lookup {
  /** Null, or a promise of it, when there is no such thing. */
  find(exchange: Exchange): unknown;
  /** The `detail` of the 404. */
  absent(values: Values): string;
}

/** Most results of `near`. */
const NEAR_LIMIT = 50;
/** Results on a page. */
const PAGE_SIZE = 100;

const never = (): string => 'There is no such thing.';

const kaigo = (exchange: Exchange): KaigoAnswers => exchange.serving.dataset.kaigo!;
const sunlight = (exchange: Exchange): SunlightAnswers => exchange.serving.dataset.sunlight!;
const word = (values: Values, name: string): string => values[name] as string;
const number = (values: Values, name: string): number => values[name] as number;

const absentBuilding = (values: Values): string =>
  `There is no building ${values.building_id} in this dataset, or it has no results.`;

/** By operation. */
export const LOOKUPS: Readonly<Record<string, Lookup>> = {
  'sunlight-building': {
    find: (exchange) => sunlight(exchange).summary(word(exchange.values, 'building_id')),
    absent: absentBuilding,
  },
  'sunlight-building-full': {
    find: (exchange) => sunlight(exchange).full(word(exchange.values, 'building_id')),
    absent: absentBuilding,
  },
  'sunlight-near': {
    find: (exchange) => {
      const { values } = exchange;
      return sunlight(exchange).near(number(values, 'lat'), number(values, 'lon'), number(values, 'r'), NEAR_LIMIT);
    },
    absent: never,
  },
  'sunlight-town-buildings': {
    find: (exchange) => {
      const { values } = exchange;
      return sunlight(exchange).town(word(values, 'town_code'), number(values, 'page'), PAGE_SIZE);
    },
    absent: ({ town_code, page }) => `There is no town ${town_code} in this dataset, or it has no page ${page}.`,
  },
  'sunlight-point': {
    find: (exchange) => {
      const { values } = exchange;
      return sunlight(exchange).point(number(values, 'lat'), number(values, 'lon'), number(values, 'height_m'));
    },
    absent: never,
  },
  'sunlight-bulk': {
    find: (exchange) => bulk(exchange, 'sunlight', word(exchange.values, 'ward_code')),
    absent: ({ ward_code }) => `This dataset has no buildings of ward ${ward_code}.`,
  },
  'sunlight-towns': {
    find: (exchange) => sunlight(exchange).towns(),
    absent: never,
  },
  'kaigo-facility': {
    find: (exchange) => kaigo(exchange).facility(word(exchange.values, 'facility_id')),
    absent: ({ facility_id }) => `There is no facility ${facility_id} in this dataset.`,
  },
  'kaigo-municipality': {
    find: (exchange) => {
      const { values } = exchange;
      const [code, service] = [word(values, 'municipality_code'), word(values, 'service_code')];
      const sort = values.sort as FacilitySort;
      return kaigo(exchange).municipality(code, service, sort, number(values, 'page'), PAGE_SIZE);
    },
    absent: ({ municipality_code, page }) =>
      `There is no municipality ${municipality_code} in this dataset, or the table has no page ${page}.`,
  },
  'kaigo-near': {
    find: (exchange) => {
      const { values } = exchange;
      const service = (values.service as string | undefined) ?? null;
      const [lat, lon, radius] = [number(values, 'lat'), number(values, 'lon'), number(values, 'r')];
      return kaigo(exchange).near(lat, lon, radius, service, NEAR_LIMIT);
    },
    absent: never,
  },
  'kaigo-bulk': {
    find: (exchange) => bulk(exchange, 'kaigo', word(exchange.values, 'prefecture_code')),
    absent: ({ prefecture_code }) => `This dataset has no facilities of prefecture ${prefecture_code}.`,
  },
  'kaigo-municipalities': {
    find: (exchange) => kaigo(exchange).municipalities(),
    absent: never,
  },
};

async function bulk({ serving, service }: Exchange, half: 'sunlight' | 'kaigo', code: string): Promise<unknown> {
  const answers: SunlightAnswers | KaigoAnswers = serving.dataset[half]!;
  const file = answers.bulk(code);
  if (file === null) return null;
  const { url, expiresAt } = await service.offers.offer(serving.dataset.manifest.dataset_id, half, code, file);
  return {
    url,
    expires_at: expiresAt.toISOString().replace('.000Z', 'Z'),
    format: 'parquet',
    rows: file.rows,
    bytes: file.bytes,
    sha256: file.sha256,
  };
}
