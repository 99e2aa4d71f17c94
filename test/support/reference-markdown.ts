import { type Operation, SECTIONS } from '../../src/contract/operation.ts';

/** The tables of operations in docs/api.md, made from the contract. A test compares them, and rewrites them on request. */
export function operationTables(operations: readonly Operation[]): string {
  return Object.entries(SECTIONS)
    .map(([section, { title }]) => {
      const rows = operations.filter((operation) => operation.section === section).map(operationRow);
      return `### ${title}\n\n${table(['GET', 'answer', 'parameters', 'units'], rows)}\n`;
    })
    .join('\n');
}

function operationRow({ path, summary, parameters, costUnits, costPer }: Operation): string[] {
  const names = parameters
    .filter(({ name }) => !path.includes(`{${name}}`))
    .map(({ name, required }) => `\`${name}\`${required ? '\\*' : ''}`);
  const more = parameters.flatMap(({ name, moreUnits }) =>
    moreUnits === undefined ? [] : `, +${moreUnits} with \`${name}\``,
  );
  const units = `${costUnits}${costPer === undefined ? '' : ' each'}${more.join('')}`;
  return [`\`${path}\``, summary, names.join(' '), costUnits === 0 ? '' : units];
}

/** A Markdown table; `|` in cells is escaped. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}
