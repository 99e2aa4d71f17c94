import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayFlag, dayInJapan, isDay } from '../../src/cli/day.ts';

test('days of the calendar', () => {
  for (const text of ['2026-02-28', '2024-02-29', '0001-01-01']) assert.ok(isDay(text), text);
  for (const text of ['2026-02-29', '2026-13-01', '2026-2-1', '2026-02-28 ', '', '2026-02-28T00:00']) {
    assert.ok(!isDay(text), text);
    assert.throws(() => dayFlag(text), /Expected a day as YYYY-MM-DD/);
  }
});

test('the day changes with that of Japan', () => {
  assert.equal(dayInJapan(new Date('2026-07-31T14:59:59Z')), '2026-07-31');
  assert.equal(dayInJapan(new Date('2026-07-31T15:00:00Z')), '2026-08-01');
});
