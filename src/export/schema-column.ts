import { BOOLEAN, DOUBLE, type DuckDBType, INTEGER, VARCHAR } from '@duckdb/node-api';
import type { TSchema } from 'typebox';
import { valueKeywords } from '../contract/schema.ts';

/** The DuckDB type of a column by the JSON type of its values. A list is one text, with spaces between its items. */
const COLUMN_TYPES: Readonly<Record<string, DuckDBType>> = {
  string: VARCHAR,
  number: DOUBLE,
  integer: INTEGER,
  boolean: BOOLEAN,
  array: VARCHAR,
};

/** The type of the column of a single value. */
export const columnType = (schema: TSchema): DuckDBType => COLUMN_TYPES[valueKeywords(schema).type ?? ''];
