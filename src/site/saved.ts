import { type Html, html } from './markup.ts';
import { type PageAsk, pageLink, textsOf } from './view.ts';

/** What a visitor can keep on the device: a flat as comparisons name it, or a home. */
interface Saveable {
  kind: 'flats' | 'homes';
  /** As the address of a comparison holds it. */
  id: string;
  name: string;
}

/**
 * The button that keeps a flat or a home on the device, and the way to compare all that is kept; the script `saved.js` shows both
 * where they can be used.
 */
export function saveButton(ask: PageAsk, { kind, id, name }: Saveable): Html {
  const { saved } = textsOf(ask).frame;
  const [save, kept, page] =
    kind === 'flats'
      ? [saved.saveFlat, saved.flatKept, '/compare/?b=']
      : [saved.saveHome, saved.homeKept, '/kaigo/compare/?f='];
  return html`<button class="save" type="button" data-save="${kind}" data-id="${id}" data-name="${name}" data-kept="${kept}" aria-pressed="false" hidden>${save}</button> <a class="button" data-compare="${kind}" data-count="${saved.compareKept('{}')}" href="${pageLink(ask, page)}" hidden></a>`;
}

/** Where the script lists what is kept, each with a way to remove it, and a way to compare all of it. Hidden while there is nothing. */
export function savedList(ask: PageAsk, kind: Saveable['kind']): Html {
  const { saved } = textsOf(ask).frame;
  const [title, page, compare, parameter] =
    kind === 'flats'
      ? [saved.flats, '/sunlight/building/', '/compare/', 'b']
      : [saved.homes, '/kaigo/facility/', '/kaigo/compare/', 'f'];
  return html`<section class="saved no-print" data-saved="${kind}" data-page="${pageLink(ask, page)}" data-remove="${saved.remove}" hidden><h2>${title}</h2><form method="get" action="${pageLink(ask, compare)}" data-parameter="${parameter}"><ul class="plain"></ul><p><button>${saved.compare}</button> <span class="quiet">${saved.where}</span></p></form></section>`;
}
