import { type CASE_PARAMETERS, type Case, STANDARD_CASE } from '../../contract/kaigo-cost.ts';
import type { QualityName } from '../../contract/kaigo-quality.ts';
import { kaigoBulk } from '../../contract/operations/bulk.ts';
import { kaigoFacility } from '../../contract/operations/kaigo-facility.ts';
import { kaigoMunicipalities, kaigoMunicipality } from '../../contract/operations/kaigo-municipality.ts';
import { kaigoNear } from '../../contract/operations/kaigo-near.ts';
import { found, foundOr } from '../../contract/outcome.ts';
import { PAGE_SIZE, type ValuesOf } from '../../contract/parameter.ts';
import type { KaigoAnswers, QualityBound, TableRequest } from '../../dataset/kaigo.ts';
import { bulkDownload } from '../bulk-files.ts';
import { RefusedError } from '../errors.ts';
import { absentPage, implement, NEAR_LIMIT } from './implement.ts';

/** The handlers of the care half. */
export const KAIGO_HANDLERS = {
  'kaigo-facility': implement(kaigoFacility, (values, kaigo) =>
    foundOr(
      kaigo.facility(values.facility_id, caseOf(values, kaigo, [])),
      () => `There is no facility ${values.facility_id} in this dataset.`,
    ),
  ),
  'kaigo-municipality': implement(
    kaigoMunicipality,
    ({ municipality_code, service_code, sort, page, ...values }, kaigo) => {
      const request = tableRequest(values, service_code, kaigo);
      return foundOr(kaigo.municipality(municipality_code, service_code, sort, page, PAGE_SIZE, request), () => {
        const pages = kaigo.municipalityPages(municipality_code, service_code, PAGE_SIZE, request);
        return absentPage(`municipality ${municipality_code}`, pages, page);
      });
    },
  ),
  'kaigo-near': implement(kaigoNear, ({ lat, lon, r, service, max_yen, ...values }, kaigo) => {
    const careCase = caseOf(values, kaigo, service ?? []);
    return {
      ...found(kaigo.near(lat, lon, r, service ?? null, NEAR_LIMIT, careCase, max_yen ?? null)),
      isAssembled: true,
    };
  }),
  'kaigo-bulk': implement(kaigoBulk, async ({ prefecture_code }, kaigo, context) => {
    const download = await bulkDownload(context, 'kaigo', prefecture_code, kaigo.bulk(prefecture_code));
    return foundOr(download, () => `This dataset has no facilities of prefecture ${prefecture_code}.`);
  }),
  'kaigo-municipalities': implement(kaigoMunicipalities, (_, kaigo) => found(kaigo.municipalities())),
};

/** The case and the filters of a request, as parameters. */
type TableValues = Omit<
  ValuesOf<typeof kaigoMunicipality.parameters>,
  'municipality_code' | 'service_code' | 'sort' | 'page'
>;

/** The case and the filters of a request. */
function tableRequest(values: TableValues, service: string, kaigo: KaigoAnswers): TableRequest {
  const { max_yen, min_capacity, open_on, has, name, at_least, at_most } = values;
  return {
    case: caseOf(values, kaigo, [service]),
    filter: {
      maxYen: max_yen ?? null,
      minCapacity: min_capacity ?? null,
      openOn: open_on ?? null,
      has: has ?? [],
      name: name ?? null,
      atLeast: boundsIn(at_least),
      atMost: boundsIn(at_most),
    },
  };
}

/** Lower or upper bounds of quality figures, each written `figure:value`. */
const boundsIn = (texts: readonly string[] = []): QualityBound[] =>
  texts.map((text) => {
    const [name, value] = text.split(':');
    // The pattern of the parameter allows only names of figures.
    return [name as QualityName, Number(value)];
  });

/**
 * The case of a request.
 * @param services of which at least one must have the requested room; empty: the room is not checked
 * @throws RefusedError for parameters that exclude each other
 */
function caseOf(values: ValuesOf<typeof CASE_PARAMETERS>, kaigo: KaigoAnswers, services: readonly string[]): Case {
  const { copayment = STANDARD_CASE.copaymentPercent, room = null, aid = null } = values;
  const requested: Case = {
    careLevel: levelOf(values.care_level, values.support_level, 'support_level') ?? STANDARD_CASE.careLevel,
    copaymentPercent: copayment,
    // Recipients of public assistance are of income stage 1.
    income: values.income ?? (aid === 'public_assistance' ? '1' : STANDARD_CASE.income),
    room,
    aid,
    partnerLevel: levelOf(values.partner_care_level, values.partner_support_level, 'partner_support_level'),
  };
  const fault = kaigo.caseFault(requested, null);
  if (fault !== null) throw wrongParameter(fault.kind === 'copayment' ? 'copayment' : 'aid', fault.message);
  const roomFaults = services.flatMap((service) => kaigo.caseFault(requested, service) ?? []);
  const isInNoService = services.length > 0 && roomFaults.length === services.length;
  if (isInNoService) throw wrongParameter('room', roomFaults[0].message);
  return requested;
}

/**
 * The level that one of two parameters states; null for neither.
 * @param supportName name of the parameter of the support level
 * @throws RefusedError for both
 */
function levelOf(care: number | undefined, support: number | undefined, supportName: string): Case['partnerLevel'] {
  if (support === undefined) return care ?? null;
  if (care !== undefined)
    throw wrongParameter(supportName, 'a care level and a support level exclude each other: give one of them');
  return support === 1 ? 'support_1' : 'support_2';
}

/** A 400 for one parameter. The fault is a sentence without its capital and full stop. */
function wrongParameter(parameter: string, fault: string): RefusedError {
  const detail = `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`;
  return new RefusedError('invalid-parameter', detail, [{ parameter, detail }]);
}
