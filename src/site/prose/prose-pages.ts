import { html } from '../markup.ts';
import { type PageAsk, type PageResult, textsOf } from '../view.ts';

type Sections = readonly (readonly [heading: string, text: string])[];

const prosePage = (title: string, description: string, sections: Sections): PageResult => ({
  kind: 'page',
  title,
  description,
  main: html`<h1>${title}</h1><p class="answer">${description}</p>${sections.map(([heading, text]) => html`<h2>${heading}</h2><p>${text}</p>`)}`,
});

/** How hours and costs are computed. */
export function methodPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  return prosePage(prose.methodTitle, prose.methodDescription, prose.methodSections);
}

/** What this is and who stands behind the data. */
export function aboutPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  return prosePage(prose.aboutTitle, prose.aboutDescription, prose.aboutSections);
}

/** What may be done with the data, and what is kept of visitors. */
export function termsPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  return prosePage(prose.termsTitle, prose.termsDescription, prose.termsSections);
}
