/** A number of a table, aligned to the right. */
export function cell(value: number, width: number, digits = 0): string {
  return value.toFixed(digits).padStart(width);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The quantile of a list at a share; NaN for an empty list. */
export function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN;
}

/** States whether a figure is within its budget. */
export const against = (value: number, budget: number): string =>
  `${value <= budget ? 'within' : 'OVER'} the budget of ${budget}`;
