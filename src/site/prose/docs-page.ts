import { type Operation, requestTarget } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { exampleValues } from '../example-urls.ts';
import { type Html, html } from '../markup.ts';
import { fileLink, type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';

/** The API for people: a first call, a request builder with the live answer, every operation. */
export function docsPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const operations: readonly Operation[] = OPERATIONS.filter(
    ({ path, half }) => path.startsWith('/api/') && (half === 'site' || ask.dataset[half] !== null),
  );
  const first = operations[0];
  const values = exampleValues(ask.dataset);
  const example = fileLink(ask, requestTarget(first, valuesOf(first, values)));
  return {
    kind: 'page',
    title: prose.docsTitle,
    description: prose.docsDescription,
    scripts: ['request-builder.js'],
    main: html`<h1>${prose.docsTitle}</h1><p class="answer">${prose.docsLead}</p>
<h2>${prose.docsFirst}</h2><p>${prose.docsFirstText}</p><pre><code>curl -s ${ask.siteUrl}${example.slice(fileLink(ask, '').length)}</code></pre>
<h2>${prose.docsTry}</h2><p>${prose.docsTryText}</p>${builder(ask, operations, values)}
<h2>${prose.docsOperations}</h2>${operations.map((operation) => described(ask, operation))}
<h2>${prose.docsDownloads}</h2><p>${prose.docsDownloadsText}</p><ul>${[...(ask.dataset.sunlight === null ? [] : ['/sunlight/towns.json']), ...(ask.dataset.kaigo === null ? [] : ['/kaigo/municipalities.json']), '/openapi.json'].map((path) => html`<li><a href="${fileLink(ask, path)}">${path}</a></li>`)}</ul>
<h2>${prose.docsLimits}</h2><p>${prose.docsLimitsText} <a href="${pageLink(ask, '/pricing/')}">${prose.pricingTitle}</a> · <a href="${pageLink(ask, '/problems/')}">${prose.problemsTitle}</a></p>
<h2>${prose.docsAgents}</h2><p>${prose.docsAgentsText}</p>`,
  };
}

type Values = ReturnType<typeof exampleValues>;

/** Values of an operation's example, those that name something as the dataset has them. */
const valuesOf = ({ examples, half }: Operation, values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(examples[0]?.parameters ?? {}).map(([name, value]) => [name, values[half][name] ?? String(value)]),
  );

/** Fields for each operation; without scripts the form opens the answer itself. */
function builder(ask: PageAsk, operations: readonly Operation[], values: Values): Html {
  const { prose } = textsOf(ask);
  return html`<form id="request" class="card" data-base="${fileLink(ask, '')}"><label class="field">${prose.operation}<select name="operation">${operations.map(({ id, path }) => html`<option value="${id}" data-path="${path}">${prose.operationNames[id]}</option>`)}</select></label>
${operations.map((operation, i) => html`<fieldset data-operation="${operation.id}"${i === 0 ? null : html` hidden`}><legend class="visually-hidden">${prose.operationNames[operation.id]}</legend>${operation.parameters.map((parameter) => html`<label class="field">${parameter.name}${parameter.required ? ' *' : ''}<input name="${parameter.name}" data-in="${parameter.in}" value="${valuesOf(operation, values)[parameter.name] ?? ''}" autocomplete="off"></label>`)}</fieldset>`)}
<p><button>${prose.docsSend}</button> <code id="request-url"></code></p></form><div aria-live="polite"><pre id="request-answer" tabindex="0" aria-label="${prose.docsAnswer}" hidden></pre></div>`;
}

function described(ask: PageAsk, { id, path, description, parameters, costUnits }: Operation): Html {
  const { prose } = textsOf(ask);
  return html`<details id="${id}"><summary>${prose.operationNames[id]} <small><code>GET ${path}</code></small></summary><p>${prose.units} ${costUnits}</p><div lang="en"><p>${description.replaceAll('`', '')}</p>${parameters.length === 0 ? null : html`<dl class="facts">${parameters.map(({ name, description: meaning, example }) => html`<dt><code>${name}</code></dt><dd>${meaning.replaceAll('`', '')} <code>${example}</code></dd>`)}</dl>`}</div></details>`;
}
