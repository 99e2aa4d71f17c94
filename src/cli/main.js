#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Node keeps modules without their types and compiled, which halves the time to start; it does so for what is loaded from here
// on, and so this file loads nothing else at once. It is JavaScript, for it is never among what is kept, and to take types
// away Node loads a compiler. Without the right to write there, it starts as it would without. An installed package keeps
// nothing in its own folder. Threads and processes of ours learn of the place by the environment.
const isInstalled = /\/node_modules\//.test(import.meta.url);
const { directory } = enableCompileCache(
  isInstalled ? undefined : fileURLToPath(new URL('../../node_modules/.cache/hidamari', import.meta.url)),
);
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;
const { main } = await import('./commands.ts');
await main();
