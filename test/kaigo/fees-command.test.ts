import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { register } from '../../src/cli/fees.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Runs `hidamari fees` as a process. */
function fees(...flags: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, 'fees', '--as-of', '2026-11-20', ...flags], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { stdout, stderr, status };
}

test('one estimate with all its steps', () => {
  const { stdout, status } = fees(
    ...'--service 510 --care-level 3 --grade 2 --days 30 --room private --copayment 10'.split(' '),
  );
  assert.equal(status, 0);
  const expected = [
    /^510 介護老人福祉施設$/,
    /price list of 2026-08-01/,
    /I +\(732 \+ 0\) × 30 \+ 0 += +21,960 +units/,
    /III +round\(21960 × 176 \/ 1000\) += +3,865 +units/,
    /cost +floor\(\(21960 \+ 3865\) × 10\.72\) += +276,844 +yen/,
    /insurer +floor\(276844 × 90 \/ 100\) += +249,159 +yen/,
    /care +276844 − 249159 += +27,685 +yen/,
    /food +1545 × 30 += +46,350 +yen/,
    /residence +1231 × 30 += +36,930 +yen/,
    /a resident pays 106,822 to 110,965 yen/,
    /not in it: .*daily_necessities/,
  ];
  for (const line of expected)
    assert.ok(
      stdout.split('\n').some((one) => line.test(one)),
      `${line} in\n${stdout}`,
    );
});

test('the steps of the JSON add up, and the printed price list comes out', () => {
  const flags = '--service 510 --grade 2 --room private --treatment I-ro --daily-units 70 --monthly-units 130 --json';
  const run = (...more: string[]) => JSON.parse(fees(...flags.split(' '), ...more).stdout);
  const printed = run('--rounding', 'check-list');
  assert.deepEqual(
    printed.estimate.by_care_level.map(({ low }: { low: number }) => low),
    [108366, 111014, 113775, 116423, 119032],
  );
  const { low, high, estimate, unit_price_yen } = run();
  assert.equal(unit_price_yen, 10.72);
  assert.deepEqual(low, high);
  const steps = Object.fromEntries(low.steps.map(({ name, value }: { name: string; value: number }) => [name, value]));
  assert.equal(steps.cost, steps.insurer + steps.care);
  assert.equal(steps.total, steps.care + steps.food + steps.residence);
  assert.equal(steps.total, estimate.monthly_yen.low);
});

test('the municipality gives the grade, the day the price list', () => {
  const json = (...flags: string[]) => JSON.parse(fees('--service', '331', '--json', ...flags).stdout);
  const { grade, estimate } = json('--municipality', '141003', '--as-of', '2025-01-01');
  assert.deepEqual([grade, estimate.price_list], ['2', '2024-08-01']);
});

test('wrong usage ends with 2 and says what would be right', () => {
  const { stderr, status } = fees('--service', '999');
  assert.equal(status, 2);
  assert.match(stderr, /^hidamari: .*There is no such service; there are 35, such as 510\.\n$/);
});

test('every wrong choice is answered with the right ones', async () => {
  const cases: [RegExp, string[]][] = [
    [/--grade or --municipality is needed/, ['--service', '510']],
    [/one of 10, 20, 30/, ['--service', '510', '--grade', '1', '--copayment', '15']],
    [/whole number from 1 to 5/, ['--service', '510', '--grade', '1', '--care-level', '6']],
    [/it has private, shared, unit/, ['--service', '510', '--grade', '1', '--variant', 'suite']],
    [/--treatment X is none of range, none, highest, I-i/, ['--service', '510', '--grade', '1', '--treatment', 'X']],
    [/Expected a day/, ['--service', '510', '--grade', '1', '--as-of', '2026-13-01']],
    [/Expected a day/, ['--service', '510', '--grade', '1', '--as-of', '2026-02-30']],
    [/whole number from 1 to 999999/, ['--service', '510', '--grade', '1', '--days', '0']],
    [/There is no such municipality/, ['--service', '510', '--municipality', '131017']],
  ];
  for (const [message, flags] of cases) {
    const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
    register(program);
    await assert.rejects(program.parseAsync(['fees', ...flags], { from: 'user' }), message);
  }
});

test('a day before the first price list, and a fee table that cannot be read, end with 1', () => {
  const early = fees('--service', '510', '--grade', '1', '--as-of', '2020-01-01');
  assert.deepEqual([early.status, early.stdout], [1, '']);
  assert.match(early.stderr, /no price list is in force on 2020-01-01: the fee table begins on 2024-06-01/);
  const broken = fees('--service', '510', '--grade', '1', '--fees', MAIN);
  assert.equal(broken.status, 1);
  assert.match(broken.stderr, /main\.ts: cannot be read as JSON/);
});
