import type { Command } from 'commander';
import { isRefusal } from '../api/last-hour.ts';
import { twoDecimals } from '../geo/rounding.ts';
import { ask, reasonOf } from '../http/ask.ts';
import { bytesText, countText, durationText, say, sayJson, table } from './output.ts';
import { httpUrl } from './setting.ts';
import { addSettings, type Settings } from './settings.ts';

/** How long a server may take to answer, milliseconds. */
const PATIENCE_MS = 5000;

/** The state of a running server. Counts begin at its start unless stated otherwise. */
interface Status {
  dataset_id: string | null;
  /** Time of the build of that dataset, RFC 3339. */
  generated_at: string | null;
  version: string | null;
  up_seconds: number;
  memory_bytes: number;
  /** 99 % of the delays of its event loop are shorter. */
  event_loop_p99_ms: number;
  requests: number;
  /** Answers with a status from 400 to 499 or 501 (not offered here), and with any other from 500 on. */
  refused: number;
  failed: number;
  /** Refused and failed answers of the last 60 minutes. */
  refused_last_hour: number;
  failed_last_hour: number;
  /** Answers with 429. */
  over_limit: number;
  log_lines_dropped: number;
}

/** `hidamari status`: describes a running server in a few lines, by its admin port. */
export function define(command: Command): void {
  command
    .description('Asks the admin port of a running server what it serves, and what it has done since it started.')
    .option('--json', 'print JSON');
  addSettings(command, ['adminPort', 'adminHost']);
  for (const option of command.options)
    if (option.long === '--admin-port') option.description = 'Admin port of the running server';
  command.action(async (flags: Settings & { json?: true }) => {
    const { adminPort, adminHost, json } = flags;
    if (adminPort === undefined) command.error('error: --admin-port is needed: that of the running server');
    const status = statusOf(samplesOf(await metrics(httpUrl(adminHost, adminPort))), Date.now());
    if (json) sayJson(status);
    else for (const line of lines(status)) say(line);
  });
}

/**
 * The IDs of the datasets that a server's processes serve.
 * @param admin the URL of its admin port
 */
export const datasetsServed = async (admin: string): Promise<(string | undefined)[]> =>
  samplesOf(await metrics(admin))
    .filter(({ name }) => name === 'hidamari_dataset_info')
    .map(({ labels }) => labels.dataset_id);

/**
 * The text of the metrics at an admin port.
 * @throws Error when no server answers there, or something else does
 */
async function metrics(admin: string): Promise<string> {
  const url = `${admin}/metrics`;
  let answer: Response;
  let text: string;
  try {
    answer = await ask(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    text = await answer.text();
  } catch (error) {
    throw new Error(`no server at ${url}: ${reasonOf(error as Error)}. Is it running, with --admin-port?`);
  }
  if (answer.ok && text.includes('\nhidamari_')) return text;
  throw new Error(
    `${url} answers (${answer.status}), but not as the admin port of a server does: is it the right port?`,
  );
}

/** One value of a metric. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The samples of a text in the format of Prometheus. */
function samplesOf(text: string): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (name === undefined) continue;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return samples;
}

/**
 * The state of a server by its metrics.
 * @param nowMs milliseconds since 1970
 */
function statusOf(samples: Sample[], nowMs: number): Status {
  const named = (name: string) => samples.filter((sample) => sample.name === name);
  const sum = (list: Sample[]) => list.reduce((total, { value }) => total + value, 0);
  const single = (name: string) => named(name)[0]?.value ?? 0;
  const requests = named('hidamari_requests_total');
  const errors = requests.filter(({ labels }) => Number(labels.status) >= 400);
  const refused = errors.filter(({ labels }) => isRefusal(Number(labels.status)));
  const info = named('hidamari_dataset_info')[0]?.labels;
  return {
    dataset_id: info?.dataset_id ?? null,
    generated_at: info?.generated_at ?? null,
    version: info?.version ?? null,
    up_seconds: Math.max(0, Math.round(nowMs / 1000 - single('process_start_time_seconds'))),
    memory_bytes: single('process_resident_memory_bytes'),
    event_loop_p99_ms: twoDecimals(1000 * single('nodejs_eventloop_lag_p99_seconds')),
    requests: sum(requests),
    refused: sum(refused),
    failed: sum(errors) - sum(refused),
    refused_last_hour: sum(named('hidamari_last_hour_refused')),
    failed_last_hour: sum(named('hidamari_last_hour_failed')),
    over_limit: sum(named('hidamari_rate_limited_total')),
    log_lines_dropped: sum(named('hidamari_log_lines_dropped_total')),
  };
}

/** The state of a server as lines for people. */
function lines(status: Status): string[] {
  const since = durationText(status.up_seconds * 1000);
  return table([
    ['dataset', `${status.dataset_id ?? 'unknown'}, made ${status.generated_at ?? 'at an unknown time'}`],
    ['program', `${status.version ?? 'unknown'}, running for ${since}`],
    ['memory', bytesText(status.memory_bytes)],
    ['event loop', `99 % of delays under ${status.event_loop_p99_ms} ms`],
    ['requests', countText(status.requests)],
    ['refused (4xx, 501)', `${countText(status.refused)}, of them ${countText(status.over_limit)} over the limit`],
    ['failed (5xx)', countText(status.failed)],
    ['last hour', `${countText(status.failed_last_hour)} failed, ${countText(status.refused_last_hour)} refused`],
    ['log lines dropped', countText(status.log_lines_dropped)],
  ]);
}
