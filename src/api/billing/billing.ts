import type { Cashier } from './cashier.ts';
import type { PaymentMetrics } from './payment-metrics.ts';
import type { PaymentTerms } from './terms.ts';

/** Billing that is switched on. */
export interface Billing {
  terms: PaymentTerms;
  cashier: Cashier;
  /** Null: nobody asks for them. */
  metrics: PaymentMetrics | null;
}
