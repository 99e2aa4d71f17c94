#!/usr/bin/env node
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) < 24) {
  stop(
    `needs Node.js 24, and this is ${process.versions.node}: \`npm install\` brings it, \`npx hidamari\` runs on it`,
  );
}

// Node keeps modules without their types and compiled, which halves the time to start; it does so for what is loaded from here
// on, and so this file loads nothing else at once. It is JavaScript, for it is never among what is kept, and to take types
// away Node loads a compiler. Without the right to write there, it starts as it would without. An installed package keeps
// nothing in its own folder. Threads and processes of ours learn of the place by the environment.
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
