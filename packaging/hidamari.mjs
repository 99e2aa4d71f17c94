#!/usr/bin/env node
// The command of the npm package. It reads on any Node.js, so that one which is too old gets a line instead of a syntax error.
const OLDEST = 24;
if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(
    `hidamari: needs Node.js ${OLDEST} or newer; this is ${process.versions.node} (https://nodejs.org)\n`,
  );
  process.exit(1);
}
await import('../src/cli/main.js');
