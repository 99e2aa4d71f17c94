import { type Fragment, type Html, html, unbroken } from './markup.ts';

/** A column of a table: its heading, and the content of its cells. */
export interface Column<Row> {
  name: string;
  /** Classes of the heading and of all cells, such as `number`. */
  className?: string;
  /** True when the rows are in descending order of this column. */
  isSorted?: boolean;
  content: (row: Row) => Fragment;
  /** Further classes of a cell. */
  cellClass?: (row: Row) => string;
}

/** A column of numbers. */
export const numberColumn = <Row>(name: string, content: (row: Row) => Fragment): Column<Row> => ({
  name,
  className: 'number',
  content,
});

/** The name of a table: a caption for everybody, or a label only for screen readers. */
type TableName = { caption: string } | { label: string };

/**
 * An HTML table. The cells of the first column are the headings of the rows. Each other cell has the name of its column
 * as `data-label`: on small screens this name is shown in the cell.
 * @param rowData values of `data-` attributes of a row, by name
 */
export function table<Row>(
  name: TableName,
  className: string,
  [first, ...others]: readonly [Column<Row>, ...Column<Row>[]],
  rows: readonly Row[],
  rowData: (row: Row) => Readonly<Record<string, string | number>> = () => ({}),
): Html {
  const cell = (row: Row, column: Column<Row>): Html =>
    html`<td${classes(column.className, column.cellClass?.(row))} data-label="${column.name}">${joined(column.content(row))}</td>`;
  const body = rows.map((row) => {
    const data = Object.entries(rowData(row)).map(([key, value]) => html` data-${key}="${value}"`);
    return html`<tr${data}><th scope="row">${joined(first.content(row))}</th>${others.map((column) => cell(row, column))}</tr>`;
  });
  const label = 'label' in name ? html` aria-label="${name.label}"` : null;
  const caption = 'caption' in name ? html`<caption>${name.caption}</caption>` : null;
  return html`<table${classes(className)}${label}>${caption}
<thead><tr>${[first, ...others].map(heading)}</tr></thead>
<tbody>${body}</tbody></table>`;
}

/** Text in which numbers keep their units; anything else as it is. */
const joined = (content: Fragment): Fragment => (typeof content === 'string' ? unbroken(content) : content);

/** The heading of a column. */
const heading = ({ name, className, isSorted = false }: Omit<Column<never>, 'content'>): Html =>
  html`<th scope="col"${classes(className)}${isSorted ? html` aria-sort="descending"` : null}>${unbroken(name)}</th>`;

/** The `class` attribute with some classes; null when there is none. */
function classes(...names: readonly (string | undefined)[]): Fragment {
  const all = names.filter(Boolean).join(' ');
  return all === '' ? null : html` class="${all}"`;
}
