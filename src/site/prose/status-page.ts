import { OPERATIONS } from '../../contract/operations.ts';
import type { HalfManifest } from '../../dataset/manifest.ts';
import { type Html, html } from '../markup.ts';
import { fileLink, type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';

/** How the service is, for people: whether it is in order, from when the data is, what will change. */
export function statusPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const { manifest } = ask.dataset;
  const { isDamaged, isDraining } = ask.state;
  const state = isDraining ? prose.statusDraining : isDamaged ? prose.statusDamaged : prose.statusGood;
  const ending = OPERATIONS.flatMap(({ path, deprecated }) => (deprecated === undefined ? [] : [{ path, deprecated }]));
  return {
    kind: 'page',
    title: prose.statusTitle,
    description: state,
    main: html`<h1>${prose.statusTitle}</h1><p class="answer">${state}</p>
<h2>${prose.statusData}</h2><dl class="facts"><dt>${prose.statusBuilt}</dt><dd><time datetime="${manifest.generated_at}">${manifest.generated_at.slice(0, 10)}</time></dd><dt>${prose.statusDataset}</dt><dd><code>${manifest.dataset_id}</code></dd></dl>
${half(ask, prose.statusSunlight, manifest.halves.sunlight)}${half(ask, prose.statusCare, manifest.halves.kaigo)}
<h2>${prose.statusInterface}</h2><p>${prose.statusPromise}</p>${ending.length === 0 ? html`<p>${prose.statusNothingEnds}</p>` : html`<ul>${ending.map(({ path, deprecated }) => html`<li><code>${path}</code> <a href="${deprecated.link}">${prose.statusEnds(deprecated.until)}</a></li>`)}</ul>`}
<h2>${prose.statusMore}</h2><ul><li><a href="${fileLink(ask, '/changes.atom')}">${prose.statusFeed}</a></li><li><a href="${fileLink(ask, '/readyz')}">/readyz</a></li><li><a href="${pageLink(ask, '/problems/')}">${prose.problemsTitle}</a></li></ul>`,
  };
}

/** A half of the data: what it holds, and its sources with their dates. */
function half(ask: PageAsk, name: string, manifest: HalfManifest | null): Html {
  const { prose, frame } = textsOf(ask);
  if (manifest === null) return html`<h3>${name}</h3><p>${prose.statusNotLoaded}</p>`;
  return html`<h3>${name}</h3><ul>${manifest.sources.map(({ name: source, url, date }) => html`<li><a href="${url}">${source}</a>: ${date ?? frame.unknown}</li>`)}</ul>`;
}
