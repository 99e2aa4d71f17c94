import type { Command } from 'commander';
import { DatasetContents } from '../dataset/contents.ts';
import { type Change, changesBetween, textOf, writeChanges } from '../export/changes.ts';
import { countText, sayAll, table, wholeFile } from './output.ts';

/** Adds `hidamari diff OLD NEW`. */
export function define(command: Command): void {
  command
    .description(
      'Compares two datasets building by building and facility by facility: what was added, what was removed and which ' +
        'values changed, under their names in answers. Of the hours and windows of a building it names the face, floor ' +
        'and month that changed most. Exit code 0, whether there are differences or not.',
    )
    .argument('<old>', 'a dataset, or a data folder: then the newest dataset in it')
    .argument('<new>', 'a dataset or data folder to compare it with')
    .option('--json', 'print every difference as JSON')
    .option('--all', 'list every difference, not the first twenty of each kind')
    .option('--out <file>', 'also write every difference to a Parquet file')
    .action(diff);
}

interface Flags {
  json?: true;
  all?: true;
  out?: string;
}

async function diff(oldPath: string, newPath: string, { json, all, out }: Flags): Promise<void> {
  const old = await DatasetContents.open(oldPath);
  try {
    const now = await DatasetContents.open(newPath);
    try {
      const about = { old: old.files.manifest.dataset_id, new: now.files.manifest.dataset_id };
      const changes = () => changesBetween(old, now);
      if (out !== undefined) await wholeFile(out, (part) => writeChanges(part, changes(), about));
      if (json) await sayAll(jsonTexts(about, changes()));
      else await sayAll(lines(old, now, changes(), all ? Number.POSITIVE_INFINITY : SHOWN).map((line) => `${line}\n`));
    } finally {
      now.close();
    }
  } finally {
    old.close();
  }
}

/** One document, a change a line. */
function* jsonTexts(about: object, changes: Iterable<Change>): Generator<string> {
  yield `${JSON.stringify(about).slice(0, -1)},"changes":[`;
  let before = '\n';
  for (const change of changes) {
    yield before + JSON.stringify(change);
    before = ',\n';
  }
  yield '\n]}\n';
}

/** Differences listed of each kind. */
const SHOWN = 20;

function* lines(
  old: DatasetContents,
  now: DatasetContents,
  changes: Iterable<Change>,
  most: number,
): Generator<string> {
  for (const [name, { manifest, folder }] of [['old', old.files] as const, ['new', now.files] as const]) {
    yield `${name}  ${manifest.dataset_id}  made ${manifest.generated_at}  ${folder}`;
  }
  const counts = new Map<string, number>();
  const changed = { building: new Set<string>(), facility: new Set<string>() };
  for (const change of changes) {
    const key = `${change.kind} ${change.member === null ? change.change : generic(change.member)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (change.member !== null) changed[change.kind].add(change.id);
    if (count <= most) yield lineOf(change);
    else if (count === most + 1) yield `… more of ${key}: --all lists them`;
  }
  yield '';
  if (counts.size === 0) {
    yield 'Nothing differs.';
    return;
  }
  const rows = [...counts].map(([key, count]) => [key, countText(count)]);
  const wholes = Object.entries(changed).map(([kind, ids]) => [`${kind} with any change`, countText(ids.size)]);
  yield* table([['what', 'count'], ...rows, ...wholes]);
}

/** A member without the place where it changed. */
const generic = (member: string): string =>
  /^faces\..*\.(direct_sun_hours|sunlit_windows)$/.exec(member)?.[1] ?? member.replace(/\.\d+\b/g, '.*');

const lineOf = ({ kind, id, change, member, old, new: now }: Change): string =>
  member === null ? `${kind} ${id} ${change}` : `${kind} ${id} ${member}: ${short(old)} → ${short(now)}`;

/** Characters of a value that are shown. */
const LONGEST = 60;

function short(value: unknown): string {
  const text = textOf(value) ?? 'unknown';
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
