#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { styled } from './output.ts';

/**
 * Where each command registers itself, in the order of `hidamari --help`. Only the command that is asked for is loaded:
 * a server need not wait for what builds a dataset.
 */
const COMMANDS: Readonly<Record<string, () => Promise<{ register(program: Command): void }>>> = {
  start: () => import('./start.ts'),
  fetch: () => import('./fetch.ts'),
  build: () => import('./build.ts'),
  work: () => import('./work.ts'),
  serve: () => import('./serve.ts'),
  publish: () => import('./publish.ts'),
  'publish-bulk': () => import('./publish-bulk.ts'),
  mcp: () => import('./mcp.ts'),
  keys: () => import('./keys.ts'),
  verify: () => import('./verify.ts'),
  inspect: () => import('./inspect.ts'),
  prune: () => import('./prune.ts'),
  diff: () => import('./diff.ts'),
  explain: () => import('./explain.ts'),
  export: () => import('./export.ts'),
  fees: () => import('./fees.ts'),
  status: () => import('./status.ts'),
  doctor: () => import('./doctor.ts'),
};

// Node keeps the modules without their types and compiled, which halves the time to start. Without the right to write
// there, it starts as it would without. An installed package keeps nothing in its own folder.
const isInstalled = /\/node_modules\//.test(import.meta.url);
enableCompileCache(
  isInstalled ? undefined : fileURLToPath(new URL('../../node_modules/.cache/hidamari', import.meta.url)),
);

/** Exit codes: 0 done, 1 failed, 2 wrong usage. */
const FAILED = 1;
const WRONG_USAGE = 2;

async function hidamari(): Promise<Command> {
  const { version, description } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const program = new Command('hidamari')
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(usageLine(text)) })
    .exitOverride();
  const name = process.argv[2] ?? '';
  const asked = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]] : Object.values(COMMANDS);
  for (const load of asked) (await load()).register(program);
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

/** Since an update of the program there is a package that has not been installed yet. */
function missingPackage(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' ? /^Cannot find package '([^']+)'/.exec(message)?.[1] : undefined;
}

function report(error: unknown): void {
  const missing = missingPackage(error);
  const problem = error instanceof Error ? error.message : String(error);
  const message = missing === undefined ? problem : `the package ${missing} is not installed: run npm install`;
  const debug = process.env.HIDAMARI_DEBUG;
  process.stderr.write(`${styled('red', 'hidamari:', process.stderr)} ${message}\n`);
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  else if (isBug(error)) process.stderr.write('This looks like a bug; HIDAMARI_DEBUG=1 prints where it happened.\n');
}

// A reader that has seen enough (`hidamari explain … | head`) is no failure; a disk without room is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  const remedy = error.code === 'ENOSPC' ? ': there is no room where it goes; make some, then run it again' : '';
  report(new Error(`the result cannot be written (${error.code})${remedy}`));
  process.exit(FAILED);
});

try {
  await (await hidamari()).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE);
  report(error);
  process.exit(FAILED);
}
