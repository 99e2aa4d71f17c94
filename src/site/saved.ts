import { type Html, html } from './markup.ts';
import { type PageAsk, pageLink, textsOf } from './view.ts';

/** A thing that visitors can save on their device: a flat in the notation of comparisons, or a home. */
interface Saveable {
  kind: 'flats' | 'homes';
  /** Its notation in the URL of a comparison. */
  id: string;
  name: string;
}

/**
 * The button that saves a flat or a home on the device, and a link to compare all saved ones. The script `saved.js`
 * shows both if they can be used.
 */
export function saveButton(ask: PageAsk, { kind, id, name }: Saveable): Html {
  const { saved } = textsOf(ask).frame;
  const [save, kept, page] =
    kind === 'flats'
      ? [saved.saveFlat, saved.flatKept, '/compare/?b=']
      : [saved.saveHome, saved.homeKept, '/kaigo/compare/?f='];
  return html`<button class="save" type="button" data-save="${kind}" data-id="${id}" data-name="${name}" data-kept="${kept}" aria-pressed="false" hidden>${save}</button> <a class="button" data-compare="${kind}" data-count="${saved.compareKept('{}')}" href="${pageLink(ask, page)}" hidden></a>`;
}

/**
 * The place where the script lists saved things, each with a button to remove it, and a link to compare all. Hidden
 * while it is empty.
 */
export function savedList(ask: PageAsk, kind: Saveable['kind']): Html {
  const { saved } = textsOf(ask).frame;
  const [title, page, compare, parameter] =
    kind === 'flats'
      ? [saved.flats, '/sunlight/building/', '/compare/', 'b']
      : [saved.homes, '/kaigo/facility/', '/kaigo/compare/', 'f'];
  return html`<section class="saved no-print" data-saved="${kind}" data-page="${pageLink(ask, page)}" data-remove="${saved.remove}" hidden><h2>${title}</h2><form method="get" action="${pageLink(ask, compare)}" data-parameter="${parameter}"><ul class="plain"></ul><p><button>${saved.compare}</button> <span class="quiet">${saved.where}</span></p></form></section>`;
}
