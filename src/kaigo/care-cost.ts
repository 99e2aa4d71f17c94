/**
 * The arithmetic of the insurance, in integers throughout. A rate is given per thousand, a unit price in
 * hundredths of a yen; every product stays far below 2^53.
 */

/** How the resident's share is rounded: as billed (the insurer's share is floored) or as price lists print it. */
export type Rounding = 'official' | 'check-list';

export interface CareInput {
  /** Base units per day, visit or month. */
  baseUnits: number;
  /** Additions per day or visit, units. */
  dailyUnits: number;
  /** Additions per month, units. */
  monthlyUnits: number;
  /** Days, visits, or 1 for a service charged per month. */
  times: number;
  /** Treatment improvement rate, per thousand; 0 for none. */
  treatmentPermille: number;
  /** Hundredths of a yen for one unit. */
  unitPrice: number;
  /** What the resident pays of the cost, per cent: 10, 20 or 30. */
  copaymentPercent: number;
  rounding: Rounding;
  /** Units of a month beyond which the resident pays everything; null where no limit applies. */
  limitUnits: number | null;
  /** Of the additions, units of the month that do not count against the limit. */
  unlimitedUnits: number;
}

/** All steps of the calculation, so that they can be printed and checked. */
export interface CareCost {
  /** I: base and additions, units. */
  units: number;
  /** III: treatment improvement, units. */
  treatmentUnits: number;
  /** Yen. */
  cost: number;
  /** Part of the cost that the insurance covers in principle, yen: all of it, unless a limit was passed. */
  insurable: number;
  /** Of `insurable`, what the insurer pays, and what the resident pays, yen. */
  insurerPays: number;
  insuredShare: number;
  /** What the resident pays, yen. */
  residentPays: number;
  /** The base units and the limits of the calculation. */
  base: { units: number; limit: number | null; unlimited: number };
}

/**
 * What care costs and what the resident pays of it.
 * I = (base + daily) · times + monthly; III = I · rate, rounded half up; cost = (I + III) · unit price, floored;
 * the resident pays cost − floor(cost · (100 − percent) / 100), or with `check-list` floor(cost · percent / 100).
 * The treatment improvement of the units within a limit is insured, though it does not count against the limit, and so are
 * the unlimited units.
 */
export function careCost(input: CareInput): CareCost {
  const units = (input.baseUnits + input.dailyUnits) * input.times + input.monthlyUnits;
  const counted = units - input.unlimitedUnits;
  const within = Math.min(counted, input.limitUnits ?? counted) + input.unlimitedUnits;
  const treatmentUnits = permille(units, input.treatmentPermille);
  const cost = yen(units + treatmentUnits, input.unitPrice);
  const insurable = yen(within + permille(within, input.treatmentPermille), input.unitPrice);
  const share =
    input.rounding === 'official'
      ? insurable - floorDiv(insurable * (100 - input.copaymentPercent), 100)
      : floorDiv(insurable * input.copaymentPercent, 100);
  return {
    units,
    treatmentUnits,
    cost,
    insurable,
    insurerPays: insurable - share,
    insuredShare: share,
    residentPays: share + (cost - insurable),
    base: { units: input.baseUnits, limit: input.limitUnits, unlimited: input.unlimitedUnits },
  };
}

/** `units` times a rate per thousand, rounded half up. */
function permille(units: number, rate: number): number {
  return floorDiv(units * rate + 500, 1000);
}

/** Yen of `units` at a unit price in hundredths of a yen, floored. */
function yen(units: number, unitPrice: number): number {
  return floorDiv(units * unitPrice, 100);
}

/** Integer division of a non-negative dividend. It never forms a fraction. */
function floorDiv(dividend: number, divisor: number): number {
  return (dividend - (dividend % divisor)) / divisor;
}
