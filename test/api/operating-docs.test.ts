import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { NOTHING_COMPUTED } from '../../src/api/metrics.ts';
import { addPrimaryMetrics } from '../../src/workers/server-metrics.ts';
import { billingWith } from '../billing/shop.ts';
import { FakeDataset } from '../support/fake-dataset.ts';
import { ROOT } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { metered } from './metered.ts';

const PAGE = 'docs/monitoring.md';
const page = readFileSync(join(ROOT, PAGE), 'utf8');
const alertRules = readFileSync(join(ROOT, 'packaging/alerts.yaml'), 'utf8');
const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  readFileSync(join(ROOT, 'packaging/dashboard.json'), 'utf8'),
);

interface Metric {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labelNames: string[];
  get(): Promise<{ values: { labels: Record<string, unknown> }[] }>;
}

/** Every metric that a server can have: with Redis, keys and billing. */
async function everyMetric(t: TestContext): Promise<Metric[]> {
  const { registry } = (await metered(t, new FakeDataset(), tempFolder(t))).metrics;
  billingWith('http://127.0.0.1:1', { registry });
  const ofPrimary = new Registry();
  addPrimaryMetrics(ofPrimary, {
    primary: { deaths: 0, size: 1 },
    computer: NOTHING_COMPUTED,
    log: { dropped: 0 },
    unexpected: { count: 0 },
  });
  const known = registry.getMetricsAsArray() as unknown as Metric[];
  const more = (ofPrimary.getMetricsAsArray() as unknown as Metric[]).filter(
    ({ name }) => !known.some((metric) => metric.name === name),
  );
  return [...known, ...more];
}

describe(PAGE, () => {
  test('asks in its alerts, queries and panels for metrics, labels and values that there are', async (t) => {
    const labels = new Map([['up', ['instance', 'job']]]);
    const values = new Map<string, string[]>();
    for (const metric of await everyMetric(t)) {
      const { name, type, labelNames } = metric;
      const all = [...labelNames, 'instance', 'job'];
      labels.set(name, all);
      if (type === 'histogram') {
        for (const [suffix, more] of [
          ['bucket', ['le']],
          ['sum', []],
          ['count', []],
        ] as const)
          labels.set(`${name}_${suffix}`, [...all, ...more]);
      }
      for (const label of labelNames) {
        const found = (await metric.get()).values.flatMap(({ labels: given }) => given[label] ?? []);
        values.set(`${name} ${label}`, [...new Set(found.map(String))]);
      }
    }
    const rules = [...alertRules.matchAll(/^ +expr: (?:>\n +)?(.+)$/gm)].map(([, expression]) => expression!);
    const queries = [...page.matchAll(/`((?:sum|max|rate|increase)[^`]*\(.*?)`/g)].map(([, query]) => query!);
    const drawn = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    assert.ok(drawn.length >= 10);
    assert.ok(rules.length >= 17 && queries.length >= 1, `${rules.length} rules, ${queries.length} queries`);
    for (const expression of [...rules, ...queries, ...drawn]) {
      const inside: string[] = [];
      for (const [, name, matchers = ''] of expression.matchAll(
        /\b(up|[a-z]+(?:_[a-z0-9]+)+)\b(?!\()(?:\{([^}]*)\})?/g,
      )) {
        if (/^(?:by|le|\w+_quantile|client_class|dataset_id)$/.test(name!)) continue;
        assert.ok(labels.has(name!), `${expression}: there is no metric ${name}`);
        inside.push(...labels.get(name!)!);
        for (const [, label, value] of matchers.matchAll(/(\w+)="([^"]*)"/g)) {
          assert.ok(labels.get(name!)!.includes(label!), `${expression}: ${name} has no label ${label}`);
          if (label === 'job') continue;
          const known = values.get(`${name} ${label}`)!;
          assert.ok(known.includes(value!), `${expression}: ${name} has ${label} ${known.join(', ')} and not ${value}`);
        }
      }
      assert.ok(inside.length > 0, `${expression}: asks for nothing`);
      for (const [, list] of expression.matchAll(/\bby \(([^)]*)\)/g))
        for (const label of list!.split(/, */)) assert.ok(inside.includes(label), `${expression}: no label ${label}`);
    }
    for (const [name] of page.matchAll(/\bhidamari_[a-z_]+[a-z]\b(?!…)/g)) assert.ok(labels.has(name), name);
  });

  test('has a section for every alert, in their order, and none for an alert that there is not', () => {
    const alerts = [...alertRules.matchAll(/^ +- alert: (\w+)/gm)].map(([, name]) => name);
    const runbook = page.slice(page.indexOf('\n## When an alert fires\n'));
    const end = runbook.indexOf('\n## ', 1);
    const sections = runbook.slice(0, end).split(/^### /m).slice(1);
    assert.ok(alerts.length >= 12, `${alerts.length} alerts`);
    assert.deepEqual(
      sections.map((section) => section.split('\n', 1)[0]),
      alerts,
    );
    for (const section of sections) assert.ok(section.length > 150, `says too little: ${section}`);
  });

  test('names messages of the log, with their levels, that there are', () => {
    const rows = page.matchAll(/^\| `(.+?)` \| ((?:info|warn|error)(?:, (?:info|warn|error))*) \| /gm);
    const documented = [...rows].flatMap(([, message, levels]) =>
      levels!.split(', ').map((level) => `${level}: ${message}`),
    );
    assert.ok(documented.length > 9);
    const written = messagesOf('src/api', 'src/cli', 'src/http', 'src/workers');
    assert.deepEqual(
      documented.filter((message) => !written.includes(message)),
      [],
    );
  });
});

/** What the source files below these folders can write to the log, by pino or as a line of their own: `level: message`. */
function messagesOf(...folders: string[]): string[] {
  const found = new Set<string>();
  for (const folder of folders) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const source = readFileSync(join(ROOT, folder, name), 'utf8');
      for (const call of source.matchAll(/\blog\.(info|warn|error|debug)\(/gi)) {
        const rest = argumentsFrom(source, call.index + call[0].length);
        const message = /'([^']+)',?\s*$/.exec(rest)?.[1];
        assert.ok(message !== undefined, `${folder}/${name}: what does it log? ${rest}`);
        found.add(`${call[1]}: ${message}`);
      }
      const written = /"level":(\d+)[\s\S]*"msg":"([^"]+)"/.exec(source);
      if (written !== null) found.add(`${pino.levels.labels[Number(written[1])]}: ${written[2]}`);
    }
  }
  return [...found];
}

/** The text up to the parenthesis that closes the one before `start`. */
function argumentsFrom(source: string, start: number): string {
  let depth = 1;
  let quoted = false;
  for (let i = start; i < source.length; i++) {
    if (source[i] === "'") quoted = !quoted;
    else if (!quoted && source[i] === '(') depth++;
    else if (!quoted && source[i] === ')' && --depth === 0) return source.slice(start, i);
  }
  throw new Error('a parenthesis is not closed');
}
