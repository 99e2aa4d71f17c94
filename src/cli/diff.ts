import { dirname } from 'node:path';
import type { Command } from 'commander';
import { DatasetContents } from '../dataset/contents.ts';
import { ChangeCounter, type Excess, exceeded, excessText, type Limit, parseLimits } from '../export/change-gate.ts';
import { type Change, changesBetween, valueText, writeChanges } from '../export/changes.ts';
import { writeNote } from '../snapshot/change-note.ts';
import { countText, remark, sayAll, table, wholeFile } from './output.ts';
import { asArgument, commaList } from './setting.ts';

/** Exit code: two datasets differ by more than the limits allow. */
export const OVER_LIMIT = 4;

/** The option `--fail-above` of `diff` and `refresh`. */
export const FAIL_ABOVE = [
  '--fail-above <limits>',
  'how much may change in all, in a ward or in a service: removed=1%,changed_hours=5%; also added, changed, changed_costs, became_unknown',
  asArgument(parseLimits),
] as const;

/** The option `--except` of `diff` and `refresh`. */
export const EXCEPT = [
  '--except <codes>',
  'wards (5 digits) and services (3 digits) of which changes are expected, such as a new edition of a city',
  (text: string): Set<string> =>
    new Set(
      commaList(
        text,
        (code) => /^(\d{3}|\d{5})$/.test(code),
        'no ward of 5 digits, such as 13101, and no service of 3, such as 510',
      ),
    ),
] as const;

/** Adds `hidamari diff OLD NEW`. */
export function define(command: Command): void {
  command
    .description(
      'Compares two datasets building by building and facility by facility: what was added, what was removed and which ' +
        'values changed, under their names in answers. Of the hours and windows of a building it names the face, floor ' +
        'and month that changed most. Exit code 0, whether there are differences or not; 4 when they exceed --fail-above.',
    )
    .argument('<old>', 'a dataset, or a data folder: then the newest dataset in it')
    .argument('<new>', 'a dataset or data folder to compare it with')
    .option('--json', 'print every difference as JSON, and a summary with counts')
    .option('--all', 'list every difference, not the first twenty of each kind')
    .option('--out <file>', 'also write every difference to a Parquet file')
    .option('--note', 'keep the counts beside the new dataset: the page /changes/ and the feed show them')
    .option(...FAIL_ABOVE)
    .option(...EXCEPT)
    .action(diff);
}

interface Flags {
  json?: true;
  all?: true;
  out?: string;
  note?: true;
  failAbove?: Limit[];
  except?: Set<string>;
}

/** Opens two datasets and compares them. */
async function diff(oldPath: string, newPath: string, flags: Flags): Promise<void> {
  using resources = new DisposableStack();
  const before = resources.adopt(await DatasetContents.open(oldPath), (contents) => contents.close());
  const after = resources.adopt(await DatasetContents.open(newPath), (contents) => contents.close());
  await show(before, after, flags);
}

/** Prints the differences and writes the files that the flags name. Sets the exit code when a limit is exceeded. */
async function show(before: DatasetContents, after: DatasetContents, flags: Flags): Promise<void> {
  const { json, all, out, note: keepsNote, failAbove = [], except } = flags;
  const identityOf = ({ files: { manifest } }: DatasetContents) => ({
    dataset_id: manifest.dataset_id,
    generated_at: manifest.generated_at,
  });
  const about = { old: identityOf(before), new: identityOf(after) };
  if (out !== undefined) {
    const ids = { old: about.old.dataset_id, new: about.new.dataset_id };
    await wholeFile(out, (unfinishedPath) => writeChanges(unfinishedPath, changesBetween(before, after), ids));
  }
  const counter = new ChangeCounter(except);
  const changes = changesBetween(before, after, counter);
  // The counter is complete only after all changes are printed.
  const excessesNow = (): Excess[] => exceeded(counter, failAbove);
  if (json) await sayAll(jsonTexts(about, changes, () => ({ summary: counter.summary, exceeded: excessesNow() })));
  else await sayAll(lines(before, after, changes, all ? Number.POSITIVE_INFINITY : SHOWN).map((line) => `${line}\n`));
  if (keepsNote) await writeNote(dirname(after.files.folder), { ...about, summary: counter.summary });
  const excesses = excessesNow();
  if (excesses.length === 0) return;
  for (const excess of excesses) remark(`over the limit: ${excessText(excess)}`);
  process.exitCode = OVER_LIMIT;
}

/**
 * One JSON object in pieces, so that it never is in memory as a whole: the members of `about`, `changes` with a change
 * on each line, and the members of `end`.
 * @param end called after the last change
 */
function* jsonTexts(about: object, changes: Iterable<Change>, end: () => object): Generator<string> {
  const withoutClosingBrace = JSON.stringify(about).slice(0, -1);
  yield `${withoutClosingBrace},"changes":[`;
  let separator = '\n';
  for (const change of changes) {
    yield separator + JSON.stringify(change);
    separator = ',\n';
  }
  const withoutOpeningBrace = JSON.stringify(end()).slice(1);
  yield `\n],${withoutOpeningBrace}\n`;
}

/** Limit of the printed differences of each kind. */
const SHOWN = 20;

/**
 * The differences for people: a line for each, then a table with their counts.
 * @param most limit of the lines of each kind of difference
 */
function* lines(
  before: DatasetContents,
  after: DatasetContents,
  changes: Iterable<Change>,
  most: number,
): Generator<string> {
  for (const [name, { manifest, folder }] of Object.entries({ old: before.files, new: after.files })) {
    yield `${name}  ${manifest.dataset_id}  made ${manifest.generated_at}  ${folder}`;
  }
  const counts = new Map<string, number>();
  const changedIds = { building: new Set<string>(), facility: new Set<string>() };
  for (const change of changes) {
    // A thing that was added or removed has no member.
    const key = `${change.kind} ${change.member === null ? change.change : countedName(change.member)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (change.member !== null) changedIds[change.kind].add(change.id);
    if (count <= most) yield lineOf(change);
    else if (count === most + 1) yield `… more of ${key}: --all lists them`;
  }
  yield '';
  if (counts.size === 0) {
    yield 'Nothing differs.';
    return;
  }
  const rows = [...counts].map(([key, count]) => [key, countText(count)]);
  const totals = Object.entries(changedIds).map(([kind, ids]) => [`${kind} with any change`, countText(ids.size)]);
  yield* table([['what', 'count'], ...rows, ...totals]);
}

/**
 * The name under which changes of a member are counted. Changes in all items of a list are counted together: `a.0.b`
 * and `a.1.b` as `a.*.b`. Hours and windows of all faces, floors and months are counted together, too.
 */
const countedName = (member: string): string =>
  /^faces\..*\.(direct_sun_hours|sunlit_windows)$/.exec(member)?.[1] ?? member.replace(/\.\d+\b/g, '.*');

/** A change as a line: what was added or removed, or the old and the new value of a member. */
const lineOf = ({ kind, id, change, member, old, new: now }: Change): string =>
  member === null ? `${kind} ${id} ${change}` : `${kind} ${id} ${member}: ${shortText(old)} → ${shortText(now)}`;

/** Limit of the printed characters of a value. */
const MOST_CHARACTERS = 60;

/** A value as a text that fits on a line. */
function shortText(value: unknown): string {
  const text = valueText(value) ?? 'unknown';
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
