import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import { type Gap, type Html, html } from '../markup.ts';
import type { Texts } from '../texts/texts.ts';

/** The hazards at the position, one line each; empty when no layer covers it. */
function hazardFacts({ care, frame }: Texts, { hazards }: Facility): [name: string, said: string][] {
  const facts: [string, string][] = [];
  const { flood = null, landslide = null } = hazards ?? {};
  if (flood !== null) {
    const { from_m, to_m, river, scenario } = flood;
    const said = from_m === null ? care.floodOutside : care.floodDepth(from_m, to_m, river, scenario === 'largest');
    facts.push([care.flood, said]);
  }
  if (landslide !== null) {
    const zones = landslide.map(({ zone, phenomenon, designated }) => {
      const name = `${care.landslideZones[zone] ?? zone} (${care.phenomena[phenomenon] ?? phenomenon})`;
      return designated ? name : `${name} ${care.notDesignated}`;
    });
    facts.push([care.landslide, zones.length === 0 ? care.landslideOutside : frame.list([...new Set(zones)])]);
  }
  return facts;
}

/** The same under a heading. */
export function hazardSection(texts: Texts, facility: Facility): Gap {
  const { care } = texts;
  const facts = hazardFacts(texts, facility);
  if (facts.length === 0) return null;
  const row = ([name, said]: [string, string]): Html => html`<dt>${name}</dt><dd>${said}</dd>`;
  return html`<h2>${care.hazards}</h2><dl class="facts">${facts.map(row)}</dl><p class="note">${care.hazardNote}</p>`;
}
