import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesText, countText, displayWidth, durationText, table } from '../../src/cli/output.ts';

describe('what the command prints', () => {
  it('numbers, sizes and times in words people use', () => {
    assert.equal(countText(182325), '182,325');
    assert.deepEqual([0, 999, 1000, 12_345_678].map(bytesText), ['0 B', '999 B', '1.0 kB', '12.3 MB']);
    assert.deepEqual([840, 12_340, 59_960, 125_000].map(durationText), [
      '840 ms',
      '12.3 s',
      '1 min 00 s',
      '2 min 05 s',
    ]);
  });

  it('wide characters take two columns, marks none', () => {
    assert.equal(displayWidth('日和町1'), 7);
    assert.equal(displayWidth('ｶﾅ'), 2);
    assert.equal(displayWidth('か\u3099'), 2);
  });

  it('tables: texts to the left, numbers to the right, whatever the script', () => {
    assert.deepEqual(
      table([
        ['町', '建物'],
        ['日和町', '1,024'],
        ['A', '7'],
      ]),
      ['町       建物', '日和町  1,024', 'A           7'],
    );
    assert.deepEqual(table([]), []);
  });
});
