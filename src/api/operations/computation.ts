import type { Demand, DemandAnswers } from '../../dataset/on-demand/on-demand.ts';

/** An answer that exists but has to be computed first: on a thread of its own, and only once it is paid. */
export class Computation<Data = unknown> {
  readonly demand: Demand;
  /** No value: it says what the demand comes to. */
  declare readonly answer: Data;

  private constructor(demand: Demand) {
    this.demand = demand;
  }

  static of<K extends Demand['kind']>(demand: Extract<Demand, { kind: K }>): Computation<DemandAnswers[K]> {
    return new Computation(demand);
  }
}
