import { InvalidArgumentError } from 'commander';
import { type Limit, parseLimits } from '../export/change-gate.ts';

/** Exit code: two datasets differ by more than the limits allow. */
export const OVER_LIMIT = 4;

/** @throws InvalidArgumentError */
function limits(text: string): Limit[] {
  try {
    return parseLimits(text);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

/** @throws InvalidArgumentError */
function codes(text: string): Set<string> {
  const list = text.split(',').map((code) => code.trim());
  const wrong = list.find((code) => !/^(\d{3}|\d{5})$/.test(code));
  if (wrong === undefined) return new Set(list);
  throw new InvalidArgumentError(`"${wrong}" is no ward of 5 digits, such as 13101, and no service of 3, such as 510.`);
}

/** `--fail-above`, of `diff` and `refresh`. */
export const FAIL_ABOVE = [
  '--fail-above <limits>',
  'how much may change in all, in a ward or in a service: removed=1%,changed_hours=5%; also added, changed, changed_costs, became_unknown',
  limits,
] as const;

/** `--except`, of the same. */
export const EXCEPT = [
  '--except <codes>',
  'wards (5 digits) and services (3 digits) of which changes are expected, such as a new edition of a city',
  codes,
] as const;
