import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Runs every bench of package.json in turn: `npm run bench`. One alone: `npm run bench:reader`.
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const names = Object.keys(scripts).filter((name) => name.startsWith('bench:'));
const failed: string[] = [];
for (const name of names) {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync('npm', ['run', '--silent', name], { stdio: 'inherit' });
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  process.stderr.write(`\nfailed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
