import type { MunicipalityTable } from '../contract/kaigo-schemas.ts';
import type { FacilitySort, JsonBytes, KaigoAnswers, SunlightAnswers } from '../dataset/dataset.ts';
import { shorten } from './echo.ts';
import type { Exchange } from './exchange.ts';
import type { Values } from './parameters.ts';

/** How an operation's `data` is found. */
interface Lookup {
  /** Null, or a promise of it, when there is no such thing. */
  find(exchange: Exchange): unknown;
  /** The `detail` of the 404: names its one cause. Absent where there is always an answer. */
  absent?(exchange: Exchange): string;
}

/** Most results of `near`. */
const NEAR_LIMIT = 50;
/** Results on a page. */
const PAGE_SIZE = 100;

const kaigo = (exchange: Exchange): KaigoAnswers => exchange.serving.dataset.kaigo!;
const sunlight = (exchange: Exchange): SunlightAnswers => exchange.serving.dataset.sunlight!;
const word = (values: Values, name: string): string => values[name] as string;
const number = (values: Values, name: string): number => values[name] as number;

const absentBuilding = ({ values }: Exchange): string =>
  `There is no building ${shorten(word(values, 'building_id'))} in this dataset.`;

/** @param first page of a list whose page `page` was asked for; null: there is no such list. */
function absentPage(what: string, first: JsonBytes<{ page_count: number }> | null, page: number): string {
  if (first === null) return `There is no ${what} in this dataset.`;
  const { page_count } = first.toJSON();
  return `The list of ${what} has ${page_count === 1 ? 'one page' : `${page_count} pages`}: there is no page ${page}.`;
}

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
  },
  'sunlight-town-buildings': {
    find: (exchange) => {
      const { values } = exchange;
      return sunlight(exchange).town(word(values, 'town_code'), number(values, 'page'), PAGE_SIZE);
    },
    absent: (exchange) => {
      const [code, page] = [word(exchange.values, 'town_code'), number(exchange.values, 'page')];
      return absentPage(`town ${code}`, sunlight(exchange).town(code, 1, PAGE_SIZE), page);
    },
  },
  'sunlight-point': {
    find: (exchange) => {
      const { values } = exchange;
      return sunlight(exchange).point(number(values, 'lat'), number(values, 'lon'), number(values, 'height_m'));
    },
  },
  'sunlight-bulk': {
    find: (exchange) => bulk(exchange, 'sunlight', word(exchange.values, 'ward_code')),
    absent: ({ values }) => `This dataset has no buildings of ward ${values.ward_code}.`,
  },
  'sunlight-towns': {
    find: (exchange) => sunlight(exchange).towns(),
  },
  'kaigo-facility': {
    find: (exchange) => kaigo(exchange).facility(word(exchange.values, 'facility_id')),
    absent: ({ values }) => `There is no facility ${values.facility_id} in this dataset.`,
  },
  'kaigo-municipality': {
    find: (exchange) => {
      const { values } = exchange;
      const [code, service] = [word(values, 'municipality_code'), word(values, 'service_code')];
      const sort = values.sort as FacilitySort;
      return kaigo(exchange).municipality(code, service, sort, number(values, 'page'), PAGE_SIZE);
    },
    absent: (exchange) => {
      const { values } = exchange;
      const [code, service] = [word(values, 'municipality_code'), word(values, 'service_code')];
      const first = kaigo(exchange).municipality(
        code,
        service,
        'id',
        1,
        PAGE_SIZE,
      ) as JsonBytes<MunicipalityTable> | null;
      return absentPage(`municipality ${code}`, first, number(values, 'page'));
    },
  },
  'kaigo-near': {
    find: (exchange) => {
      const { values } = exchange;
      const service = (values.service as string | undefined) ?? null;
      const [lat, lon, radius] = [number(values, 'lat'), number(values, 'lon'), number(values, 'r')];
      return kaigo(exchange).near(lat, lon, radius, service, NEAR_LIMIT);
    },
  },
  'kaigo-bulk': {
    find: (exchange) => bulk(exchange, 'kaigo', word(exchange.values, 'prefecture_code')),
    absent: ({ values }) => `This dataset has no facilities of prefecture ${values.prefecture_code}.`,
  },
  'kaigo-municipalities': {
    find: (exchange) => kaigo(exchange).municipalities(),
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
