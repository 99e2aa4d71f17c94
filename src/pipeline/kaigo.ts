import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Town, TownIndex } from '../census/town.ts';
import { kaigoBulkName } from '../dataset/kaigo.ts';
import { type AnswerContext, comparedValues, prefectureOfService, type ServiceCost } from '../dataset/kaigo-answer.ts';
import { writeKaigoStore } from '../dataset/kaigo-store-writer.ts';
import { writeKaigoBulk } from '../export/kaigo-bulk.ts';
import { byCodeUnits } from '../formats/files.ts';
import type { CostFacts } from '../kaigo/bill.ts';
import { STANDARD_CASE, STANDARD_TERMS } from '../kaigo/case.ts';
import { GroupValues, quartilesOfGroups } from '../kaigo/comparison.ts';
import { numbersByName } from '../kaigo/corporation.ts';
import { estimate } from '../kaigo/estimate.ts';
import { costFactsOf, type Facility, type FacilityService, mergeFacilities } from '../kaigo/facility.ts';
import type { FeeTable } from '../kaigo/fee-table.ts';
import { Findings } from '../kaigo/findings.ts';
import { joinFilings } from '../kaigo/lists/filings.ts';
import type { TableCredit } from '../kaigo/lists/mapped-table.ts';
import type { OfficeList } from '../kaigo/lists/office-list.ts';
import { joinFeeSheets } from '../kaigo/lists/registers.ts';
import { type PriceList, priceListOn } from '../kaigo/price-list.ts';
import { qualityAmong, qualityValues } from '../kaigo/quality.ts';
import { joinRegisters } from '../kaigo/register.ts';
import { Tariffs } from '../kaigo/tariff.ts';
import type { Credit, HalfManifest, HashedInput } from '../snapshot/manifest.ts';
import { readTables } from './care-tables.ts';
import { hazardsAt } from './hazards.ts';
import { readFees, readOffices } from './kaigo-inputs.ts';
import { type KaigoReport, kaigoReport } from './kaigo-report.ts';
import { collectGarbage } from './worker-pool.ts';

/** The options of the care half. */
export interface KaigoBuildOptions {
  /** `--offices`: folders, files or zips that hold office lists. */
  offices: string[];
  /** `--details`: tables of users, staff, rooms, opening dates and fees; may be empty. */
  details: string[];
  /** `--registers`: registers of homes with rent and fees. */
  registers?: string[];
  /** `--filings`: lists of filed additions. */
  filings?: string[];
  /** `--hazards`: flood and landslide zones. */
  hazards?: string[];
  /** `--fees`: a fee table with the schema of the built-in one; null: the built-in one. */
  fees: string | null;
  /** `--as-of`: the day whose price list is used, YYYY-MM-DD. */
  asOf: string;
  /** `--merge-lists`: use older lists of a service for offices that the newest does not have. */
  mergeLists?: boolean;
  /** Day of the build, YYYY-MM-DD. Later dates in the data are rejected. */
  builtOn: string;
  /** `--data-through`: last day of the data, YYYY-MM-DD; null: the day of the newest list. */
  dataThrough?: string | null;
  /** Days of lists whose names have none, by path. */
  listDays?: ReadonlyMap<string, string>;
  /** Towns of the census, to check positions. */
  towns?: readonly Town[];
  /** The credit of the data, when it is not the ministry's. */
  credit?: Credit | null;
  /** The draft folder of the dataset. */
  out: string;
  /** Shows one line about the work. */
  progress?: (line: string) => void;
}

/** The data of the half for the manifest. */
export interface KaigoHalf {
  manifest: HalfManifest;
  report: KaigoReport;
  /** True when it takes so much memory that some is freed between steps. */
  isCountry: boolean;
  /** Written files, relative to `out`, with `/`; with rows for tables. */
  files: { name: string; rows?: number }[];
  /** The inputs of the half, for the dataset's ID: label and SHA-256 of each, in order of label. */
  inputs: HashedInput[];
  /** Other data that it depends on, for the dataset's ID. */
  settings: { as_of: string; price_list: string; merge_lists?: boolean; data_through?: string; built_on?: string };
}

/** The licence of the bulk files. */
const LICENSE = 'CC-BY-4.0';
/** Number of facilities from which on memory is freed between steps. */
const MANY_FACILITIES = 50_000;

const SOURCES = {
  offices: {
    name: '介護サービス情報公表システム オープンデータ',
    url: 'https://www.mhlw.go.jp/stf/kaigo-kouhyou_opendata.html',
    attribution: '厚生労働省 介護サービス情報公表システムのデータを本サービスの運営者が加工して作成',
  },
  hazards: {
    name: '国土数値情報（洪水浸水想定区域・土砂災害警戒区域）',
    url: 'https://nlftp.mlit.go.jp/ksj/',
    attribution: '国土交通省 国土数値情報を加工して作成',
  },
  details: {
    name: '介護サービス情報公表システム',
    url: 'https://www.kaigokensaku.mhlw.go.jp/',
    attribution: '厚生労働省 介護サービス情報公表システムのデータを本サービスの運営者が加工して作成',
  },
};

/** The credit of registers and lists of filings whose mappings do not name one. */
const TABLE_CREDITS = {
  serviced_housing: {
    name: 'サービス付き高齢者向け住宅の登録情報',
    url: 'https://www.satsuki-jutaku.mlit.go.jp/',
    attribution: 'サービス付き高齢者向け住宅の登録情報を加工して作成',
  },
  paid_home: {
    name: '有料老人ホームの一覧（都道府県・市）',
    url: 'https://www.kaigokensaku.mhlw.go.jp/',
    attribution: '都道府県・市の有料老人ホームの一覧を加工して作成',
  },
  filings: {
    name: '介護給付費算定に係る体制等に関する届出の一覧（都道府県・市）',
    url: 'https://www.kaigokensaku.mhlw.go.jp/',
    attribution: '都道府県・市の介護給付費の届出の一覧を加工して作成',
  },
};

/**
 * The sources of the care half for its manifest, each once: of the list of offices, the detail tables, the registers,
 * the filing tables and the hazard zones, as far as they were read.
 * @param credit of the offices and details, when somebody else than the ministry published them
 */
function sourcesOf(
  { tables, registers, filingTables }: Pick<CareRead, 'tables' | 'registers' | 'filingTables'>,
  { credit, dataThrough, hasHazards }: { credit: Credit | null; dataThrough: string | null; hasHazards: boolean },
): HalfManifest['sources'] {
  const withDate = ({ date, ...rest }: TableCredit) => ({ ...rest, date: date ?? null });
  const registerCredits = registers.flatMap((register) =>
    register.credit === null
      ? [...new Set(register.rows.map(({ kind }) => kind))].map(
          (kind) => TABLE_CREDITS[kind === 'serviced_housing' ? kind : 'paid_home'],
        )
      : [register.credit],
  );
  const sources = [
    { ...(credit ?? SOURCES.offices), date: dataThrough },
    ...(tables.length > 0 && !credit ? [withDate(SOURCES.details)] : []),
    ...registerCredits.map(withDate),
    ...filingTables.map((table) => withDate(table.credit ?? TABLE_CREDITS.filings)),
    ...(hasHazards ? [withDate(SOURCES.hazards)] : []),
  ];
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()];
}

/**
 * Builds the care half: reads office lists and details, merges them, and writes store and bulk files below `out`.
 * @throws InputError for paths without usable files, and when no row could be read
 * @throws MappedTableError, RangeError or Error for an invalid mapping, day or fee table
 */
export async function buildKaigo(options: KaigoBuildOptions): Promise<KaigoHalf> {
  const { out, asOf } = options;
  const hashes: HashedInput[] = [];
  const fees = await readFees(options.fees, hashes);
  const prices = priceListOn(fees, asOf);
  const findings = new Findings();
  const care = await readFacilities(options, fees, prices, findings, hashes);
  const { lists, facilities, corporations } = care;
  // For a whole country most of what was read is garbage now, and again after the store is written.
  const isCountry = facilities.length > MANY_FACILITIES;
  if (isCountry) collectGarbage();
  // Each new call of `cost` adds its inputs to `facts`. The list is complete when the store has written all estimates.
  const { cost, facts } = costs(prices);
  const hazardZones = await hazardsAt(options.hazards ?? [], facilities, hashes, options.progress ?? (() => {}));
  const context: AnswerContext = {
    hazards: ({ facilityId }) => hazardZones.hazards.get(facilityId),
    corporations,
    numbersByName: numbersByName(corporations),
    cost,
    compared: quartilesOfGroups(valuesByGroup(facilities, (service) => comparedValues(service, cost))),
    quality: qualityOf(facilities),
    additionLabels: additionLabels(prices),
  };
  const { municipalities } = await writeKaigoStore(out, facilities, context, { fees, as_of: asOf, facts });
  if (isCountry) collectGarbage();
  const dataThrough = options.dataThrough ?? newestExtract(lists, options.builtOn, findings);
  const hasHazards = hazardZones.report !== null;
  const sources = sourcesOf(care, { credit: options.credit ?? null, dataThrough, hasHazards });
  const attribution = [...new Set(sources.map((source) => source.attribution))].join('、');
  const bulk = await writeBulk(out, facilities, context, { license: LICENSE, attribution, price_list: prices.date });
  const report = { ...kaigoReport(prices, care, context, findings), hazards: hazardZones.report };
  return {
    manifest: {
      data_through: dataThrough,
      sources,
      attribution,
      counts: {
        facilities: facilities.length,
        services: report.rows.served + report.registers.added,
        municipalities,
        corporations: corporations.size,
      },
    },
    report,
    isCountry,
    files: bulk,
    inputs: hashes.sort((a, b) => byCodeUnits(a.label, b.label) || byCodeUnits(a.sha256, b.sha256)),
    settings: settingsOf(options, prices, dataThrough, findings),
  };
}

/** What a repeated build needs beside equal input files, so that it gives the same dataset. */
function settingsOf(
  { asOf, mergeLists, dataThrough: givenDay, listDays, builtOn }: KaigoBuildOptions,
  prices: PriceList,
  dataThrough: string | null,
  findings: Findings,
): KaigoHalf['settings'] {
  // The names of the input files are part of the dataset's ID. So a day in the name of a list need not stand here.
  const isDayGiven = givenDay != null || listDays !== undefined;
  // Dates after the day of the build were left out. A later build of the same inputs would use them.
  const leftOut = findings.count('file_date') + findings.count('detail_date_to_come');
  return {
    as_of: asOf,
    price_list: prices.date,
    ...(mergeLists && { merge_lists: true }),
    ...(dataThrough !== null && isDayGiven && { data_through: dataThrough }),
    ...(leftOut > 0 && { built_on: builtOn }),
  };
}

/** A function that gives the labels of the filed additions of a service, each once. */
function additionLabels({ filedAdditions }: PriceList): AnswerContext['additionLabels'] {
  return ({ serviceCode, filing }) => {
    const additions = filedAdditions.filter(
      ({ id, service_codes }) => service_codes.includes(serviceCode) && filing?.additions.includes(id),
    );
    return [...new Set(additions.map(({ label }) => label))];
  };
}

/** What was read of the care half. */
type CareRead = Awaited<ReturnType<typeof readFacilities>>;

/**
 * Reads all inputs and merges their rows to facilities. The rows of the office lists are not kept, because those of a
 * country are large.
 */
async function readFacilities(
  options: KaigoBuildOptions,
  fees: FeeTable,
  prices: PriceList,
  findings: Findings,
  hashes: HashedInput[],
) {
  const { offices, details, builtOn, towns = [], progress = () => {} } = options;
  const {
    mergeLists = false,
    listDays = new Map(),
    registers: registerPaths = [],
    filings: filingPaths = [],
  } = options;
  const { lists, rows } = await readOffices(offices, { mergeLists, listDays, builtOn }, findings, hashes, progress);
  const context = { fees, today: builtOn };
  const tables = await readTables('details', details, context, findings, hashes, progress);
  const registerSheets = await readTables('register', registerPaths, context, findings, hashes, progress);
  const registers = joinFeeSheets(registerSheets, findings);
  const filingTables = await readTables('filed additions', filingPaths, context, findings, hashes, progress);
  const homes = registers.flatMap((register) => register.rows);
  const joinedRegisters = joinRegisters(rows, homes, options.asOf, findings);
  rows.push(...joinedRegisters.added);
  const joinedFilings = joinFilings(filingTables, rows, options.asOf, findings);
  const merged = mergeFacilities(
    rows,
    tables.flatMap((table) => table.rows),
    {
      prices,
      builtOn,
      towns: towns.length === 0 ? null : new TownIndex(towns),
      registers: joinedRegisters,
      filings: joinedFilings,
    },
    findings,
  );
  const services = merged.facilities.reduce((sum, facility) => sum + facility.services.length, 0);
  progress(`care facilities: ${merged.facilities.length} with ${services} services`);
  return { lists, tables, registers, filingTables, ...merged };
}

/** The day of the newest list by the names of files; null when no name has a day. Days after the build are reported. */
function newestExtract(lists: readonly OfficeList[], builtOn: string, findings: Findings): string | null {
  let newest: string | null = null;
  for (const { file, extractedOn } of lists) {
    if (extractedOn === null) continue;
    if (extractedOn > builtOn) findings.note('file_date', { file, line: 0 }, extractedOn);
    else if (newest === null || extractedOn > newest) newest = extractedOn;
  }
  return newest;
}

/** The values of each service, to compare it with the same service in all of Japan and in its prefecture. */
function valuesByGroup<Name extends string>(
  facilities: readonly Facility[],
  valuesOf: (service: FacilityService) => Record<Name, number | null>,
): GroupValues<Name> {
  const values = new GroupValues<Name>();
  for (const facility of facilities) {
    for (const service of facility.services) {
      values.add(service.serviceCode, prefectureOfService(facility, service), valuesOf(service));
    }
  }
  return values;
}

/** A function that gives the position of each quality figure of a service among all services of its kind. */
function qualityOf(facilities: readonly Facility[]): AnswerContext['quality'] {
  const peers = valuesByGroup(facilities, qualityValues);
  // Sorted once, so that a position is a binary search.
  peers.sort();
  return (facility, service) =>
    qualityAmong(peers, service.serviceCode, prefectureOfService(facility, service), qualityValues(service));
}

/**
 * The estimates of services in the standard case.
 *
 * Most services of a municipality have the same cost inputs, so an estimate is made once for equal inputs. It is kept by
 * service too: several tables need it, and finding the inputs of a service takes longer than a look-up.
 * @returns `cost`: a function that gives the estimate of a service, and the index of its cost inputs in `facts`
 */
function costs(prices: PriceList): { cost: AnswerContext['cost']; facts: CostFacts[] } {
  const tariffs = new Tariffs(prices, STANDARD_TERMS);
  const facts: CostFacts[] = [];
  const byFacts = new Map<string, ServiceCost>();
  const byService = new Map<FacilityService, ServiceCost>();
  const costOf = (inputs: CostFacts): ServiceCost => {
    const key = JSON.stringify(inputs);
    const earlier = byFacts.get(key);
    if (earlier !== undefined) return earlier;
    const added = { facts: facts.length, estimate: estimate(inputs, STANDARD_CASE, tariffs) };
    facts.push(inputs);
    byFacts.set(key, added);
    return added;
  };
  const cost = (service: FacilityService): ServiceCost => {
    const result = byService.get(service) ?? costOf(costFactsOf(service));
    byService.set(service, result);
    return result;
  };
  return { cost, facts };
}

/** Writes the bulk file of each prefecture. Returns the name of each and the number of its rows. */
async function writeBulk(
  out: string,
  facilities: readonly Facility[],
  context: AnswerContext,
  credit: Parameters<typeof writeKaigoBulk>[4],
): Promise<{ name: string; rows: number }[]> {
  // A facility is in the file of each prefecture in which it has a service.
  const inPrefectures = facilities.flatMap((facility) => {
    const codes = new Set(facility.services.map((service) => prefectureOfService(facility, service)));
    return [...codes].map((code) => ({ code, facility }));
  });
  const byPrefecture = Map.groupBy(inPrefectures, ({ code }) => code);
  const files: { name: string; rows: number }[] = [];
  for (const [code, there] of [...byPrefecture].sort(([a], [b]) => byCodeUnits(a, b))) {
    const name = kaigoBulkName(code);
    const facilitiesThere = there.map(({ facility }) => facility);
    await mkdir(dirname(join(out, name)), { recursive: true });
    files.push({ name, rows: await writeKaigoBulk(join(out, name), code, facilitiesThere, context, credit) });
  }
  return files;
}
