import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import { hoursClass } from '../../contract/sunlight-shapes.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { HOURS_SCALE } from '../scale.ts';
import { type PageAsk, pageLink, textsOf } from '../view.ts';
import { type Choice, choiceQuery, monthsOf } from './choice.ts';
import { type FaceSight, type FloorSight, hoursIn } from './floors.ts';

const JUNE = 6;
const DECEMBER = 12;

/** Walls down, floors across: the hours of the month, coloured, each a link that chooses. */
export function faceFloorTable(ask: PageAsk, floors: readonly FloorSight[], choice: Choice): Html {
  const { frame, sunlight } = textsOf(ask);
  const other = choice.month === JUNE ? DECEMBER : JUNE;
  const cell = (floor: FloorSight, face: FaceSight): Html => {
    const sight = floor.faces.find((one) => one.face === face.face);
    if (sight === undefined) return html`<td class="number unknown">${frame.unknown}</td>`;
    const hours = hoursIn(sight, choice.month);
    const isChosen = floor.floor === choice.floor.floor && face.face === choice.face.face;
    const query = choiceQuery({ floor: floor.floor, face: face.face, month: choice.month });
    return html`<td class="hours h${hoursClass(hours)}${isChosen ? ' chosen' : ''}" data-face="${face.face}" data-floor="${floor.floor}" data-hours="${hours}"><a href="${query}"${isChosen ? html` aria-current="true"` : null}>${hours.toFixed(1)} <small>${frame.month(other)} ${hoursIn(sight, other).toFixed(1)}</small><span class="visually-hidden"> ${frame.floor(floor.floor)} ${sunlight.faceName(frame.faces[face.face])}</span></a></td>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${sunlight.tableTitle}"><table class="sheet n${floors.length}">
<caption>${sunlight.tableLead(frame.month(choice.month))}</caption>
<thead><tr><th scope="col">${sunlight.face}</th>${floors.map((floor) => html`<th scope="col" class="number">${floorName(ask, floor, floors)}</th>`)}</tr></thead>
<tbody>${choice.floor.faces.map((face) => html`<tr><th scope="row">${sunlight.faceName(frame.faces[face.face])}<small>${sunlight.wall(face.azimuth_deg.toFixed(0), face.wall_length_m.toFixed(1))}</small></th>${floors.map((floor) => cell(floor, face))}</tr>`)}</tbody>
</table></div>${legend(ask)}`;
}

function floorName(ask: PageAsk, { floor }: FloorSight, floors: readonly FloorSight[]): string {
  const { frame } = textsOf(ask);
  const name = frame.floor(floor);
  return floor === floors[floors.length - 1].floor && floors.length > 1
    ? textsOf(ask).sunlight.top(floor)
    : name[0].toUpperCase() + name.slice(1);
}

/** The colour scale. */
export function legend(ask: PageAsk): Html {
  const { sunlight, frame } = textsOf(ask);
  return html`<ul class="legend"><li class="name">${sunlight.legend}</li>${HOURS_SCALE.map(({ label }, i) => html`<li class="h${i}">${label}</li>`)}<li class="unknown">${frame.unknown}</li></ul>`;
}

/** The chosen wall month by month: the chart as a table. */
export function monthsTable(ask: PageAsk, choice: Choice): Html {
  const { frame, sunlight } = textsOf(ask);
  const rows = monthsOf(choice).map(
    ({ month, direct_sun_hours, unshaded_hours, sunlit_windows }) =>
      html`<tr data-month="${month}"><th scope="row">${frame.month(month)}</th><td class="number">${frame.hoursExact(direct_sun_hours)}</td><td class="number">${frame.hoursExact(unshaded_hours)}</td><td>${sunlit_windows.map((window) => window.join('–')).join(' ') || '–'}</td></tr>`,
  );
  return html`<details><summary>${sunlight.monthsTable}</summary><div class="scroll" tabindex="0" role="region" aria-label="${sunlight.monthsTable}"><table class="months wide"><thead><tr><th scope="col">${sunlight.monthColumn}</th><th scope="col" class="number">${sunlight.hoursColumn}</th><th scope="col" class="number">${sunlight.unshadedColumn}</th><th scope="col">${sunlight.windowsColumn}</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** Who takes the sun. */
export function sourcesTable(ask: PageAsk, { shading_sources, self_shaded_share }: BuildingFull): Gap {
  const { frame, sunlight } = textsOf(ask);
  const own = html`<p class="note">${sunlight.selfShare((self_shaded_share * 100).toFixed(0))}</p>`;
  if (shading_sources.length === 0) return html`<p>${sunlight.sourcesNone}</p>${own}`;
  const rows = shading_sources.map(
    (source) =>
      html`<tr><th scope="row">${source.building_id === null ? sunlight.unnamed : html`<a href="${pageLink(ask, `/sunlight/building/${source.building_id}/`)}">${source.building_id}</a>`}</th><td data-label="${sunlight.direction}">${frame.faces[compass(source.azimuth_deg)]} ${frame.list([`${source.azimuth_deg.toFixed(0)}°`, `${source.distance_m.toFixed(0)} m`])}</td><td class="number" data-label="${sunlight.height}">${source.height_m.toFixed(1)} m</td><td class="number" data-label="${sunlight.takes}">${frame.hoursExact(source.blocked_hours)}</td><td class="number" data-label="${sunlight.share}">${(source.share * 100).toFixed(0)} %</td></tr>`,
  );
  return html`<p>${sunlight.sourcesLead}</p><div class="scroll" tabindex="0" role="region" aria-label="${sunlight.sourcesHeading}"><table class="rows"><thead><tr><th scope="col">${sunlight.source}</th><th scope="col">${sunlight.direction}</th><th scope="col" class="number">${sunlight.height}</th><th scope="col" class="number">${sunlight.takes}</th><th scope="col" class="number">${sunlight.share}</th></tr></thead><tbody>${rows}</tbody></table></div>${own}`;
}

const COMPASS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
const compass = (azimuth: number): string => COMPASS[Math.round(azimuth / 45) % 8];
