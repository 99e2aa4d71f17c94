import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { type Html, html } from '../markup.ts';
import { type PageAsk, textsOf } from '../view.ts';

/** The chosen floor by rules of the trade, wall by wall, with what they are not. */
export function assessments(ask: PageAsk, { assessments: found }: BuildingFloor): Html {
  const { frame, sunlight } = textsOf(ask);
  const { winter_solstice: solstice, sunlight_exposure: exposure } = found;
  const rows = solstice.faces.map(({ face, direct_sun_hours }) => {
    const european = exposure.faces.find((one) => one.face === face);
    if (european === undefined) return null;
    return html`<tr><th scope="row">${sunlight.faceName(frame.faces[face])}</th><td class="number">${frame.hoursExact(direct_sun_hours)}</td><td>${sunlight.level[european.level]} <small>${frame.hoursExact(european.direct_sun_hours)}</small></td></tr>`;
  });
  return html`<section><h2>${sunlight.assessHeading}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${sunlight.assessHeading}"><table><thead><tr><th scope="col">${sunlight.face}</th><th scope="col" class="number">${sunlight.solsticeName}</th><th scope="col">${sunlight.exposureName}</th></tr></thead><tbody>${rows}</tbody></table></div>
<p class="note">${sunlight.solsticeName}: ${sunlight.solsticeLead(solstice.from, solstice.to, solstice.date)}<br>${sunlight.exposureName}: ${sunlight.exposureLead(exposure.date)}</p></section>`;
}
