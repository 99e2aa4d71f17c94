import type { TSchema, TUnsafe } from 'typebox';
import { ANSWERED, type AnswerGroup, type AnswerMembers, type AttributeKind } from '../building/attributes.ts';
import { openEnum, orNull } from './fields.ts';
import { Type } from './schema.ts';

type Members<Group extends AnswerGroup> = {
  [Name in keyof AnswerMembers<Group>]: TUnsafe<AnswerMembers<Group>[Name]>;
};

/** The members of an answer that are attributes of a building, in the order of the attribute table. */
export function attributeMembers<Group extends AnswerGroup>(group: Group): Members<Group> {
  const members: Record<string, TSchema> = {};
  for (const row of ANSWERED) {
    const { name, description, unknown, example } = row.answer;
    if (row.answer.group !== group) continue;
    if (row.kind === 'code' && row.named !== undefined) {
      const { values, ...named } = row.named;
      const exampleName = values.find(({ code }) => code === example)?.name ?? null;
      const names = openEnum<string>(
        values.map(({ name }) => name),
        named.description,
        { examples: [exampleName] },
      );
      members[named.name] = orNull(names, named.unknown);
    }
    const value = valueSchema(row, description, example);
    members[name] = unknown === undefined ? value : orNull(value, unknown);
  }
  return members as Members<Group>;
}

function valueSchema(row: AttributeKind, description: string, example: unknown): TSchema {
  const examples = example !== undefined && { examples: [example] };
  const options = { description, ...examples };
  switch (row.kind) {
    case 'code':
      return Type.String(options);
    case 'number':
      return Type.Number({ minimum: row.least, ...options });
    case 'count':
      return Type.Integer({ minimum: row.least, ...options });
    case 'choice': {
      const values = row.choices.map(({ value }) => value);
      const numbers = values.filter((value) => typeof value === 'number');
      if (numbers.length > 0) {
        return Type.Integer({ minimum: Math.min(...numbers), maximum: Math.max(...numbers), ...options });
      }
      return values.includes(true)
        ? Type.Boolean(options)
        : openEnum<string>(values.map(String), description, { ...examples });
    }
    case 'date':
      return Type.String({ pattern: '^\\d{4}(-\\d{2}-\\d{2})?$', ...options });
  }
}
