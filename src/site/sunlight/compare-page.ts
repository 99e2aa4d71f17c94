import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import { hoursClass } from '../../contract/sunlight-shapes.ts';
import { type Html, html } from '../markup.ts';
import { listed, type PageResult, pageLink, type SunlightAsk, textsOf } from '../view.ts';
import { legend } from './building-tables.ts';
import { type Choice, choiceQuery } from './choice.ts';
import { type Sight, sightOf } from './sight.ts';

const MOST = 4;
/** A building, or a flat in it: ID, floor, wall. */
const ENTRY = /^(\d{5}-bldg-\d+)(?::(\d{1,3}))?(?::(N|NE|E|SE|S|SW|W|NW))?$/;

/** One column of the comparison. */
interface Compared {
  entry: string;
  building: BuildingFull;
  choice: Choice | null;
}

/** Up to four buildings or flats side by side. */
export async function comparePage(ask: SunlightAsk): Promise<PageResult> {
  const { sunlight } = textsOf(ask);
  const asked = [...new Set(listed(ask, 'b', 'add'))];
  const entries = asked.slice(0, MOST);
  const found = await Promise.all(entries.map((entry) => entryOf(ask, entry)));
  const compared = found.filter((one) => typeof one !== 'string');
  const main = html`<h1>${sunlight.compareTitle}</h1><p>${sunlight.compareLead}</p>
<form class="picker" method="get" action="${pageLink(ask, '/compare/')}"><input type="hidden" name="b" value="${compared.map(({ entry }) => entry).join(',')}"><label>${sunlight.compareAdd}<input type="text" name="add" placeholder="13101-bldg-365:7:SW" autocomplete="off"></label><button>${sunlight.compareButton}</button></form>
<p class="note">${sunlight.compareHelp}</p>${asked.length > entries.length ? html`<p class="unknown" role="alert">${sunlight.compareFirst}</p>` : null}${found.map((one) => (typeof one === 'string' ? html`<p class="unknown" role="alert">${one}</p>` : null))}
${compared.length === 0 ? html`<p>${sunlight.compareEmpty}</p>` : table(ask, compared)}`;
  return {
    kind: 'page',
    title: sunlight.compareTitle,
    description: sunlight.compareLead,
    main,
    isPersonal: entries.length > 0,
  };
}

/** A column of the comparison, or a line that says why there is none. */
async function entryOf(ask: SunlightAsk, entry: string): Promise<Compared | string> {
  const { frame, sunlight } = textsOf(ask);
  const [, id, floorText, face = null] = ENTRY.exec(entry) ?? [];
  const building = id === undefined ? null : (ask.sunlight.full(id)?.toJSON() ?? null);
  if (building === null) return sunlight.compareUnknown(entry);
  const floor = floorText === undefined ? null : Number(floorText);
  const sight = await sightOf(ask, building, { floor, face, month: null, receptor: null });
  if (typeof sight === 'string') return `${entry}: ${sight}`;
  if (sight?.isShort && floor !== null) return `${entry}: ${notComputed(ask, sight, frame.floor(floor))}`;
  return { entry, building, choice: sight?.choice ?? null };
}

function notComputed(ask: SunlightAsk, { floors }: Sight, floor: string): string {
  const { frame, sunlight } = textsOf(ask);
  return sunlight.notComputed(floor, floors.map((one) => frame.floor(one.floor)).join(', '));
}

function table(ask: SunlightAsk, compared: readonly Compared[]): Html {
  const { frame, sunlight } = textsOf(ask);
  const rows = Array.from({ length: 12 }, (_, i) => i + 1).map(
    (month) =>
      html`<tr><th scope="row">${frame.month(month)}</th>${compared.map(({ choice }) => {
        const answer = choice?.face.months[month - 1];
        return answer === undefined
          ? html`<td class="unknown">${frame.unknown}</td>`
          : html`<td class="h${hoursClass(answer.direct_sun_hours)}" data-hours="${answer.direct_sun_hours}"><b>${answer.direct_sun_hours.toFixed(2)}</b> <small>${answer.sunlit_windows.map((window) => window.join('–')).join(' ')}</small></td>`;
      })}</tr>`,
  );
  return html`${legend(ask)}<div class="scroll" tabindex="0" role="region" aria-label="${sunlight.compareTitle}"><table class="sheet n${compared.length}"><caption>${sunlight.meaning}</caption><thead><tr><th scope="col">${sunlight.monthColumn}</th>${compared.map((one) => head(ask, one, compared))}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function head(ask: SunlightAsk, { building, choice, entry }: Compared, all: readonly Compared[]): Html {
  const { frame, sunlight } = textsOf(ask);
  const rest = all.filter((one) => one.entry !== entry).map((one) => one.entry);
  const query = choice === null ? '' : choiceQuery({ floor: choice.floor.floor, face: choice.face.face });
  return html`<th scope="col"><a href="${pageLink(ask, `/sunlight/building/${building.building_id}/`)}${query}">${building.town_name ?? building.building_id}</a><small>${building.building_id}${choice === null ? null : html`<br>${frame.floor(choice.floor.floor)} ${sunlight.faceName(frame.faces[choice.face.face])}`}</small><a class="no-print" href="${pageLink(ask, '/compare/')}?b=${encodeURIComponent(rest.join(','))}">${sunlight.remove}</a></th>`;
}
