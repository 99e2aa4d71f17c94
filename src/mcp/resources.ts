import type { TSchema } from 'typebox';
import { OPERATIONS } from '../contract/operations.ts';
import type { Ask } from './ask.ts';

/** A text that an agent can read besides the tools. */
export interface Resource {
  name: string;
  uri: string;
  title: string;
  description: string;
  mimeType: string;
  /** The text of the resource. */
  read(): string | Promise<string>;
}

/**
 * The resources: method, glossary and credits.
 * @param method text of docs/method.md
 */
export function resourcesOf(method: string, ask: Ask): readonly Resource[] {
  return [
    {
      name: 'method',
      uri: 'hidamari://method',
      title: 'Method',
      description: 'How the hours of sun are found, how exact they are, and what they leave out.',
      mimeType: 'text/markdown',
      read: () => method,
    },
    {
      name: 'glossary',
      uri: 'hidamari://glossary',
      title: 'Glossary',
      description: 'Every member of the answers: what it says and what null means.',
      mimeType: 'text/markdown',
      read: glossary,
    },
    {
      name: 'credits',
      uri: 'hidamari://credits',
      title: 'Credits',
      description: 'Sources, licence and the line to print with the data.',
      mimeType: 'application/json',
      read: async () => creditsIn((await ask({ target: CREDITS_PATH, payment: null })).body),
    },
  ];
}

/** A short answer whose `meta` credits all halves of the dataset. */
const CREDITS_PATH = '/index.json';

/** The members of `meta` that credit the sources, as JSON. */
function creditsIn(body: string): string {
  const { meta = {} } = JSON.parse(body);
  const { attribution, license, source, data_through, generated_at, dataset_id } = meta;
  return JSON.stringify({ attribution, license, source, data_through, generated_at, dataset_id }, null, 1);
}

/** Names and descriptions of all members of the answers of tools, sorted by name. */
function glossary(): string {
  const members = new Map<string, string>();
  for (const { answer, tool } of OPERATIONS) {
    if (answer.form === 'envelope' && tool !== undefined) collect(answer.data, members);
  }
  const rows = [...members].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => `- \`${name}\`: ${text}`);
  return `# Members of the answers\n\n${rows.join('\n')}\n`;
}

/** Adds the descriptions of all members of a schema, by name. The first description of a name stays. */
function collect(schema: TSchema, members: Map<string, string>): void {
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: TSchema[];
  };
  for (const [name, member] of Object.entries(properties ?? {})) {
    const { description } = member as { description?: string };
    if (description !== undefined && !members.has(name)) members.set(name, description);
    collect(member, members);
  }
  if (items !== undefined) collect(items, members);
  for (const alternative of anyOf ?? []) collect(alternative, members);
}
