import { dirname } from 'node:path';
import { type ChangeCounts, type ChangeNote, readNotes } from '../../snapshot/change-note.ts';
import { serviceName } from '../kaigo/services.ts';
import { type Html, html } from '../markup.ts';
import { wardNamed, wardsOf } from '../names.ts';
import { type Column, numberColumn, table } from '../table.ts';
import { fileLink, type PageAsk, type PageResult, textsOf } from '../view.ts';

/** Limit of the shown datasets: the newest. */
const MOST_SHOWN = 12;

/** The changes of each dataset, as counted by `hidamari diff` and `hidamari refresh`. */
export async function changesPage(ask: PageAsk): Promise<PageResult> {
  const { prose } = textsOf(ask);
  const { folder, manifest } = ask.dataset;
  const notes = await readNotes(dirname(folder));
  const latestNotes = notes.filter((note) => note.new.generated_at <= manifest.generated_at).slice(0, MOST_SHOWN);
  return {
    kind: 'page',
    title: prose.changesTitle,
    description: prose.changesLead,
    main: html`<h1>${prose.changesTitle}</h1><p class="answer">${prose.changesLead}</p>
<p><a href="${fileLink(ask, '/changes.atom')}">${prose.statusFeed}</a> · <a href="${fileLink(ask, '/inputs.json')}">${prose.inputsList}</a></p>
${latestNotes.length === 0 ? html`<p>${prose.changesNone}</p>` : latestNotes.map((note) => changesOf(ask, note))}`,
  };
}

/** The section of one dataset: its changes against the one before it, as tables of counts. */
function changesOf(ask: PageAsk, { old, new: now, summary: { buildings, facilities } }: ChangeNote): Html {
  const { prose } = textsOf(ask);
  const [day, before] = [now, old].map(({ generated_at }) => generated_at.slice(0, 10));
  const wards = new Map(wardsOf(ask).map(({ code, name }) => [code, wardNamed(ask, code, name)]));
  const parts = [
    countsTable(
      ask,
      prose.changesBuildings,
      buildings,
      namedCounts(buildings.by_ward, (code) => wards.get(code) ?? code),
    ),
    countsTable(
      ask,
      prose.changesFacilities,
      facilities,
      namedCounts(facilities.by_service, (code) => serviceName(code, ask.language)),
    ),
  ];
  return html`<h2>${prose.changesOf(day ?? '')}</h2><p>${prose.changesSince(before ?? '')} <small><code>${old.dataset_id}</code> → <code>${now.dataset_id}</code></small></p>${parts}`;
}

type Named = [name: string, counts: ChangeCounts];

/** The groups with changes. */
const namedCounts = (counts: Readonly<Record<string, ChangeCounts>>, nameOf: (code: string) => string): Named[] =>
  Object.entries(counts)
    .filter(([, { added, removed, changed }]) => added + removed + changed > 0)
    .map(([code, one]) => [nameOf(code), one]);

/** The counts of a half, in total and by group; nothing when neither dataset has it. */
function countsTable(ask: PageAsk, title: string, all: ChangeCounts, groups: readonly Named[]): Html | null {
  const { prose } = textsOf(ask);
  if (all.old + all.new === 0) return null;
  const count = (name: string, counts: (of: ChangeCounts) => number): Column<Named> =>
    numberColumn(name, ([, of]) => counts(of).toLocaleString('en'));
  const counts = table<Named>(
    { label: title },
    'rows',
    [
      { name: title, content: ([name]) => name },
      count(prose.changesCount, ({ new: now }) => now),
      count(prose.changesAdded, ({ added }) => added),
      count(prose.changesRemoved, ({ removed }) => removed),
      count(prose.changesChanged, ({ changed }) => changed),
    ],
    [[prose.changesAll, all], ...groups],
  );
  return html`<h3>${title}</h3>${counts}`;
}

/** The counts of a note in one line. */
export function changesLine({ summary: { buildings, facilities } }: ChangeNote): string {
  const line = (what: string, { old, new: now, added, removed, changed }: ChangeCounts): string[] =>
    old + now === 0 ? [] : [`${what}: ${added} added, ${removed} removed, ${changed} changed, ${now} in all`];
  return [...line('buildings', buildings), ...line('facilities', facilities)].join('; ');
}
