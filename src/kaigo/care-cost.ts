/**
 * The arithmetic of the insurance, in integers throughout. A rate is given per thousand, a unit price in
 * hundredths of a yen; every product stays far below 2^53.
 */

/** The rounding of the resident's share: as billed (the insurer's share is floored), or as printed price lists do. */
export type Rounding = 'official' | 'check-list';

/** What a cost of care is computed from. */
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
  /** The resident's share of the cost, per cent: 10, 20 or 30. */
  copaymentPercent: number;
  rounding: Rounding;
  /** Units of a month above which the resident pays everything; null without a limit. */
  limitUnits: number | null;
  /** Units of the additions that do not count against the limit. */
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
  /** The insured part of the cost, yen: all of it, unless a limit was exceeded. */
  insurable: number;
  /** The insurer's and the resident's part of `insurable`, yen. */
  insurerPays: number;
  insuredShare: number;
  /** The resident's share, yen. */
  residentPays: number;
  /** The base units and the limits of the calculation. */
  base: { units: number; limit: number | null; unlimited: number };
}

/**
 * The cost of care and the resident's share. `units` (I in the official form) = (base + daily) · times + monthly;
 * `treatmentUnits` (III) = I · rate, rounded half up; cost = (I + III) · unit price, floored. The resident pays
 * cost − floor(cost · (100 − percent) / 100), or with `check-list` floor(cost · percent / 100). Units above the limit are
 * not insured: the resident pays them in full, with their treatment improvement. The treatment improvement itself does
 * not count against the limit.
 */
export function careCost(input: CareInput): CareCost {
  const units = (input.baseUnits + input.dailyUnits) * input.times + input.monthlyUnits;
  const limited = units - input.unlimitedUnits;
  const insuredUnits = Math.min(limited, input.limitUnits ?? limited) + input.unlimitedUnits;
  const treatmentUnits = permille(units, input.treatmentPermille);
  const cost = yen(units + treatmentUnits, input.unitPrice);
  const insurable = yen(insuredUnits + permille(insuredUnits, input.treatmentPermille), input.unitPrice);
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
