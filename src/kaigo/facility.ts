import type { LatLon } from '../geo/degree.ts';
import type { CostFacts } from './bill.ts';
import { type Corporation, countCorporations } from './corporation.ts';
import type { AsPublished, FindingKind, Findings } from './findings.ts';
import type { CleanRow, OpenDay } from './lists/clean-row.ts';
import type { Detail } from './lists/details.ts';
import type { Filing } from './lists/filings.ts';
import type { Grade } from './municipalities.ts';
import { dropImpossibleStaff, plausibleDetail } from './plausible.ts';
import { geodesicMetres, meansUnknown } from './position.ts';
import { doubtPositions, type TownMap } from './position-doubts.ts';
import type { PriceList } from './price-list.ts';
import { feesOf, NO_FEES, type PublishedFees, RoomFeeMentions } from './published-fees.ts';
import { type FeeRange, feesOfHome, type JoinedRegisters, type RegisterEntry, withRegister } from './register.ts';
import { type OfferedRooms, offeredRooms, roomsByFees, type StatedRooms, statedRooms } from './rooms.ts';
import { homesFirst } from './services.ts';
import { type StaffedService, type Staffing, staffingOf, staffSharers, usersTogether } from './staffing.ts';
import { plain } from './text.ts';

/**
 * One office with all its services. If its services publish different values, the most common value counts; in a tie,
 * the value of the service in which people live.
 */
export interface Facility {
  facilityId: string;
  name: string;
  nameKana: string | null;
  address: string | null;
  prefectureCode: string;
  prefecture: string;
  municipalityCode: string | null;
  municipality: string | null;
  /** Null unless `location` is `published`. */
  position: LatLon | null;
  location: 'published' | 'suspect' | 'unknown';
  phone: string | null;
  fax: string | null;
  url: string | null;
  corporateNumber: string | null;
  /** The corporation's name as this office writes it. */
  corporation: string | null;
  /** In order of service code. */
  services: FacilityService[];
}

/** The data of one service of an office. */
export interface FacilityService {
  serviceCode: string;
  /** The municipality of its comparison table; null when it cannot be determined. */
  municipalityCode: string | null;
  municipality: string | null;
  grade: Grade | null;
  /** Its own name and address, which may differ from the facility's. */
  name: string;
  address: string | null;
  /** Its own, if it publishes a believed one; otherwise the facility's. */
  phone: string | null;
  fax: string | null;
  url: string | null;
  position: LatLon | null;
  capacity: number | null;
  openDays: readonly OpenDay[] | null;
  openDaysNote: string | null;
  sharedCare: boolean | null;
  careDesignation: string | null;
  disabilityDesignation: string | null;
  detail: Detail | null;
  staffing: Staffing | null;
  rooms: StatedRooms;
  /** From rooms and fees together. */
  offered: OfferedRooms;
  /** Published fees that are believed. */
  fees: PublishedFees;
  /** True when a social welfare corporation (社会福祉法人) runs it. */
  isSocialWelfare: boolean;
  /** The additions that it has filed; null when no list has them. */
  filing: Filing | null;
  /** Its entry in a register; null when no register has it. */
  register: RegisterEntry | null;
  asPublished: AsPublished;
}

/** The result of merging office lists and details. */
interface FacilityData {
  /** In order of ID. */
  facilities: Facility[];
  corporations: ReadonlyMap<string, Corporation>;
  /** Details that belong to a service of the lists. */
  detailsUsed: number;
}

/** Other inputs of facilities, besides the rows of the lists and the details. */
interface MergeFacts {
  /** Published fees are compared with these. */
  prices: PriceList;
  /** Day of the build, YYYY-MM-DD. */
  builtOn: string;
  /** Null without census towns. */
  towns: TownMap | null;
  registers: JoinedRegisters;
  /** By office number and service. */
  filings: ReadonlyMap<string, Filing>;
}

/** Services of one office farther apart than this are noted. */
const APART_METRES = 1000;

/**
 * Makes facilities from cleaned rows and details. It counts every value that is left out, differs, or is not believed.
 * @param rows are used up: the array is empty afterwards
 */
export function mergeFacilities(
  rows: CleanRow[],
  details: readonly Detail[],
  { prices, builtOn, towns, registers, filings }: MergeFacts,
  findings: Findings,
): FacilityData {
  const uniqueRows = withoutDuplicates(rows, findings);
  doubtPositions(uniqueRows, towns, findings);
  const publishedDetails = joinDetails(uniqueRows, details, findings);
  // Before the registers add details of their own.
  const detailsUsed = publishedDetails.size;
  fillFromRegisters(publishedDetails, uniqueRows, registers.entries);
  noteUnknownFilings(uniqueRows, filings, findings);
  const detailOf = plausibleDetails(uniqueRows, publishedDetails, builtOn, findings);
  const sharers = withoutImpossibleStaff(uniqueRows, detailOf, findings);
  const mentions = feeMentions(uniqueRows, detailOf, prices);
  const context = { detailOf, sharers, prices, findings, mentions, registers: registers.entries, filings };
  const corporations = countCorporations(uniqueRows);
  const byId = Map.groupBy(uniqueRows, ({ facilityId }) => facilityId);
  // A national data set is too large to keep both rows and facilities. Each row is released after it is merged.
  rows.length = 0;
  uniqueRows.length = 0;
  const facilities: Facility[] = [];
  for (const [id, services] of byId) {
    facilities.push(facilityOf(services, context));
    byId.delete(id);
  }
  facilities.sort((a, b) => (a.facilityId < b.facilityId ? -1 : 1));
  for (const [number, { name, nameVariants }] of corporations) {
    if (nameVariants.length > 0) findings.noteOf('corporation_names', number, [name, ...nameVariants].join(' / '));
  }
  return { facilities, corporations, detailsUsed };
}

/** What facilities are merged with. */
interface MergeContext {
  /** Without implausible values. */
  detailOf: ReadonlyMap<string, Detail>;
  /** The other offices that share the staff of a service. */
  sharers: ReadonlyMap<string, readonly StaffedService[]>;
  prices: PriceList;
  findings: Findings;
  mentions: RoomFeeMentions;
  registers: JoinedRegisters['entries'];
  filings: MergeFacts['filings'];
}

/** The key of a service of an office: office number, then service code. */
const serviceKey = ({ facilityId, serviceCode }: Pick<CleanRow, 'facilityId' | 'serviceCode'>): string =>
  facilityId + serviceCode;

/** The first row of each office and service. The others are noted. */
function withoutDuplicates(rows: readonly CleanRow[], findings: Findings): CleanRow[] {
  const rowByService = new Map<string, CleanRow>();
  for (const row of rows) {
    const earlier = rowByService.get(serviceKey(row));
    if (earlier === undefined) rowByService.set(serviceKey(row), row);
    else
      findings.note(
        'row_duplicate',
        row,
        `${row.facilityId}, service ${row.serviceCode}, as ${earlier.file}:${earlier.line}`,
      );
  }
  return [...rowByService.values()];
}

/** The details of each row by office and service. Those of no row, and repeated ones, are noted. */
function joinDetails(rows: readonly CleanRow[], details: readonly Detail[], findings: Findings): Map<string, Detail> {
  const serviceKeys = new Set(rows.map(serviceKey));
  const detailByService = new Map<string, Detail>();
  for (const detail of details) {
    const key = detail.facility_id + detail.service_code;
    const what = `${detail.facility_id}, service ${detail.service_code}`;
    const earlier = detailByService.get(key);
    if (!serviceKeys.has(key)) findings.note('detail_unknown', detail, what);
    else if (earlier !== undefined)
      findings.note('detail_duplicate', detail, `${what}, as ${earlier.file}:${earlier.line}`);
    else detailByService.set(key, detail);
  }
  return detailByService;
}

/** Fills unknown values of details from the entries of the registers. */
function fillFromRegisters(
  details: Map<string, Detail>,
  rows: readonly CleanRow[],
  entries: JoinedRegisters['entries'],
): void {
  if (entries.size === 0) return;
  for (const row of rows) {
    const entry = entries.get(serviceKey(row));
    if (entry !== undefined) details.set(serviceKey(row), withRegister(details.get(serviceKey(row)), entry.home, row));
  }
}

/** Notes the filed additions of services that no list has. */
function noteUnknownFilings(rows: readonly CleanRow[], filings: MergeFacts['filings'], findings: Findings): void {
  if (filings.size === 0) return;
  const serviceKeys = new Set(rows.map(serviceKey));
  for (const [key, filing] of filings) {
    if (!serviceKeys.has(key)) {
      findings.note('filing_unknown', filing, `${filing.facility_id}, service ${filing.service_code}`);
    }
  }
}

/** The details of the rows by office and service, without implausible values. */
function plausibleDetails(
  rows: readonly CleanRow[],
  detailByService: ReadonlyMap<string, Detail>,
  builtOn: string,
  findings: Findings,
): Map<string, Detail> {
  return new Map(
    rows.flatMap((row) => {
      const detail = detailByService.get(serviceKey(row));
      return detail === undefined ? [] : [[serviceKey(row), plausibleDetail(detail, row.capacity, builtOn, findings)]];
    }),
  );
}

/**
 * Removes staff that does not fit the users, from details. Offices of one home each publish the staff of the whole home: it
 * is compared with the users of all of them.
 * @returns by office and service, the other services that share the staff
 */
function withoutImpossibleStaff(
  rows: readonly CleanRow[],
  detailOf: ReadonlyMap<string, Detail>,
  findings: Findings,
): Map<string, StaffedService[]> {
  const services = rows.flatMap((row): StaffedService[] => {
    const detail = detailOf.get(serviceKey(row));
    if (detail === undefined) return [];
    const { facilityId, serviceCode, position } = row;
    const [corporation, capacity] = [corporationKey(row), capacityOf(row, detail)];
    return [{ facilityId, serviceCode, corporation, position, detail, capacity }];
  });
  const sharers = staffSharers(services);
  // All users are counted before any value is removed.
  const users = services.map((service) => usersTogether([service, ...(sharers.get(service) ?? [])])?.users ?? null);
  for (const [i, service] of services.entries()) dropImpossibleStaff(service, users[i] ?? null, findings);
  return new Map([...sharers].map(([service, others]) => [serviceKey(service), others]));
}

/** Collects which fees for rooms the homes of each corporation publish, to judge a doubtful fee ({@link RoomFeeMentions}). */
function feeMentions(
  rows: readonly CleanRow[],
  detailOf: ReadonlyMap<string, Detail>,
  prices: PriceList,
): RoomFeeMentions {
  const mentions = new RoomFeeMentions();
  for (const row of rows) {
    const detail = detailOf.get(serviceKey(row));
    if (detail === undefined) continue;
    const { kinds } = offeredRooms(statedRoomsOf(row, detail, prices), capacityOf(row, detail));
    mentions.add(prices, detail, kinds, corporationKey(row));
  }
  return mentions;
}

/** The key of a corporation: its number, else its name. Empty: neither is known. */
const corporationKey = ({ corporateNumber, corporation }: CleanRow): string =>
  corporateNumber ?? plain(corporation ?? '');

/** The facts about the rooms of a service: from its details, or its name. */
const statedRoomsOf = (row: CleanRow, detail: Detail | null, prices: PriceList): StatedRooms =>
  statedRooms(detail, row.name, prices.services.get(row.serviceCode)?.residence_class !== undefined);

/** Places of a service as published; those of details count unless they are an estimate. */
const capacityOf = (row: CleanRow, detail: Detail | null): number | null =>
  row.capacity ?? (detail?.capacity_estimated === 'yes' ? null : (detail?.capacity ?? null));

/**
 * Merges the rows of one office, one for each service, into a facility. Where rows differ, the most common value
 * counts.
 */
function facilityOf(rows: CleanRow[], context: MergeContext): Facility {
  rows.sort((a, b) => homesFirst(a.serviceCode, b.serviceCode));
  const mainRow = rows[0];
  const municipalityCode = mostCommon(rows, (row) => row.municipalityCode);
  const municipalityRow = rows.find((row) => row.municipalityCode === municipalityCode) ?? mainRow;
  const positionText = ({ position }: CleanRow) => position && `${position.lat},${position.lon}`;
  const commonPosition = mostCommon(rows, positionText);
  const position = rows.find((row) => positionText(row) === commonPosition)?.position ?? null;
  const isUnknown = rows.every((row) => row.positionFault !== null && meansUnknown(row.positionFault));
  const locationWithoutPosition = isUnknown ? 'unknown' : 'suspect';
  const facility: Facility = {
    facilityId: mainRow.facilityId,
    name: mostCommon(rows, (row) => row.name) ?? mainRow.name,
    nameKana: mostCommon(rows, (row) => row.kana),
    address: mostCommon(rows, (row) => row.address),
    prefectureCode: municipalityRow.prefectureCode,
    prefecture: municipalityRow.prefecture,
    municipalityCode,
    municipality: municipalityRow.municipality,
    position,
    location: position === null ? locationWithoutPosition : 'published',
    phone: mostCommon(rows, (row) => row.phone),
    fax: mostCommon(rows, (row) => row.fax),
    url: mostCommon(rows, (row) => row.url),
    corporateNumber: mostCommon(rows, (row) => row.corporateNumber),
    corporation: mostCommon(rows, (row) => row.corporation),
    services: [],
  };
  if (rows.length > 1) noteDifferences(rows, context.findings);
  facility.services = rows
    .sort((a, b) => (a.serviceCode < b.serviceCode ? -1 : 1))
    .map((row) => serviceOfRow(row, facility, context));
  return facility;
}

/** One service of a facility. Published values that differ from the facility's own are kept with it. */
function serviceOfRow(
  row: CleanRow,
  facility: Facility,
  { detailOf, sharers, prices, findings, mentions, registers, filings }: MergeContext,
): FacilityService {
  const detail = detailOf.get(serviceKey(row)) ?? null;
  const capacity = capacityOf(row, detail);
  const staffing = staffingOf({ detail, capacity }, sharers.get(serviceKey(row)) ?? []);
  if (staffing?.sharedWith) {
    const offices = staffing.sharedWith.join(', ');
    findings.noteOf('detail_staff_shared', row.facilityId, `${staffing.careStaff} care staff as ${offices}`);
  }
  const rooms = statedRoomsOf(row, detail, prices);
  if (rooms.kindFrom === 'name') findings.note('room_kind_name', row, `${row.name}: ${rooms.kind}`);
  const offered = offeredRooms(rooms, capacity);
  const context = { rooms: offered.kinds, corporation: corporationKey(row), mentions };
  const fees = detail === null ? NO_FEES : feesOf(prices, detail, context, findings);
  const asPublished: AsPublished = { ...row.asPublished, ...detail?.as_published };
  if (row.name !== facility.name) asPublished.name = row.name;
  if (row.address !== null && row.address !== facility.address) asPublished.address ??= row.address; // What was published before it was cleaned has priority.
  if (row.municipalityCode !== null && row.municipalityCode !== facility.municipalityCode) {
    asPublished.municipality_code = row.municipalityCode;
  }
  if (row.corporateNumber !== null && row.corporateNumber !== facility.corporateNumber) {
    asPublished.corporate_number = row.corporateNumber;
  }
  return {
    serviceCode: row.serviceCode,
    municipalityCode: row.municipalityCode,
    municipality: row.municipality,
    grade: row.grade,
    name: row.name,
    address: row.address ?? facility.address,
    phone: row.phone ?? facility.phone,
    fax: row.fax ?? facility.fax,
    url: row.url ?? facility.url,
    position: row.position ?? facility.position,
    capacity,
    openDays: row.openDays,
    openDaysNote: row.openDaysNote,
    sharedCare: row.sharedCare,
    careDesignation: row.careDesignation,
    disabilityDesignation: row.disabilityDesignation,
    detail,
    staffing,
    rooms,
    offered: roomsByFees(offered, fees.roomFees),
    fees,
    filing: filingOf(row, filings, prices, findings),
    register: registers.get(serviceKey(row)) ?? null,
    isSocialWelfare: isOfSocialWelfare(row.serviceCode, row.corporation ?? facility.corporation ?? ''),
    asPublished: Object.keys(asPublished).length === 0 ? NO_OTHER_VALUES : asPublished,
  };
}

/** Operators of special nursing homes other than social welfare corporations. */
const OTHER_OPERATORS = /法人|会社|組合|連合|赤十字|機構|[都道府県市区町村]$/;

/**
 * True when a social welfare corporation (社会福祉法人) runs a service. Special nursing homes (510, 540) are run by these or
 * by public bodies (老人福祉法第15条), so there a name without a form of corporation, such as 正吉福祉会, is one of these.
 */
function isOfSocialWelfare(serviceCode: string, corporation: string): boolean {
  const name = plain(corporation);
  if (/社会福.{0,3}法人|社福|\(福\)/.test(name)) return true;
  return ['510', '540'].includes(serviceCode) && name !== '' && !OTHER_OPERATORS.test(name);
}

/**
 * What a service has filed, with one of several levels of an addition and without an unknown treatment rate. Additions
 * that the price list of the service does not have are noted; estimates pass over them.
 */
function filingOf(row: CleanRow, filings: MergeFacts['filings'], prices: PriceList, findings: Findings): Filing | null {
  const filing = filings.get(serviceKey(row));
  if (filing === undefined) return null;
  for (const id of filing.additions) {
    const isKnown = prices.filedAdditions.some(
      (addition) => addition.id === id && addition.service_codes.includes(row.serviceCode),
    );
    if (!isKnown) findings.note('filing_addition', filing, `${id}; service ${row.serviceCode}`);
  }
  return withFiledRate(withOneLevel(filing, row, prices, findings), row, prices, findings);
}

/**
 * A filing with one of several levels that exclude each other, as 加算(Ⅰ) and (Ⅲ): a home charges at least the smallest.
 */
function withOneLevel(filing: Filing, row: CleanRow, prices: PriceList, findings: Findings): Filing {
  const filed = prices.filedAdditions
    .filter(({ id, service_codes }) => filing.additions.includes(id) && service_codes.includes(row.serviceCode))
    .sort((a, b) => a.units - b.units);
  const excluded = filed.filter(
    ({ one_of: group, rooms }, i) =>
      group !== undefined &&
      filed.slice(0, i).some((smaller) => {
        // An addition without rooms is for all rooms.
        const shareRoom = rooms === undefined || (smaller.rooms ?? rooms).some((room) => rooms.includes(room));
        return smaller.one_of === group && shareRoom;
      }),
  );
  if (excluded.length === 0) return filing;
  const excludedIds = new Set(excluded.map(({ id }) => id));
  findings.note(
    'filing_levels',
    filing,
    `${filing.facility_id}: ${excluded.map(({ label }) => label).join(', ')} left out`,
  );
  return { ...filing, additions: filing.additions.filter((id) => !excludedIds.has(id)) };
}

/**
 * What a facility filed (届出). The rate of its treatment addition (処遇改善加算) becomes null, and is noted, when the price
 * list of its service has no rate of this name.
 */
function withFiledRate(filing: Filing, row: CleanRow, prices: PriceList, findings: Findings): Filing {
  if (filing.treatment === null || filing.treatment === 'none') return filing;
  const group = prices.services.get(row.serviceCode)?.treatment_group ?? '';
  const rates = prices.treatment.get(group)?.permille ?? {};
  if (filing.treatment in rates) return filing;
  const rateNames = Object.keys(rates).join(', ') || 'none';
  findings.note('filing_treatment', filing, `${filing.treatment}; service ${row.serviceCode} has ${rateNames}`);
  return { ...filing, treatment: null };
}

/** Shared by all services whose published values are served unchanged. */
const NO_OTHER_VALUES: AsPublished = Object.freeze({});

/** The most common value; in a tie, the first. Null: no row has a value. */
function mostCommon(rows: readonly CleanRow[], value: (row: CleanRow) => string | null): string | null {
  const first = value(rows[0]);
  if (rows.every((row) => value(row) === first)) return first;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const text = value(row);
    if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const highestCount = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === highestCount)?.[0] ?? null;
}

/** The values that can differ between services of one office, and the finding that counts each. */
const DIFFERENCES = [
  ['facility_names', 'name'],
  ['facility_addresses', 'address'],
  ['facility_phones', 'phone'],
  ['facility_faxes', 'fax'],
  ['facility_urls', 'url'],
  ['facility_corporations', 'corporateNumber'],
  ['facility_municipalities', 'municipalityCode'],
] as const satisfies readonly [FindingKind, keyof CleanRow][];

/** Notes that an office has several services, and the values that differ between them. */
function noteDifferences(rows: readonly CleanRow[], findings: Findings): void {
  const id = rows[0].facilityId;
  findings.noteOf('facility_several_services', id, rows.map(({ serviceCode }) => serviceCode).join(', '));
  for (const [kind, member] of DIFFERENCES) {
    const values = new Set(rows.map((row) => row[member]).filter((value) => value !== null));
    if (values.size > 1) findings.noteOf(kind, id, [...values].join(' / '));
  }
  const positions = rows.flatMap(({ position }) => position ?? []);
  if (positions.some((position) => geodesicMetres(position, positions[0]) > APART_METRES)) {
    findings.noteOf('facility_positions', id, positions.map(({ lat, lon }) => `${lat},${lon}`).join(' / '));
  }
}

/** The cost inputs of a service. */
export function costFactsOf(service: FacilityService): CostFacts {
  const { serviceCode, grade, offered, fees, isSocialWelfare, filing, register } = service;
  const registerFees = register === null ? null : feesOfHome(register.home);
  /**
   * The range of a fee in the register. A fee that the details lack was taken from there: it is the lowest sum of the range
   * (`withRegister`). Null for any other fee, because the range says nothing about it.
   */
  const rangeOf = (name: keyof NonNullable<typeof registerFees>, fee: number | null): FeeRange | null => {
    const range = registerFees?.[name] ?? null;
    return range !== null && range.low === fee ? range : null;
  };
  const rent = rangeOf('rent', fees.rentPerMonth);
  const management = rangeOf('management', fees.managementPerMonth);
  const food = fees.food?.per === 'month' ? rangeOf('food', fees.food.yen) : null;
  const rentOrigin = rent === null ? 'published' : 'register';
  return {
    serviceCode,
    grade,
    rooms: offered.kinds,
    mainRoom: offered.main,
    isSocialWelfare,
    filed: filing && { additions: [...filing.additions].sort(), treatment: filing.treatment },
    rentFrom: fees.rentPerMonth === null ? null : rentOrigin,
    mostRentPerMonth: rent?.high ?? null,
    mostManagementPerMonth: management?.high ?? null,
    mostFoodPerMonth: food?.high ?? null,
    ...fees,
  };
}
