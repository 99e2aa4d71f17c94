import { hoursClass } from '../../contract/hours-classes.ts';
import type { BuildingFull } from '../../contract/operations/sunlight-building-full.ts';
import { type Html, html } from '../markup.ts';
import { invalid, listed, type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';
import { legend } from './building-tables.ts';
import { type Choice, choiceQuery, choose } from './choice.ts';
import { storedFloors } from './floors.ts';

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
export function comparePage(ask: PageAsk): PageResult {
  const { sunlight } = textsOf(ask);
  const entries = listed(ask, 'b', 'add');
  if (entries.length > MOST) return invalid(sunlight.compareLead);
  const compared: Compared[] = [];
  const unknown: string[] = [];
  for (const entry of entries) {
    const [, id, floor, face] = ENTRY.exec(entry) ?? [];
    const building = id === undefined ? null : (ask.dataset.sunlight!.full(id)?.toJSON() ?? null);
    if (building === null) unknown.push(entry);
    else {
      const wish = {
        floor: floor === undefined ? null : Number(floor),
        face: face ?? null,
        month: null,
        receptor: null,
      };
      compared.push({ entry, building, choice: choose(storedFloors(building), wish) });
    }
  }
  const main = html`<h1>${sunlight.compareTitle}</h1><p>${sunlight.compareLead}</p>
<form class="picker" method="get" action="${pageLink(ask, '/compare/')}"><input type="hidden" name="b" value="${compared.map(({ entry }) => entry).join(',')}"><label>${sunlight.compareAdd}<input type="text" name="add" placeholder="13101-bldg-365:7:SW" autocomplete="off"></label><button>${sunlight.compareButton}</button></form>
<p class="note">${sunlight.compareHelp}</p>${unknown.map((entry) => html`<p class="unknown" role="alert">${sunlight.compareUnknown(entry)}</p>`)}
${compared.length === 0 ? html`<p>${sunlight.compareEmpty}</p>` : table(ask, compared)}`;
  return {
    kind: 'page',
    title: sunlight.compareTitle,
    description: sunlight.compareLead,
    main,
    isPersonal: entries.length > 0,
  };
}

function table(ask: PageAsk, compared: readonly Compared[]): Html {
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
  return html`${legend(ask)}<div class="scroll" tabindex="0" role="region" aria-label="${sunlight.compareTitle}"><table class="wide"><caption>${sunlight.meaning}</caption><thead><tr><th scope="col">${sunlight.monthColumn}</th>${compared.map((one) => head(ask, one, compared))}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function head(ask: PageAsk, { building, choice, entry }: Compared, all: readonly Compared[]): Html {
  const { frame, sunlight } = textsOf(ask);
  const rest = all.filter((one) => one.entry !== entry).map((one) => one.entry);
  const query = choice === null ? '' : choiceQuery({ floor: choice.floor.floor, face: choice.face.face });
  return html`<th scope="col"><a href="${pageLink(ask, `/sunlight/building/${building.building_id}/`)}${query}">${building.town_name ?? building.building_id}</a><small>${building.building_id}${choice === null ? null : html`<br>${frame.floor(choice.floor.floor)} ${sunlight.faceName(frame.faces[choice.face.face]!)}`}</small><a class="no-print" href="${pageLink(ask, '/compare/')}?b=${encodeURIComponent(rest.join(','))}">${sunlight.remove}</a></th>`;
}
