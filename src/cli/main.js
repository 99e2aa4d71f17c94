#!/usr/bin/env node
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) < 24) {
  stop(
    `needs Node.js 24, and this is ${process.versions.node}: \`npm install\` brings it, \`npx hidamari\` runs on it`,
  );
}

// Node stores compiled modules without their types, which halves the start time. It does so only for modules that are
// loaded after this call, so this file loads nothing else before it. This file is JavaScript because it is never
// stored, and removing types needs a compiler. Without the right to write there, the program starts all the same. An
// installed package stores nothing in its own folder. Threads and child processes get the place from the environment.
const isInstalled = /\/node_modules\//.test(import.meta.url);
const { directory } = nodeModule.enableCompileCache(
  isInstalled ? undefined : fileURLToPath(new URL('../../node_modules/.cache/hidamari', import.meta.url)),
);
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;
const { main } = await import('./commands.ts').catch(sayWhatIsMissing);
await main();

function sayWhatIsMissing(error) {
  const [, name] = /^Cannot find package '([^']+)'/.exec(error.message) ?? [];
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw error;
  stop(`the package ${name} is not installed: run \`npm install\` first`);
}

function stop(problem) {
  process.stderr.write(`hidamari: ${problem}\n`);
  process.exit(1);
}
