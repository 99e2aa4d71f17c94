import { type CostEstimate, lacksRent } from '../contract/kaigo-cost.ts';
import { type Corporation as CorporationAnswer, ROW_MEMBERS, type Rooms } from '../contract/kaigo-facility.ts';
import type { Quality } from '../contract/kaigo-quality.ts';
import {
  Facility as FacilityAnswer,
  type FacilityService as ServiceAnswer,
} from '../contract/operations/kaigo-facility.ts';
import type { ComparisonRow } from '../contract/operations/kaigo-municipality.ts';
import {
  type ComparedValues,
  comparedWith,
  costKey,
  type QuartilesByGroup,
  type SortKeys,
  staffKey,
} from '../kaigo/comparison.ts';
import type { Corporation } from '../kaigo/corporation.ts';
import type { Facility, FacilityService } from '../kaigo/facility.ts';
import { type Hazards, worstFlood } from '../kaigo/hazards.ts';
import { type DetailValues, NO_DETAIL } from '../kaigo/lists/details.ts';
import { officialServiceName } from '../kaigo/services.ts';
import { comparedRatios, occupancyOf } from '../kaigo/staffing.ts';
import { plain } from '../kaigo/text.ts';

/** What answers are made with besides the facility itself. */
export interface AnswerContext {
  corporations: ReadonlyMap<string, Corporation>;
  /** The corporate number of a name; null when several corporations have the name. */
  numbersByName: ReadonlyMap<string, string | null>;
  /** The costs of a service in the case of the request. */
  cost(service: FacilityService): ServiceCost;
  /** The quality figures of a service, with their positions among others. */
  quality(facility: Facility, service: FacilityService): Quality | null;
  /** The labels of the filed additions of a service. */
  additionLabels(service: FacilityService): string[];
  /** Zones at the position; undefined when no layer was read for it. */
  hazards(facility: Facility): Hazards | undefined;
  /** Of all services of the data. */
  compared: QuartilesByGroup;
}

/** What a service costs in the standard case. */
export interface ServiceCost {
  /** Number of its cost inputs among those of all services. */
  facts: number;
  estimate: CostEstimate;
}

/** The full answer about a facility. */
export function facilityAnswer(facility: Facility, context: AnswerContext): FacilityAnswer {
  return {
    facility_id: facility.facilityId,
    name: facility.name,
    name_kana: facility.nameKana,
    address: facility.address,
    prefecture_code: facility.prefectureCode,
    prefecture: facility.prefecture,
    municipality_code: facility.municipalityCode,
    municipality: facility.municipality,
    lat: facility.position?.lat ?? null,
    lon: facility.position?.lon ?? null,
    location: facility.location,
    hazards: hazardsAnswer(facility, context),
    // A home that no list of the ministry has comes from a register alone.
    source: facility.services.some(({ register }) => register !== null && register.matchedBy === null)
      ? 'register'
      : 'ministry',
    phone: facility.phone,
    fax: facility.fax,
    url: facility.url,
    corporation: {
      ...corporationAnswer(facility, context),
      name_variants: corporationOf(facility, context)?.nameVariants ?? [],
    },
    services: facility.services.map((service) => ({
      ...serviceAnswer(facility, service, context),
      compared_with: comparedWith(context.compared, service.serviceCode, prefectureOfService(facility, service)),
    })),
  };
}

/** The prefecture of a service: it is compared there, and stands in the bulk file of it. */
export function prefectureOfService(facility: Facility, service: FacilityService): string {
  return service.municipalityCode?.slice(0, 2) ?? facility.prefectureCode;
}

/** The values of a service that are compared with those of others. */
export function comparedValues(service: FacilityService, cost: AnswerContext['cost']): ComparedValues {
  const { estimate } = cost(service);
  return {
    // Costs with and without the rent cannot be compared.
    cost: lacksRent(estimate) ? null : (estimate.monthly_yen?.typical ?? null),
    ...comparedRatios(service.staffing),
    occupancy: occupancyOf(service.detail?.users ?? null, service.capacity),
  };
}

/** One service of a facility, without the comparison. */
export type UncomparedService = Omit<ServiceAnswer, 'compared_with'>;

const SERVICE_MEMBERS = Object.keys(FacilityAnswer.properties.services.items.properties).filter(
  (name) => name !== 'compared_with',
);

/** Members of the answer about a service that are fields of its details as they are. The capacity is also in office lists. */
type OfDetail = keyof {
  [Name in keyof DetailValues as Name extends 'capacity'
    ? never
    : DetailValues[Name] extends ServiceAnswer[Name & keyof ServiceAnswer]
      ? Name
      : never]: true;
};

/** Makes the answer about one service of a facility, without the comparison. */
export function serviceAnswer(facility: Facility, service: FacilityService, context: AnswerContext): UncomparedService {
  const { capacity, staffing } = service;
  const detail = service.detail ?? NO_DETAIL;
  const own: Omit<UncomparedService, OfDetail> = {
    service_code: service.serviceCode,
    service_name: officialServiceName(service.serviceCode),
    name: service.name,
    address: service.address,
    lat: service.position?.lat ?? null,
    lon: service.position?.lon ?? null,
    phone: service.phone,
    fax: service.fax,
    url: service.url,
    capacity,
    occupancy: occupancyOf(detail.users, capacity),
    open_days: service.openDays === null ? null : [...service.openDays],
    open_days_note: service.openDaysNote,
    shared_care: service.sharedCare,
    care_designation: service.careDesignation,
    disability_designation: service.disabilityDesignation,
    care_levels: careLevelsOf(detail),
    medical_acceptance: wordsIn(detail.medical_acceptance),
    third_party_evaluation: detail.third_party_evaluation === null ? null : detail.third_party_evaluation === 'yes',
    filed_additions: service.filing && context.additionLabels(service),
    register: registerAnswer(service),
    rooms: roomsAnswer(service),
    staffing: staffing && {
      staff_total: staffing.staffTotal,
      care_staff: staffing.careStaff,
      nurses: staffing.nurses,
      users_per_care_staff: staffing.usersPerCareStaff,
      basis: staffing.basis,
      users_from: staffing.usersFrom,
      shared_with: staffing.sharedWith && [...staffing.sharedWith],
    },
    quality: context.quality(facility, service),
    cost_estimate: context.cost(service).estimate,
    as_published: service.asPublished,
  };
  const values: Readonly<Record<string, unknown>> = { ...detail, ...own };
  return Object.fromEntries(SERVICE_MEMBERS.map((name) => [name, values[name]])) as UncomparedService;
}

/**
 * The worst flood and the landslide zones at a facility, each null when no map of that hazard covers it; null without
 * maps.
 */
function hazardsAnswer(facility: Facility, context: AnswerContext): FacilityAnswer['hazards'] {
  const zones = context.hazards(facility);
  if (zones === undefined) return null;
  const worst = worstFlood(zones.flood ?? []);
  // Rank 0: outside every flood zone.
  const flood = {
    rank: worst?.rank ?? 0,
    from_m: worst?.fromM ?? null,
    to_m: worst?.toM ?? null,
    river: worst?.river ?? null,
    scenario: worst?.scenario ?? null,
  };
  return {
    flood: zones.flood === null ? null : flood,
    landslide:
      zones.landslide?.map(({ zone, phenomenon, isDesignated }) => ({ zone, phenomenon, designated: isDesignated })) ??
      null,
  };
}

function registerAnswer({ register }: FacilityService): ServiceAnswer['register'] {
  if (register === null) return null;
  const { home, matchedBy } = register;
  return { kind: home.kind, number: home.register_number, file: home.file, matched_by: matchedBy };
}

/** Number of residents of each care level from 1 to 5; null when none of them is known. */
function careLevelsOf(detail: DetailValues): (number | null)[] | null {
  const { care_level_1, care_level_2, care_level_3, care_level_4, care_level_5 } = detail;
  const levels = [care_level_1, care_level_2, care_level_3, care_level_4, care_level_5];
  return levels.every((residents) => residents === null) ? null : levels;
}

/** The words of a list such as 経管栄養、インスリン; null when it has none. */
function wordsIn(text: string | null): string[] | null {
  const words = (text ?? '').split(/[、,;；・\s]+/).filter((word) => word !== '');
  return words.length === 0 ? null : words;
}

/** A row of a comparison table: the facility as one of its services shows it. */
export function rowAnswer(facility: Facility, service: UncomparedService, context: AnswerContext): ComparisonRow {
  return row(facility.facilityId, service, corporationAnswer(facility, context));
}

/** The values by which a row is sorted. */
export function sortKeysOf({ facility_id, cost_estimate, staffing, opened_on }: ComparisonRow): SortKeys {
  const isEstimated = staffing?.users_from === 'estimated_capacity';
  return {
    id: facility_id,
    cost: costKey(cost_estimate),
    staff: staffKey(staffing?.users_per_care_staff ?? null, isEstimated),
    opened: opened_on,
  };
}

/** The row of a service, made from the answer of its facility. */
export function rowOfFacility(facility: FacilityAnswer, service: UncomparedService): ComparisonRow {
  const { name_variants: _, ...corporation } = facility.corporation;
  return row(facility.facility_id, service, corporation);
}

type RowMember = keyof typeof ROW_MEMBERS & keyof UncomparedService;

/** The members that a row takes from the answer about its service, in their order. */
const OF_SERVICE = Object.keys(ROW_MEMBERS).filter((name): name is RowMember => SERVICE_MEMBERS.includes(name));

/** A row from its parts. */
function row(facility_id: string, service: UncomparedService, corporation: CorporationAnswer): ComparisonRow {
  const members = Object.fromEntries(OF_SERVICE.map((name) => [name, service[name]]));
  return { facility_id, ...(members as Pick<ServiceAnswer, RowMember>), corporation };
}

function corporationOf({ corporateNumber }: Facility, { corporations }: AnswerContext): Corporation | undefined {
  return corporateNumber === null ? undefined : corporations.get(corporateNumber);
}

/** The company that runs a facility, and the number of its offices. */
function corporationAnswer(facility: Facility, context: AnswerContext): CorporationAnswer {
  const corporation = corporationOf(facility, context);
  return {
    corporate_number: facility.corporateNumber,
    probable_number: probableNumber(facility, context),
    name: corporation?.name ?? facility.corporation,
    offices_total: corporation?.officesTotal ?? null,
    offices_in_prefecture: corporation?.officesByPrefecture.get(facility.prefectureCode) ?? null,
  };
}

/** The corporate number of the only corporation with the name of a facility's corporation; null otherwise. */
function probableNumber(
  { corporateNumber, corporation }: Facility,
  { numbersByName }: AnswerContext,
): CorporationAnswer['probable_number'] {
  if (corporateNumber !== null || corporation === null) return null;
  // Null: several corporations have the name.
  const number = numbersByName.get(plain(corporation));
  return number === undefined || number === null ? null : { number, basis: 'name' };
}

function roomsAnswer({ rooms }: FacilityService): Rooms | null {
  const { kind, kindFrom, private: privateRooms, shared, sharedBeds } = rooms;
  if ([privateRooms, shared, sharedBeds, kind].every((value) => value === null)) return null;
  return { private: privateRooms, shared, shared_beds: sharedBeds, kind, kind_from: kindFrom };
}
