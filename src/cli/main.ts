#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

// Node keeps modules without their types and compiled, which halves the time to start; it does so for what is loaded from here
// on, and so this file loads nothing else at once. Without the right to write there, it starts as it would without. An
// installed package keeps nothing in its own folder.
const isInstalled = /\/node_modules\//.test(import.meta.url);
const cache = enableCompileCache(
  isInstalled ? undefined : fileURLToPath(new URL('../../node_modules/.cache/hidamari', import.meta.url)),
);
// Threads do not take it over by themselves, but by the environment.
if (cache.directory !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(cache.directory);

const { main } = await import('./commands.ts');
await main();
