import type { ReceptorSunlight } from './floor.ts';

/**
 * The share of receptors in the sun through one day (0–11) as steps [minute, share, minute, share …]: from a minute on
 * the share holds until the next step. Before the first step and after the last there is none. Minutes are whole.
 */
export function litShare(receptors: readonly ReceptorSunlight[], day: number): number[] {
  const change = new Map<number, number>();
  for (const { lit } of receptors) {
    const intervals = lit[day] ?? [];
    for (let i = 0; i < intervals.length; i += 2) {
      const [from, to] = [Math.round(intervals[i] ?? 0), Math.round(intervals[i + 1] ?? 0)];
      if (from === to) continue;
      change.set(from, (change.get(from) ?? 0) + 1);
      change.set(to, (change.get(to) ?? 0) - 1);
    }
  }
  const steps: number[] = [];
  let count = 0;
  for (const [minute, more] of [...change].sort(([a], [b]) => a - b)) {
    if (more === 0) continue;
    count += more;
    steps.push(minute, count / receptors.length);
  }
  return steps;
}
