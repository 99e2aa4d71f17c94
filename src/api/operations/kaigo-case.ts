import type { CASE_PARAMETERS } from '../../contract/kaigo-cost.ts';
import type { ValuesOf } from '../../contract/parameter.ts';
import type { FamilyCase, KaigoAnswers } from '../../dataset/kaigo.ts';
import { WrongValues } from '../unavailable.ts';

/**
 * The case that the parameters of a request state.
 * @param services that must have the room asked for; none where a facility has several
 * @throws WrongValues for parameters that exclude each other.
 */
export function caseOf(
  { care_level = 3, copayment = 10, income = 'standard', room }: ValuesOf<typeof CASE_PARAMETERS>,
  kaigo: KaigoAnswers,
  services: readonly string[],
): FamilyCase {
  const wanted: FamilyCase = { careLevel: care_level, copaymentPercent: copayment, income, room: room ?? null };
  const pair = kaigo.caseFault(wanted, null);
  if (pair !== null) throw new WrongValues([{ parameter: 'copayment', detail: `${upper(pair.said)}.` }]);
  const faults = services.map((service) => kaigo.caseFault(wanted, service));
  const [first] = faults;
  if (first != null && faults.every((fault) => fault !== null)) {
    throw new WrongValues([{ parameter: 'room', detail: `${upper(first.said)}.` }]);
  }
  return wanted;
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
