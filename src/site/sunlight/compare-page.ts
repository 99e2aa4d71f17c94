import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { Refused } from '../../contract/outcome.ts';
import { hoursClass } from '../../contract/sunlight-shapes.ts';
import { FLAT, MOST_FLATS } from '../compared.ts';
import { exampleBuilding } from '../example-urls.ts';
import { type Gap, type Html, html, unbroken, withBold } from '../markup.ts';
import { listed, type PageResult, pageLink, type SunlightAsk, textsOf } from '../view.ts';
import { legend, placeOf } from './building-tables.ts';
import { type Choice, choiceQuery } from './choice.ts';
import { type Sight, sightOf } from './sight.ts';

const NEARBY_M = 100;
const NEARBY_SHOWN = 6;

/** One column of the comparison. */
interface Compared {
  entry: string;
  building: BuildingFull;
  choice: Choice | null;
}

/** Why there is no column; `because`: it may be there at another time. */
interface NotCompared {
  said: string;
  because: Refused | null;
}

/** Up to four buildings or flats side by side. */
export async function comparePage(ask: SunlightAsk): Promise<PageResult> {
  const { sunlight } = textsOf(ask);
  const asked = [...new Set([...listed(ask, 'b'), ...listed(ask, 'add').map(entryIn)])];
  const entries = asked.slice(0, MOST_FLATS);
  const found = await Promise.all(entries.map((entry) => entryOf(ask, entry)));
  const compared = found.filter((one) => 'building' in one);
  const because = found.map((one) => ('because' in one ? one.because : null)).find((refusal) => refusal !== null);
  const main = html`<h1>${sunlight.compareTitle}</h1><p>${sunlight.compareLead}</p>
<form class="picker" method="get" action="${pageLink(ask, '/compare/')}"><input type="hidden" name="b" value="${compared.map(({ entry }) => entry).join(',')}"><label class="whole">${sunlight.compareAdd}<input type="text" name="add" autocomplete="off"></label><button>${sunlight.compareButton}</button></form>
${sunniestLine(ask, compared)}<p class="note no-print">${unbroken(sunlight.compareHelp(compared[0]?.building.building_id ?? exampleBuilding(ask.dataset) ?? ''))}</p>${asked.length > entries.length ? html`<p class="unknown" role="alert">${sunlight.compareFirst}</p>` : null}${found.map((one) => ('said' in one ? html`<p class="unknown" role="alert">${one.said}</p>` : null))}
${compared.length === 0 ? html`<p>${sunlight.compareEmpty}</p>` : html`${table(ask, compared)}<p class="no-print"><a href="${pageLink(ask, '/compare/index.json')}?b=${encodeURIComponent(compared.map(({ entry }) => entry).join(','))}">${textsOf(ask).frame.asJson}</a></p>${nearby(ask, compared)}`}`;
  return {
    kind: 'page',
    title: sunlight.compareTitle,
    description: sunlight.compareLead,
    main,
    isPersonal: entries.length > 0,
    ...(because !== undefined && { passing: { because, isShort: true } }),
  };
}

/** What to add: as it was written, or out of the address of the page of a building. */
function entryIn(text: string): string {
  const [, id, query] = /\/sunlight\/building\/(\d{5}-bldg-\d+)\/?(?:\?([^#]*))?/.exec(text) ?? [];
  if (id === undefined) return text;
  const chosen = new URLSearchParams(query);
  return [id, chosen.get('floor'), chosen.get('face')].filter((part) => part !== null).join(':');
}

/** Which gets most sun in December. */
function sunniestLine(ask: SunlightAsk, compared: readonly Compared[]): Gap {
  const { frame, sunlight } = textsOf(ask);
  const known = compared.flatMap(({ building, choice }) => (choice === null ? [] : [{ building, choice }]));
  if (known.length < 2) return null;
  const hours = (one: (typeof known)[number]): number => one.choice.face.months[11].direct_sun_hours;
  const most = Math.max(...known.map(hours));
  if (most === 0) return html`<p class="answer">${sunlight.compareNoSun}</p>`;
  const said = frame.hoursExact(most);
  // Those whose hours read the same are not ranked.
  const names = known
    .filter((one) => frame.hoursExact(hours(one)) === said)
    .map(({ building, choice: { floor, face } }) => {
      const wall = sunlight.faceName(frame.faces[face.face]);
      return `${placeOf(ask, building)} ${building.building_id} ${frame.floor(floor.floor)} ${wall}`;
    });
  return html`<p class="answer">${withBold(sunlight.compareSunniest(names, said), [said])}</p>`;
}

/** Buildings around the first that are not compared yet, each a link that adds it. */
function nearby(ask: SunlightAsk, compared: readonly Compared[]): Gap {
  const { sunlight } = textsOf(ask);
  if (compared.length >= MOST_FLATS) return null;
  const { lat, lon } = compared[0].building;
  const there = new Set(compared.map(({ building }) => building.building_id));
  const { buildings } = ask.sunlight.near(lat, lon, NEARBY_M, NEARBY_SHOWN + there.size).toJSON();
  const others = buildings.filter(({ building_id }) => !there.has(building_id)).slice(0, NEARBY_SHOWN);
  const entries = compared.map(({ entry }) => entry);
  const link = (id: string): string =>
    `${pageLink(ask, '/compare/')}?${new URLSearchParams({ b: [...entries, id].join(',') })}`;
  return html`<h2 class="no-print">${sunlight.compareNear}</h2><p class="chips no-print">${others.map(({ building_id, distance_m }) => html`<a href="${link(building_id)}">${building_id} <small>${sunlight.careDistance(distance_m)}</small></a> `)}</p>`;
}

async function entryOf(ask: SunlightAsk, entry: string): Promise<Compared | NotCompared> {
  const { frame, sunlight } = textsOf(ask);
  const [, id, floorText, face = null] = FLAT.exec(entry) ?? [];
  const building = id === undefined ? null : (ask.sunlight.full(id)?.toJSON() ?? null);
  if (building === null) return { said: sunlight.compareUnknown(entry), because: null };
  const floor = floorText === undefined ? null : Number(floorText);
  const sight = await sightOf(ask, building, { floor, face, month: null, receptor: null, balcony: false });
  if (typeof sight === 'string') return { said: `${entry}: ${sight}`, because: null };
  if (sight?.refusal && sight.isShort && floor !== null) {
    return { said: `${entry}: ${notComputed(ask, sight, frame.floor(floor))}`, because: sight.refusal };
  }
  return { entry, building, choice: sight?.choice ?? null };
}

function notComputed(ask: SunlightAsk, { floors }: Sight, floor: string): string {
  const { frame, sunlight } = textsOf(ask);
  return sunlight.notComputed(floor, frame.list(floors.map((one) => frame.floor(one.floor))));
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
  return html`${legend(ask)}<div class="scroll" tabindex="0" role="region" aria-label="${sunlight.compareTitle}"><table class="sheet compared n${compared.length}"><caption>${sunlight.meaning}</caption><thead><tr><th scope="col">${sunlight.monthColumn}</th>${compared.map((one) => head(ask, one, compared))}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function head(ask: SunlightAsk, { building, choice, entry }: Compared, all: readonly Compared[]): Html {
  const { frame, sunlight } = textsOf(ask);
  const rest = all.filter((one) => one.entry !== entry).map((one) => one.entry);
  const query = choice === null ? '' : choiceQuery({ floor: choice.floor.floor, face: choice.face.face });
  return html`<th scope="col"><a href="${pageLink(ask, `/sunlight/building/${building.building_id}/`)}${query}">${placeOf(ask, building)}</a><small>${building.building_id}${choice === null ? null : html`<br>${frame.floor(choice.floor.floor)} ${sunlight.faceName(frame.faces[choice.face.face])}`}</small><a class="no-print" href="${pageLink(ask, '/compare/')}?b=${encodeURIComponent(rest.join(','))}">${sunlight.remove}</a></th>`;
}
