import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dayInJapan } from '../kaigo/price-list.ts';
import { EXCEPT, FAIL_ABOVE } from './diff.ts';
import { addFetchOptions, type FetchFlags, toFetch } from './fetch.ts';
import { durationText, say, sayJson } from './output.ts';
import { type RefreshOptions, type RefreshReport, refreshDataset } from './refresh-steps.ts';
import { secretOf } from './secrets.ts';
import {
  AS_OF_OPTION,
  FEES_OPTION,
  REFRESH_FOLDER,
  SIGN_KEY_OPTION,
  timeOfBuild,
  WORKERS_OPTION,
  webUrl,
  wholeNumber,
} from './setting.ts';
import { storeOption } from './store.ts';
import { end } from './this-process.ts';

interface Flags extends FetchFlags, Omit<RefreshOptions, 'inputs' | 'fetch' | 'generatedAt' | 'asOf' | 'webhook'> {
  inputs?: string;
  asOf?: string;
}

/** `hidamari refresh`: fetches, builds, checks and publishes a new dataset. */
export function define(command: Command): void {
  command.description(
    'Fetches what the publishers have changed, builds a dataset beside the one that is served, checks it, compares it with the one before, ' +
      'and only then moves it into the data folder, tells the server, waits until it is served, and removes old ones. ' +
      'A run that was broken off is repeated: each step goes on from what is there. HIDAMARI_WEBHOOK gets the report of a failure.',
  );
  const [limitsFlag, limitsHelp, limitsIn] = FAIL_ABOVE;
  command
    .requiredOption('--data <dir>', 'data folder of the server')
    .option('--inputs <dir>', 'inputs folder (default: .refresh/inputs in the data folder)');
  addFetchOptions(command)
    .option(
      '--keep-going',
      'build although some files could not be fetched: with those of the last time, or without',
      false,
    )
    .option(...WORKERS_OPTION)
    .option(...AS_OF_OPTION)
    .option(...FEES_OPTION)
    .option(...SIGN_KEY_OPTION)
    .addOption(new Option(limitsFlag, limitsHelp).argParser(limitsIn).default(limitsIn(DEFAULT_LIMITS), DEFAULT_LIMITS))
    .option(...EXCEPT)
    .addOption(storeOption('also publish the dataset there'))
    .option(
      '--reload <command>',
      'shell command that has the server open the newest dataset: systemctl reload hidamari',
    )
    .option('--server <host:port...>', 'admin ports of the servers that are waited for', withServerUrl, [])
    .option('--wait <seconds>', 'how long the servers may take', wholeNumber(1, 86_400), 600)
    .option('--keep <n>', 'how many whole datasets stay', wholeNumber(1, 1000), 2)
    .option('--dry-run', 'fetch, build, check and compare, and leave what is served as it is', false)
    .option('--on-failure <command>', 'shell command to run when it fails; HIDAMARI_REPORT names the report')
    .option('--report <file>', 'also write the report there, as JSON')
    .option('--json', 'progress as JSON lines on standard error, the report as JSON on standard output', false)
    .action(run);
}

/** Default of `--fail-above`. */
const DEFAULT_LIMITS = 'removed=1%,changed_hours=5%';

/**
 * Reads a value of `--server`, `HOST:PORT`.
 * @param before the URLs of the values before it
 * @returns these URLs and the new one
 * @throws InvalidArgumentError for another form
 */
function withServerUrl(text: string, before: string[]): string[] {
  if (!/^.+:\d{1,5}$/.test(text) || !URL.canParse(`http://${text}`))
    throw new InvalidArgumentError('Expected HOST:PORT, such as 127.0.0.1:9464.');
  return [...before, `http://${text}`];
}

/** Checks the flags, refreshes, and prints the report. */
async function run(flags: Flags, command: Command): Promise<void> {
  const { data, inputs = join(data, REFRESH_FOLDER, 'inputs') } = flags;
  if (existsSync(data) && !statSync(data).isDirectory())
    command.error(`error: --data ${data}: is a file; expected a data folder`);
  if (existsSync(join(data, 'manifest.json')))
    command.error(`error: --data ${data}: is a dataset; expected the folder that holds datasets`);
  if (flags.report !== undefined && !existsSync(dirname(flags.report)))
    command.error(`error: --report ${flags.report}: there is no such folder`);
  const isFetched = flags.city !== undefined || flags.area !== undefined;
  if (!isFetched && flags.inputs === undefined)
    command.error('error: give --city or --area for what to fetch, or --inputs for a folder that is filled already');
  const generatedAt = timeOfBuild(command);
  const report = await refreshDataset({
    ...flags,
    inputs,
    fetch: isFetched ? await toFetch(flags, inputs, command) : null,
    generatedAt,
    asOf: flags.asOf ?? dayInJapan(new Date(generatedAt)),
    webhook: webhook(command),
  });
  if (flags.json) sayJson(report);
  else for (const line of reportLines(report)) say(line);
  end(report.exit_code);
}

/** The address in `HIDAMARI_WEBHOOK`; null when it is not set. The address is often a secret, so it has no flag. */
function webhook(command: Command): string | null {
  try {
    const url = secretOf('HIDAMARI_WEBHOOK');
    return url === undefined || url === '' ? null : webUrlWithQuery(url);
  } catch (error) {
    return command.error(`error: HIDAMARI_WEBHOOK: ${(error as Error).message}`);
  }
}

/**
 * A URL of HTTP, which may have a query.
 * @throws InvalidArgumentError for another text. The message does not contain the text, which may be a secret
 */
function webUrlWithQuery(text: string): string {
  webUrl(text.split('?')[0] ?? '');
  return text;
}

/** The report for people: a line for each step, and the outcome. */
function* reportLines({ steps, outcome, problem, dataset_id, previous_dataset_id }: RefreshReport): Generator<string> {
  for (const { step, seconds, says } of steps)
    yield `${step.padEnd(8)} ${durationText(seconds * 1000).padStart(10)}  ${says}`;
  const headings = {
    served: 'Served',
    placed: 'In place',
    unchanged: 'Nothing new',
    dry_run: 'Checked, and left as it is',
  };
  if (outcome in headings) {
    const before = previous_dataset_id === null ? '' : `; before: ${previous_dataset_id}`;
    yield `${headings[outcome as keyof typeof headings]}: dataset ${dataset_id}${before}`;
  } else yield `Failed (${outcome}): ${problem}`;
}
