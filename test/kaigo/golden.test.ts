import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildTemporarily } from './support/build.ts';

/**
 * Every folder of test/golden/kaigo is an input: `offices/`, perhaps `details.csv`. `expected.json` says what comes
 * of it: the services that are served, what was found, or the error. A new folder is picked up; with UPDATE_GOLDEN=1
 * the expectations are written anew, to be read over before they are kept.
 */
const GOLDEN = fileURLToPath(new URL('../golden/kaigo/', import.meta.url));

for (const name of readdirSync(GOLDEN).sort()) {
  test(`golden input: ${name}`, async () => {
    const folder = join(GOLDEN, name);
    const outcome = await outcomeOf(folder);
    const path = join(folder, 'expected.json');
    if (process.env.UPDATE_GOLDEN) writeFileSync(path, `${JSON.stringify(outcome, null, 2)}\n`);
    assert.deepEqual(outcome, JSON.parse(readFileSync(path, 'utf8')));
  });
}

async function outcomeOf(folder: string): Promise<unknown> {
  const details = join(folder, 'details.csv');
  const options = { offices: [join(folder, 'offices')], details: existsSync(details) ? [details] : [] };
  try {
    return await buildTemporarily(options, ({ half, answers, ids }) => ({
      rows: half.report.rows,
      details: half.report.details,
      findings: Object.fromEntries(
        Object.entries(half.report.findings).map(([kind, { examples }]) => [kind, examples]),
      ),
      facilities: ids.map((id) => JSON.parse(JSON.stringify(answers.facility(id)), withoutEstimates)),
    }));
  } catch (error) {
    const { name, message } = error as Error;
    return { error: name, message: message.replaceAll(folder, '…') };
  }
}

/** Estimates have tests of their own; here the day of the price list would only be in the way. */
const withoutEstimates = (key: string, value: unknown): unknown => (key === 'cost_estimate' ? undefined : value);
