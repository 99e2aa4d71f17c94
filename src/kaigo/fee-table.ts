import Value from 'typebox/value';
import type { FeeTable, ServiceFees, SupportFees } from './fee-schema.ts';
import { FeeTableSchema } from './fee-schema.ts';
import { serviceOf } from './services.ts';

/** An inconsistent fee table. The message lists the faults and their places. */
export class FeeTableError extends Error {
  override name = 'FeeTableError';
}

/**
 * A fee table read from JSON. Throws `FeeTableError` with `file` and every fault: of form, of a service or source that
 * does not exist, of a reference to a missing variant, of figures whose days overlap.
 */
export function checkFeeTable(json: unknown, file: string): FeeTable {
  const faults = Value.Errors(FeeTableSchema, json).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  if (faults.length === 0) faults.push(...feeTableFaults(json as FeeTable));
  if (faults.length > 0) {
    const more = faults.length > 8 ? `\n  and ${faults.length - 8} more` : '';
    throw new FeeTableError(
      `${file}: not a fee table of schema hidamari-fees/1:\n  ${faults.slice(0, 8).join('\n  ')}${more}`,
    );
  }
  return json as FeeTable;
}

type Figure = { from: string; to: string | null; source: string };

/** The faults of a fee table with the right form, each with its place; empty for a valid one. */
function feeTableFaults(table: FeeTable): string[] {
  const faults = [...servicesOf(table), ...capFaults(table)];
  const periods = new Map<string, { from: string; to: string | null; at: string }[]>();
  for (const { at, key, figure } of figuresOf(table)) {
    const { from, to, source } = figure;
    if (!(source in table.sources)) faults.push(`${at}/source: no source is called ${source}`);
    if (to !== null && to < from) faults.push(`${at}: ends ${to}, before it begins ${from}`);
    const others = periods.get(key) ?? [];
    periods.set(key, others);
    for (const other of others) {
      if (from <= (other.to ?? '9999') && other.from <= (to ?? '9999')) {
        faults.push(`${at}: in force at the same time as ${other.at}`);
      }
    }
    others.push({ from, to, at });
  }
  return faults;
}

/** Every figure with its place and a key. Two figures with the same key must not be in force at once. */
function* figuresOf(table: FeeTable): Generator<{ at: string; key: string; figure: Figure }> {
  for (const [s, service] of table.services.entries()) {
    for (const [v, figure] of service.variants.entries()) {
      const at = `/services/${s}/variants/${v}`;
      for (const code of service.service_codes) yield { at, key: `units ${code} ${figure.id}`, figure };
    }
    for (const [v, figure] of supportVariants(service).entries()) {
      const at = `/services/${s}/support/variants/${v}`;
      for (const code of service.service_codes) yield { at, key: `support units ${code} ${figure.id}`, figure };
    }
  }
  for (const name of ['typical_additions', 'filed_additions'] as const) {
    for (const [i, figure] of (table[name] ?? []).entries()) {
      const at = `/${name}/${i}`;
      for (const code of figure.service_codes) {
        for (const room of figure.rooms ?? ['any']) yield { at, key: `${name} ${code} ${figure.id} ${room}`, figure };
      }
    }
  }
  const each = <T extends Figure>(name: string, figures: readonly T[], key: (figure: T) => string) =>
    figures.map((figure, i) => ({ at: `/${name}/${i}`, key: `${name} ${key(figure)}`, figure }));
  yield* each('unit_prices', table.unit_prices, () => '');
  yield* each('treatment_rates', table.treatment_rates, ({ group }) => group);
  yield* each('food', table.food, () => '');
  yield* each('residence', table.residence, (one) => `${one.class} ${one.room}`);
  yield* each('home_limits', table.home_limits, () => '');
  yield* each('high_cost_caps', table.high_cost_caps, () => '');
  yield* each('welfare_relief', table.welfare_relief ?? [], () => '');
  yield* each('care_assistance', table.care_assistance ?? [], () => '');
  yield* each('combined_caps', table.combined_caps ?? [], () => '');
  yield* each('published_fee_bounds', table.published_fee_bounds, (one) => one.of);
}

const supportVariants = ({ support }: ServiceFees): SupportFees['variants'] =>
  typeof support === 'object' ? support.variants : [];

/** The faults of a tariff for support levels. */
function supportFaults({ support, residence_class }: ServiceFees, at: string): string[] {
  if (typeof support !== 'object') return [];
  const { per, reference, variants } = support;
  const strange = reference?.variants.find((id) => !variants.some((variant) => variant.id === id));
  const roomless = variants.findIndex(({ rooms }) => residence_class !== undefined && rooms === undefined);
  return [
    ...(per === 'visit' && reference === undefined ? [`${at}: charged per visit, so it needs a reference`] : []),
    ...(strange === undefined ? [] : [`${at}/reference: no variant is called ${strange}`]),
    ...(roomless < 0 ? [] : [`${at}/variants/${roomless}: names no rooms`]),
  ];
}

function servicesOf(table: FeeTable): string[] {
  const faults: string[] = [];
  const groups = new Set(table.treatment_rates.map(({ group }) => group));
  for (const [s, service] of table.services.entries()) {
    const at = `/services/${s}`;
    faults.push(...supportFaults(service, `${at}/support`));
    for (const code of service.service_codes) {
      if (serviceOf(code) === undefined) faults.push(`${at}: there is no service ${code}`);
    }
    if (!groups.has(service.treatment_group)) {
      faults.push(`${at}/treatment_group: no treatment_rates for ${service.treatment_group}`);
    }
    if (service.per === 'visit' && service.reference === undefined) {
      faults.push(`${at}: charged per visit, so it needs a reference`);
    }
    for (const id of service.reference?.variants ?? []) {
      if (!service.variants.some((variant) => variant.id === id)) {
        faults.push(`${at}/reference: no variant is called ${id}`);
      }
    }
    for (const id of service.usual?.variants ?? []) {
      if (!service.variants.some((variant) => variant.id === id))
        faults.push(`${at}/usual: no variant is called ${id}`);
    }
    if (service.usual !== undefined && !(service.usual.source in table.sources)) {
      faults.push(`${at}/usual/source: no source is called ${service.usual.source}`);
    }
    for (const [v, { rooms }] of service.variants.entries()) {
      if (service.residence_class !== undefined && rooms === undefined) {
        faults.push(`${at}/variants/${v}: names no rooms`);
      }
    }
  }
  for (const [i, { typical, permille }] of table.treatment_rates.entries()) {
    if (typical !== undefined && !(typical in permille)) {
      faults.push(`/treatment_rates/${i}/typical: no rate is called ${typical}`);
    }
  }
  for (const [i, { service_codes }] of table.typical_additions.entries()) {
    const strange = service_codes.find((code) => serviceOf(code) === undefined);
    if (strange !== undefined) faults.push(`/typical_additions/${i}: there is no service ${strange}`);
  }
  return faults;
}

/** Checks that an income stage has one cap. */
function capFaults(table: FeeTable): string[] {
  const lists = [
    ['high_cost_caps', table.high_cost_caps],
    ['combined_caps', table.combined_caps ?? []],
  ] as const;
  return lists.flatMap(([name, caps]) =>
    caps.flatMap(({ yen }, i) => {
      const incomes = yen.flatMap((one) => one.incomes);
      const twice = incomes.filter((one, n) => incomes.indexOf(one) !== n);
      return twice.map((one) => `/${name}/${i}: two caps for the income ${one}`);
    }),
  );
}
