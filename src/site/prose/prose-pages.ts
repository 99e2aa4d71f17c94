import { examplesOf, type Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { fillPath } from '../../contract/parameter.ts';
import type { PaymentMethod } from '../../contract/pricing.ts';
import type { HalfManifest, Manifest } from '../../snapshot/manifest.ts';
import { contractOf, exampleValues } from '../example-urls.ts';
import { type Html, html, scrolling, unbroken } from '../markup.ts';
import { numberColumn, table } from '../table.ts';
import { fileLink, type PageAsk, type PageResult, type PageView, pageLink, sentenceGap, textsOf } from '../view.ts';

type Sections = readonly (readonly [heading: string, text: string])[];

/** A page of text: its title, a first paragraph, and sections under headings. */
const prosePage = (title: string, description: string, sections: Sections): PageView => ({
  kind: 'page',
  title,
  description,
  main: html`<h1>${title}</h1><p class="answer">${description}</p>${sections.map(([heading, text]) => html`<h2>${heading}</h2><p>${unbroken(text)}</p>`)}`,
});

/** The computation of hours and costs. */
export function methodPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  return prosePage(prose.methodTitle, prose.methodDescription, prose.methodSections);
}

/** The service and the owners of the data. */
export function aboutPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const { sunlight, kaigo } = ask.dataset.manifest.halves;
  const used = {
    city: sunlight !== null,
    towns: (sunlight?.counts.towns ?? 0) > 0,
    // Japan Post publishes the readings of towns.
    readings: sunlight?.sources.some(({ url }) => url.includes('japanpost')) ?? false,
    care: kaigo !== null,
  };
  const [purpose, ...others] = prose.aboutSections;
  const sections: Sections = [purpose, prose.aboutData(used), ...others];
  const page = prosePage(prose.aboutTitle, prose.aboutDescription, sections);
  return { ...page, main: html`${page.main}${inputsTable(ask)}` };
}

/** The files of the dataset by their host, and a link to the whole list. */
function inputsTable(ask: PageAsk): Html {
  const { prose } = textsOf(ask);
  const byHost = Map.groupBy(ask.dataset.manifest.inputs, ({ url }) => (url === null ? null : new URL(url).host));
  const hosts = table<[host: string | null, files: Manifest['inputs']]>(
    { label: prose.inputsTitle },
    'rows',
    [
      { name: prose.inputsFrom, content: ([host]) => host ?? prose.inputsLocal },
      numberColumn(prose.inputsFiles, ([, files]) => files.length.toLocaleString('en')),
      { name: prose.inputsEditions, content: ([, files]) => latestEditions(files).join(', ') || '—' },
      { name: prose.inputsFetched, content: ([, files]) => fetchedDays(files).join(' – ') || '—' },
    ],
    [...byHost],
  );
  const list = html`<a href="${fileLink(ask, '/inputs.json')}">${prose.inputsList}</a>`;
  const changes = html`<a href="${pageLink(ask, '/changes/')}">${prose.changesTitle}</a>`;
  return html`<h2>${prose.inputsTitle}</h2><p>${prose.inputsText}</p>${hosts}<p>${list} · ${changes}</p>`;
}

/** The three latest editions of files. */
const latestEditions = (files: Manifest['inputs']): string[] =>
  [...new Set(files.flatMap(({ edition }) => edition ?? []))].sort().slice(-3);

/** The first and the last day on which files were fetched. */
function fetchedDays(files: Manifest['inputs']): string[] {
  const days = files.flatMap(({ fetched_at }) => fetched_at?.slice(0, 10) ?? []).sort();
  return [...new Set([...days.slice(0, 1), ...days.slice(-1)])];
}

/** The terms of the data, and what is stored about visitors. */
export function termsPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const { baseMap } = ask;
  // The host of the tiles. A URL cannot be read with the braces of its {z}, {x} and {y}.
  const outside =
    baseMap === null ? prose.termsNobodyElse : prose.termsBaseMap(new URL(baseMap.tiles.replace(/[{}]/g, '')).host);
  return prosePage(prose.termsTitle, prose.termsDescription, [...prose.termsSections, outside]);
}

/** The API for people: a first call, a request builder with the live answer, every operation. */
export function docsPage(ask: PageAsk): PageResult {
  if (ask.isStatic) return filesPage(ask);
  const { prose, frame } = textsOf(ask);
  const operations = contractOf(ask.dataset).operations.filter(
    ({ path, section }) => path.startsWith('/api/') && (section === 'site' || ask.dataset[section] !== null),
  );
  const first = operations[0];
  const values = exampleValues(ask.dataset);
  const examplePath = fillPath(first.path, valuesOf(first, values));
  return {
    kind: 'page',
    title: prose.docsTitle,
    description: prose.docsDescription,
    scripts: ['request-builder.js'],
    main: html`<h1>${prose.docsTitle}</h1><p class="answer">${prose.docsLead}</p>
<h2>${prose.docsFirst}</h2><p>${prose.docsFirstText}</p><pre><code>curl -s ${breakable(ask.siteUrl + examplePath)}</code></pre>
<h2>${prose.docsTry}</h2><p>${prose.docsTryText}</p><noscript><p class="note">${prose.docsTryNoScript}</p></noscript>${requestForm(ask, operations, values)}
<h2>${prose.docsOperations}</h2>${operations.map((operation) => described(ask, operation))}
<h2>${prose.docsDownloads}</h2><p>${prose.docsDownloadsText}</p>${downloadLinks(ask, '/openapi.json')}
<h2>${prose.docsLimits}</h2><p>${prose.docsLimitsText}${sentenceGap({ frame })}<a href="${pageLink(ask, '/pricing/')}">${prose.pricingTitle}</a> · <a href="${pageLink(ask, '/problems/')}">${prose.problemsTitle}</a></p>
<h2>${prose.docsAgents}</h2><p>${prose.docsAgentsText}</p>${assistants(ask)}
<p>${prose.docsAgentsMore}${sentenceGap({ frame })}<a href="${fileLink(ask, '/llms.txt')}">/llms.txt</a> · <a href="${fileLink(ask, '/llms-full.txt')}">/llms-full.txt</a></p>`,
  };
}

/** Links to the lists of towns and of municipalities, as far as the dataset has them, and to one other file. */
function downloadLinks(ask: PageAsk, other: string): Html {
  const { sunlight, kaigo } = ask.dataset;
  const paths = [sunlight && '/sunlight/towns.json', kaigo && '/kaigo/municipalities.json', other];
  return html`<ul>${paths.map((path) => path && html`<li><a href="${fileLink(ask, path)}">${path}</a></li>`)}</ul>`;
}

/** The page about the files of a static export, which has no API. */
function filesPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const { dataset, siteUrl } = ask;
  const { building_id, facility_id } = { ...exampleValues(dataset).sunlight, ...exampleValues(dataset).kaigo };
  const call = dataset.sunlight === null ? `facility('${facility_id}')` : `full('${building_id}')`;
  const code = `import { StaticClient } from '${siteUrl}/client/static-client.js';
const files = await StaticClient.open('${siteUrl}');
const answer = JSON.parse(await files.${call});`;
  return {
    kind: 'page',
    title: prose.filesTitle,
    description: prose.filesLead,
    main: html`<h1>${prose.filesTitle}</h1><p class="answer">${prose.filesLead}</p>
<h2>${prose.docsDownloads}</h2><p>${prose.docsDownloadsText}</p>${downloadLinks(ask, '/inputs.json')}
<h2>${prose.filesClient}</h2><p>${prose.filesClientText}</p><pre><code>${code}</code></pre>`,
  };
}

/** How to add the server to the usual assistants; docs/agents.md has more. */
function assistants({ siteUrl, language }: PageAsk): Html {
  const { prose } = textsOf({ language });
  const url = `${siteUrl}/mcp`;
  const ways = [
    ['Claude Code', `claude mcp add --transport http hidamari ${url}`],
    [`Claude, ChatGPT: ${prose.docsConnector}`, url],
    ['Cursor: ~/.cursor/mcp.json', JSON.stringify({ mcpServers: { hidamari: { url } } })],
    ['VS Code: .vscode/mcp.json', JSON.stringify({ servers: { hidamari: { type: 'http', url } } })],
  ];
  return html`<dl class="facts">${ways.map(([name, how]) => html`<dt>${name}</dt><dd><code>${how}</code></dd>`)}</dl>`;
}

/** A path that may break only after each of its parts. */
const breakable = (path: string): Html[] =>
  path.split(/(?=\/)/).map((part) => html`<wbr><span class="nowrap">${part}</span>`);

type Values = ReturnType<typeof exampleValues>;

/** Values of an operation's example; those of the dataset replace its names. */
const valuesOf = (operation: Operation, values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(examplesOf(operation)[0] ?? {}).map(([name, value]) => [
      name,
      values[operation.section][name] ?? value,
    ]),
  );

/**
 * The form that makes a request and shows its answer, with fields for each operation. Only a script can put their
 * values into the path: the style hides the form without scripts.
 */
function requestForm(ask: PageAsk, operations: readonly Operation[], values: Values): Html {
  const { prose } = textsOf(ask);
  const option = ({ id, path }: Operation): Html =>
    html`<option value="${id}" data-path="${path}">${prose.operationNames[id]}</option>`;
  const fields = (operation: Operation): Html[] =>
    operation.parameters.map(({ name, required, in: place }) => {
      const value = valuesOf(operation, values)[name] ?? '';
      return html`<label class="field">${name}${required ? ' *' : ''}<input name="${name}" data-in="${place}" value="${value}" autocomplete="off"></label>`;
    });
  const fieldset = (operation: Operation, i: number): Html =>
    html`<fieldset data-operation="${operation.id}"${i === 0 ? null : html` hidden`}><legend class="visually-hidden">${prose.operationNames[operation.id]}</legend>${fields(operation)}</fieldset>`;
  return html`<form id="request" class="card" data-base="${fileLink(ask, '')}">
<label class="field">${prose.operation}<select name="operation">${operations.map(option)}</select></label>
${operations.map(fieldset)}
<p><button>${prose.docsSend}</button> <code id="request-url"></code></p></form><div aria-live="polite"><pre id="request-answer" tabindex="0" aria-label="${prose.docsAnswer}" hidden></pre></div>`;
}

/** An operation with its path, its cost units, and its parameters. The descriptions of the contract are English. */
function described(ask: PageAsk, { id, path, description, parameters, costUnits }: Operation): Html {
  const { prose } = textsOf(ask);
  const meanings = parameters.map(
    ({ name, description: meaning, example }) =>
      html`<dt><code>${name}</code></dt><dd>${meaning.replaceAll('`', '')} <code>${unbroken(example)}</code></dd>`,
  );
  return html`<details id="${id}"><summary>${prose.operationNames[id]} <small><code>GET ${breakable(path)}</code></small></summary>
<p>${prose.units} ${costUnits}</p>
<div lang="en"><p>${description.replaceAll('`', '')}</p>${meanings.length === 0 ? null : html`<dl class="facts">${meanings}</dl>`}</div></details>`;
}

/** What calls cost and how to pay. */
export function pricingPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const { unit_price } = ask.pricing;
  const sections = new Map(OPERATIONS.map(({ path, section }) => [path, section]));
  const operations = ask.pricing.operations.filter(({ path }) => {
    const section = sections.get(path) ?? 'site';
    return section === 'site' || ask.dataset[section] !== null;
  });
  const lead = unit_price === null ? prose.pricingFree : prose.pricingPaid(unit_price);
  const prices = table<(typeof operations)[number]>(
    { label: prose.pricingTitle },
    'rows',
    [
      {
        name: prose.operation,
        content: ({ path, summary }) => {
          const id = OPERATIONS.find((operation) => operation.path === path)?.id ?? '';
          return html`${prose.operationNames[id] ?? summary}<small><code>${breakable(path)}</code></small>`;
        },
      },
      numberColumn(prose.units, ({ cost_units }) => cost_units),
      numberColumn(prose.price, ({ payment_methods: [method] }) =>
        method?.amount === undefined
          ? prose.free
          : `${Number(method.amount) / 10 ** (method.asset_decimals ?? 0)} ${method.asset_name ?? ''}`,
      ),
    ],
    operations,
  );
  const [method] = operations.flatMap(({ payment_methods }) => payment_methods);
  return {
    kind: 'page',
    title: prose.pricingTitle,
    description: lead,
    main: html`<h1>${prose.pricingTitle}</h1><p class="answer">${lead}</p>${scrolling(prose.pricingTitle, prices)}${method === undefined ? '' : howToPay(prose.howToPay, method)}`,
  };
}

/** The facts that a payer needs before the first call. The 402 of each call has the same for programs. */
function howToPay(title: string, { network, asset, asset_name, pay_to, scheme }: PaymentMethod) {
  const facts = [
    ['x402', scheme],
    ['network', network],
    [asset_name ?? 'asset', asset],
    ['pay_to', pay_to],
    ['header', 'PAYMENT-SIGNATURE'],
  ];
  const rows = facts.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td><code>${value ?? ''}</code></td></tr>`,
  );
  return html`<h2>${title}</h2>${scrolling(title, html`<table aria-label="${title}"><tbody>${rows}</tbody></table>`)}`;
}

/** The state of the service for people: its health, the date of the data, and announced changes. */
export function statusPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const { manifest } = ask.dataset;
  const { isDamaged, isDraining } = ask.state;
  const health = isDamaged ? prose.statusDamaged : prose.statusGood;
  const state = isDraining ? prose.statusDraining : health;
  const ending = OPERATIONS.flatMap(({ path, deprecated }) =>
    deprecated === undefined
      ? []
      : html`<li><code>${path}</code> <a href="${deprecated.link}">${prose.statusEnds(deprecated.until)}</a></li>`,
  );
  return {
    kind: 'page',
    title: prose.statusTitle,
    description: state,
    main: html`<h1>${prose.statusTitle}</h1><p class="answer">${state}</p>
<h2>${prose.statusData}</h2><dl class="facts">
<dt>${prose.statusBuilt}</dt><dd><time datetime="${manifest.generated_at}">${manifest.generated_at.slice(0, 10)}</time></dd>
<dt>${prose.statusDataset}</dt><dd><code>${manifest.dataset_id}</code></dd></dl>
${half(ask, prose.statusSunlight, manifest.halves.sunlight)}${half(ask, prose.statusCare, manifest.halves.kaigo)}
<h2>${prose.statusInterface}</h2><p>${prose.statusPromise}</p>
${ending.length === 0 ? html`<p>${prose.statusNothingEnds}</p>` : html`<ul>${ending}</ul>`}
<h2>${prose.statusMore}</h2><ul>
<li><a href="${pageLink(ask, '/changes/')}">${prose.changesTitle}</a></li>
<li><a href="${fileLink(ask, '/changes.atom')}">${prose.statusFeed}</a></li>
<li><a href="${fileLink(ask, '/readyz')}">/readyz</a></li>
<li><a href="${pageLink(ask, '/problems/')}">${prose.problemsTitle}</a></li></ul>`,
  };
}

/** A half of the data: its contents, and its sources with their dates. */
function half(ask: PageAsk, name: string, manifest: HalfManifest | null): Html {
  const { prose, frame } = textsOf(ask);
  if (manifest === null) return html`<h3>${name}</h3><p>${prose.statusNotLoaded}</p>`;
  return html`<h3>${name}</h3><ul>${manifest.sources.map(({ name: source, url, date }) => html`<li><a href="${url}">${source}</a> (${date ?? frame.dataUndated})</li>`)}</ul>`;
}
