import { readFileSync } from 'node:fs';
import { Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander';
import { styled } from './output.ts';
import { withoutPasswords } from './secrets.ts';
import { end, whenNpmEnds } from './this-process.ts';

/** One command: its line in `hidamari --help`, and the file that parses its arguments and runs it. */
interface CommandEntry {
  summary: string;
  /** Loads its file. `define` adds its arguments and what it does. */
  load(): Promise<{ define(command: Command): void }>;
}

/** Every command, in the order of `hidamari --help`. Only the requested one is loaded: a server starts quickly. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  start: {
    summary: 'serve; where there is no dataset yet, build the bundled sample first',
    load: () => import('./start.ts'),
  },
  fetch: { summary: "fetch the publishers' files that a build needs", load: () => import('./fetch.ts') },
  build: { summary: 'build a dataset from published files', load: () => import('./build.ts') },
  refresh: {
    summary: 'fetch, build, check, compare, move in and have it served: a month in one command',
    load: () => import('./refresh.ts'),
  },
  work: { summary: 'do steps of a build that runs on another machine', load: () => import('./work.ts') },
  serve: { summary: 'serve the newest dataset of a data folder over HTTP', load: () => import('./serve.ts') },
  publish: { summary: 'copy a dataset into a store, for `serve --data s3://…`', load: () => import('./publish.ts') },
  'publish-bulk': {
    summary: 'copy the Parquet files of a dataset into an S3-compatible store',
    load: () => import('./publish-bulk.ts'),
  },
  mcp: {
    summary: 'answer an assistant over standard input and output (Model Context Protocol)',
    load: () => import('./mcp.ts'),
  },
  keys: {
    summary: 'add, list and revoke API keys: clients with a key have a limit of their own',
    load: () => import('./keys.ts'),
  },
  verify: {
    summary: 'check every file of a dataset against its manifest, and what is in the files',
    load: () => import('./verify.ts'),
  },
  inspect: {
    summary: 'show what is in published files: versions, counts, what is missing',
    load: () => import('./inspect.ts'),
  },
  prune: { summary: 'remove old datasets of a data folder', load: () => import('./prune.ts') },
  withdraw: {
    summary: 'take a dataset out of service: back to the one before',
    load: () => import('./withdraw.ts'),
  },
  diff: {
    summary: 'show what changed between two datasets: buildings, facilities, values',
    load: () => import('./diff.ts'),
  },
  explain: {
    summary: 'print everything needed to check the sunlight of one building, as JSON',
    load: () => import('./explain.ts'),
  },
  export: {
    summary: 'write the buildings of a dataset as GeoJSON, their windows and shading sources as Parquet',
    load: () => import('./export.ts'),
  },
  fees: { summary: 'print one cost estimate with all its steps', load: () => import('./fees.ts') },
  status: {
    summary: 'show the state of a running server: dataset, memory, requests, errors',
    load: () => import('./status.ts'),
  },
  doctor: { summary: 'show what this machine lacks', load: () => import('./doctor.ts') },
};

/** Exit codes: 0 done, 1 failed, 2 wrong usage. */
const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * The command line with all commands. Only one of them is loaded and has its options and arguments.
 * @param requested the name of this command
 */
export async function commandLine(requested: string): Promise<Command> {
  const { version, description } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const required = new Set<Option>();
  const program = new Command('hidamari')
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .showSuggestionAfterError()
    .configureHelp({ optionDescription: (option) => optionDescription(option, required.has(option)) })
    .configureOutput({ outputError: (text, write) => write(usageLine(text, requested)) })
    .exitOverride();
  program.hook('preAction', (_, action) => reportUnknownVariables(action));
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).summary(summary).description(sentence(summary));
    if (name !== requested) continue;
    (await load()).define(command);
    for (const each of [command, ...command.commands]) {
      const mandatory = each.options.filter((option) => option.mandatory);
      // They are checked after the other options, not by Commander. The help still marks them by `required`.
      checkMissingLast(each, mandatory);
      for (const option of mandatory) required.add(option);
    }
  }
  return program;
}

/** Reports environment variables that nothing reads. A server reports them in its log. */
async function reportUnknownVariables(action: Command): Promise<void> {
  const mayBeWrong = Object.keys(process.env).some((name) => /^hidamari_/i.test(name));
  if (!mayBeWrong || ['serve', 'start'].includes(action.name())) return;
  const { unknownVariables } = await import('./variables.ts');
  for (const message of unknownVariables(process.env)) {
    const line = action.opts().json ? JSON.stringify({ event: 'remark', message }) : `hidamari: ${message}`;
    process.stderr.write(`${line}\n`);
  }
}

/** Makes a command report invalid options before missing ones. Commander checks for missing ones first. */
function checkMissingLast(command: Command, required: readonly Option[]): void {
  for (const option of required) option.makeOptionMandatory(false);
  command.hook('preAction', () => {
    for (const option of required)
      if (command.getOptionValue(option.attributeName()) === undefined)
        command.error(`error: required option '${option.flags}' not specified`);
  });
}

/** A summary with a capital letter and a full stop. */
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The help text of an option, with its default unless that means "off", and with a mark when it is required. */
function optionDescription(option: Option, isRequired: boolean): string {
  const text = new Help().optionDescription(option).replace(/ \(default: (false|\[\])\)/, '');
  return isRequired ? `${text} (required)` : text;
}

/** Commander's message (`error: …`, its suggestion on a second line) as one line that begins with `hidamari:`. */
function usageLine(text: string, requested: string): string {
  const command = Object.hasOwn(COMMANDS, requested) ? `hidamari ${requested}` : 'hidamari';
  const line = withoutPasswords(text)
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^unknown command '.*$/, `$&; ${command} --help lists them`)
    .replace(/^unknown option '.*$/, '$&; --help behind the command lists them');
  return `hidamari: ${line}\n`;
}

/** True for errors that are mistakes in the program, not in its input or its environment. */
const isBug = (error: unknown): boolean =>
  !(error instanceof Error) ||
  error instanceof TypeError ||
  error instanceof ReferenceError ||
  'generatedMessage' in error;

/** The name of a package that is not installed, for example after an update of the program. */
function missingPackage(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' ? /^Cannot find package '([^']+)'/.exec(message)?.[1] : undefined;
}

/** Prints why a command failed, on standard error. */
function report(error: unknown): void {
  const missing = missingPackage(error);
  const problem = error instanceof Error ? error.message : String(error);
  const message = missing === undefined ? problem : `the package ${missing} is not installed: run npm install`;
  const debug = process.env.HIDAMARI_DEBUG;
  process.stderr.write(`${styled('red', 'hidamari:', process.stderr)} ${message}\n`);
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  else if (isBug(error)) process.stderr.write('This looks like a bug; HIDAMARI_DEBUG=1 prints where it happened.\n');
}

/**
 * Makes signals end the process, except for commands with their own listeners. The first process of a container gets
 * only the signals that it listens for, so a build would run until it is killed.
 */
function endAtSignals(): void {
  const endUnlessHandled = (name: NodeJS.Signals, number: number): void => {
    const isOnlyListener = process.listenerCount(name) === 1;
    // The exit code of a shell for a process that a signal ended.
    if (isOnlyListener) process.exit(128 + number);
  };
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.on(name, endUnlessHandled);
}

/** Runs the command that the arguments name. */
export async function main(): Promise<void> {
  // A reader that closes the pipe (`hidamari explain … | head`) is not a failure; a full disk is.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    const remedy = error.code === 'ENOSPC' ? ': there is no room where it goes; make some, then run it again' : '';
    report(new Error(`the result cannot be written (${error.code})${remedy}`));
    process.exit(FAILED);
  });

  if (process.pid === 1) endAtSignals();
  whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
  try {
    const [first = '', second = ''] = process.argv.slice(2);
    await (await commandLine(first === 'help' ? second : first)).parseAsync();
  } catch (error) {
    // Commander has printed its own errors. An InvalidArgumentError comes from a setting that a command reads while it
    // runs, and is not printed yet.
    const isPrinted = error instanceof CommanderError && !(error instanceof InvalidArgumentError);
    if (!isPrinted) report(error);
    if (error instanceof CommanderError) return end(error.exitCode === 0 ? 0 : WRONG_USAGE);
    end(FAILED);
  }
}
