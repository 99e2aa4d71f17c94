import { type Parameter, rulesOf } from '../../contract/parameter.ts';
import { type Html, html } from '../markup.ts';
import { type PageAsk, textsOf } from '../view.ts';

/** What was given and what would be right, a line for each wrong value, in the language of the page. */
export function wrongValues(
  ask: Pick<PageAsk, 'language'>,
  parameters: readonly Parameter[],
  wrong: readonly string[],
  query: string,
): Html {
  const { prose } = textsOf(ask);
  const given = new URLSearchParams(query);
  const lines = [...new Set(wrong)].map((name) => {
    const parameter = parameters.find((one) => one.name === name);
    const label = prose.parameterNames[name] ?? name;
    const value = given.getAll(name).join(', ').slice(0, 80);
    return html`<li>${prose.wrongValue(label, value)} ${parameter === undefined ? null : expected(ask, parameter)}</li>`;
  });
  return html`<ul>${lines}</ul>`;
}

function expected(ask: Pick<PageAsk, 'language'>, { schema, example }: Parameter): string {
  const { prose } = textsOf(ask);
  const { enum: words, minimum, maximum } = rulesOf(schema);
  if (words !== undefined) return prose.oneOf(words.join(', '));
  if (minimum !== undefined && maximum !== undefined) return prose.between(minimum, maximum);
  return prose.forExample(example);
}
