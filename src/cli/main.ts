#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { register as build } from './build.ts';
import { register as explain } from './explain.ts';
import { register as fees } from './fees.ts';
import { register as inspect } from './inspect.ts';
import { register as keys } from './keys.ts';
import { styled } from './output.ts';
import { register as publishBulk } from './publish-bulk.ts';
import { register as serve } from './serve.ts';
import { register as start } from './start.ts';
import { register as verify } from './verify.ts';

/** Each registers one command; the order is that of `hidamari --help`. */
const COMMANDS: ((program: Command) => void)[] = [
  start,
  build,
  serve,
  publishBulk,
  keys,
  verify,
  inspect,
  explain,
  fees,
];

/** Exit codes: 0 done, 1 failed, 2 wrong usage. */
const FAILED = 1;
const WRONG_USAGE = 2;

function hidamari(): Command {
  const { version, description } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const program = new Command('hidamari')
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(usageLine(text)) })
    .exitOverride();
  for (const register of COMMANDS) register(program);
  return program;
}

/** Commander's message (`error: …`, its suggestion on a second line) as one line with our name. */
function usageLine(text: string): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ');
  return `hidamari: ${line}\n`;
}

/** Errors that mean a mistake in the program rather than in its input or its surroundings. */
const isBug = (error: unknown): boolean =>
  !(error instanceof Error) ||
  error instanceof TypeError ||
  error instanceof ReferenceError ||
  'generatedMessage' in error;

function report(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const debug = process.env.HIDAMARI_DEBUG;
  process.stderr.write(`${styled('red', 'hidamari:', process.stderr)} ${message}\n`);
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  else if (isBug(error)) process.stderr.write('This looks like a bug; HIDAMARI_DEBUG=1 prints where it happened.\n');
}

// A reader that has seen enough (`hidamari explain … | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  await hidamari().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE);
  report(error);
  process.exit(FAILED);
}
