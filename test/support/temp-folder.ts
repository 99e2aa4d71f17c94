import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test. It is removed when the test (or the suite, given `after`) ends. */
export function tempFolder(test: { after(fn: () => void): unknown }): string {
  const folder = mkdtempSync(join(tmpdir(), 'hidamari-test-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
