import { Counter, Gauge, type Registry } from 'prom-client';
import { OPERATIONS } from '../../contract/operations.ts';
import type { PaymentClaims } from './claim.ts';
import type { PaymentFault, UnavailableReason } from './payment-processor.ts';

/** `malformed`: the header is not a payment. */
const FAULTS = ['malformed', 'terms', 'time', 'invalid', 'unsettled', 'used', 'elsewhere'] as const satisfies (
  | PaymentFault
  | 'malformed'
)[];
const UNAVAILABLE_REASONS = ['facilitator', 'claims', 'busy', 'client'] as const satisfies UnavailableReason[];

/** The metrics of payments. All series exist from the start, so that the first event is visible as a rise. */
export class PaymentMetrics {
  readonly #asked;
  readonly #settled;
  readonly #refused;
  readonly #unavailable;

  constructor(registry: Registry, claims: PaymentClaims) {
    const registers = [registry];
    this.#asked = new Counter({
      name: 'hidamari_payments_asked_total',
      help: 'Calls that brought no payment: 402.',
      labelNames: ['operation'],
      registers,
    });
    this.#settled = new Counter({
      name: 'hidamari_payments_settled_total',
      help: 'Payments that were settled and have bought an answer: 200.',
      labelNames: ['operation'],
      registers,
    });
    this.#refused = new Counter({
      name: 'hidamari_payments_refused_total',
      help: 'Payments that buy nothing: 402, or 400 where they are malformed.',
      labelNames: ['reason'],
      registers,
    });
    this.#unavailable = new Counter({
      name: 'hidamari_payments_unavailable_total',
      help: 'Payments that could not be taken now, or of which it is not known: 503.',
      labelNames: ['reason'],
      registers,
    });
    new Gauge({
      name: 'hidamari_payments_pending',
      help: 'Payments being settled, and open ones: outcome unknown or answer not given. NaN while Redis is away.',
      labelNames: ['state'],
      registers,
      async collect() {
        const { settling, open } = await claims.pending().catch(() => ({ settling: Number.NaN, open: Number.NaN }));
        this.set({ state: 'settling' }, settling);
        this.set({ state: 'open' }, open);
      },
    });
    for (const { id, costUnits } of OPERATIONS) {
      if (costUnits === 0) continue;
      this.#asked.inc({ operation: id }, 0);
      this.#settled.inc({ operation: id }, 0);
    }
    for (const reason of FAULTS) this.#refused.inc({ reason }, 0);
    for (const reason of UNAVAILABLE_REASONS) this.#unavailable.inc({ reason }, 0);
  }

  asked(operation: string): void {
    this.#asked.inc({ operation });
  }

  settled(operation: string): void {
    this.#settled.inc({ operation });
  }

  refused(reason: (typeof FAULTS)[number]): void {
    this.#refused.inc({ reason });
  }

  unavailable(reason: (typeof UNAVAILABLE_REASONS)[number]): void {
    this.#unavailable.inc({ reason });
  }
}
