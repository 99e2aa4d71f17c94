import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../src/cli/commands.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

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
    /夜勤職員配置加算\(Ⅲ\)ロ: 16 units a day/,
    /I +\(732 \+ 87\) × 30 \+ 50 += +24,620 +units/,
    /III +round\(24620 × 176 \/ 1000\) += +4,333 +units/,
    /cost +floor\(\(24620 \+ 4333\) × 10\.72\) += +310,376 +yen/,
    /insurer +floor\(310376 × 90 \/ 100\) += +279,338 +yen/,
    /care +310376 − 279338 += +31,038 +yen/,
    /food +1545 × 30 += +46,350 +yen/,
    /residence +1231 × 30 += +36,930 +yen/,
    /a resident pays 106,822 to 114,318, typically 113,264 yen/,
    /not in it: .*daily_necessities/,
  ];
  for (const line of expected)
    assert.ok(
      stdout.split('\n').some((one) => line.test(one)),
      `${line} in\n${stdout}`,
    );
});

test('a case: limits and refund are steps, and wrong pairs are refused', () => {
  const { stdout } = fees(...'--service 510 --grade 1 --room unit --income 2'.split(' '));
  for (const line of [/food limit +food above/, /residence limit/, /high-cost refund .*cap of 15000/, /after refund/]) {
    assert.match(stdout, line);
  }
  assert.match(stdout, /after limits and refunds 53,100 yen/);
  assert.match(
    stdout,
    /pension of about 0.8 million yen or less gets back what their own share of insured care .* above 15000 yen/,
  );
  const taxed = fees(...'--service 510 --grade 1 --copayment 30 --care-level 5'.split(' ')).stdout;
  assert.match(
    taxed,
    /taxable income below 3\.8 million yen gets back what the shares of all its members .* above 44400 yen/,
  );
  assert.match(fees(...'--service 510 --grade 1 --income 1'.split(' ')).stdout, /介護扶助/);
  for (const [flags, message] of [
    ['--service 510 --grade 1 --income 1 --copayment 30', /exclude each other: .* pays 10 %/],
    ['--service 220 --grade 1 --room unit', /no units of service 220 for the room unit; it has private, shared/],
    ['--service 150 --grade 1 --room unit', /does not depend on the room/],
  ] as const) {
    const { status, stderr } = fees(...flags.split(' '));
    assert.equal(status, 2);
    assert.match(stderr, message);
  }
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
  assert.match(stderr, /^hidamari: .*There is no such service; 510 is one\.\n$/);
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
    const program = await commandLine('fees');
    for (const command of program.commands) command.configureOutput({ writeErr: () => {} });
    await assert.rejects(program.parseAsync(['fees', ...flags], { from: 'user' }), message);
  }
});

test('a day before the first price list, and a fee table that cannot be read, end with 1', () => {
  const early = fees('--service', '510', '--grade', '1', '--as-of', '2020-01-01');
  assert.deepEqual([early.status, early.stdout], [1, '']);
  assert.match(early.stderr, /no price list is in force on 2020-01-01: the fee table begins on 2024-06-01/);
  const broken = fees('--service', '510', '--grade', '1', '--fees', MAIN);
  assert.equal(broken.status, 1);
  assert.match(broken.stderr, /main\.js: not JSON/);
});
