import { type Html, html } from '../markup.ts';
import { type PageAsk, pageLink, textsOf } from '../view.ts';

/** The button that asks the device where it is: the script `here.js` shows it where it works. */
export function hereButton(ask: PageAsk): Html {
  const { here, hereFailed } = textsOf(ask).map;
  return html`<button id="here" type="button" data-map="${pageLink(ask, '/map/')}" hidden>${here}</button><span id="here-failed" role="alert" hidden>${hereFailed}</span>`;
}
