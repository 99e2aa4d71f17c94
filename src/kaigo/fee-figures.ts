import type { Static } from 'typebox';
import type * as Schema from './fee-schema.ts';

// Of the form of the file only types are here: a server reads a table that was checked when its dataset was built.

export type FeeTable = Static<typeof Schema.FeeTableSchema>;
export type ServiceFees = Static<typeof Schema.ServiceFees>;
export type Variant = Static<typeof Schema.Variant>;
export type Room = Static<typeof Schema.Room>;
export type Confidence = 'confirmed' | 'unconfirmed';
export type TreatmentRates = FeeTable['treatment_rates'][number];
export type DailyFee = FeeTable['food'][number];
export type FeeBounds = Static<typeof Schema.FeeBounds>;
export type Addition = Static<typeof Schema.Addition>;
/**
 * Income stage (利用者負担段階): 1 to 3-2 are households that pay no residence tax; `standard` is stage 4, of which
 * `taxed_380` and `taxed_690` have a taxable income of at least 3.8 and 6.9 million yen.
 */
export type Income = Static<typeof Schema.Income>;
/** A stage with limits on food and room. */
type LowIncome = '1' | '2' | '3-1' | '3-2';

export const ROOMS: readonly Room[] = ['unit', 'unit_shared', 'private', 'shared', 'shared_charged'];
export const INCOMES: readonly Income[] = ['standard', '1', '2', '3-1', '3-2', 'taxed_380', 'taxed_690'];

/** Whether the household pays no residence tax, so that limits on food and room hold. */
export function isLowIncome(income: Income): income is LowIncome {
  return income === '1' || income === '2' || income === '3-1' || income === '3-2';
}
