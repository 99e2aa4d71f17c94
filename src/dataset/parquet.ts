import {
  type DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTableFunction,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';

/** A column of a Parquet file: what it is called, what it means, and its value in a row. */
export interface ParquetColumn<Row> {
  name: string;
  /** For people; kept in the file. Says the unit and what null means. */
  description: string;
  type: DuckDBType;
  value(row: Row): DuckDBValue;
}

/** Most rows in a chunk that DuckDB takes. */
const CHUNK_ROWS = 2048;
/** Whole chunks, and few enough that a row group of wide rows fits some tens of megabytes. */
const ROW_GROUP_ROWS = 10 * CHUNK_ROWS;

/**
 * Writes rows as one Parquet file, compressed with zstd, in the order in which they come; they are taken as they
 * are needed and not kept. `metadata` goes into the file as key and value. The same rows give the same bytes.
 * Returns the number of rows. Throws what `rows` throws, and DuckDB's error when the file cannot be written.
 */
export async function writeParquet<Row>(
  path: string,
  columns: readonly ParquetColumn<Row>[],
  rows: Iterable<Row>,
  metadata: Readonly<Record<string, string>>,
): Promise<number> {
  const source = rows[Symbol.iterator]();
  let count = 0;
  let failure: unknown = null;
  const fill = (chunk: DuckDBDataChunk): void => {
    const batch: Row[] = [];
    for (let next = source.next(); !next.done; next = source.next()) {
      if (batch.push(next.value) === CHUNK_ROWS) break;
    }
    chunk.rowCount = batch.length;
    count += batch.length;
    if (batch.length === 0) return;
    for (const [index, column] of columns.entries()) {
      const vector = chunk.getColumnVector(index);
      for (let row = 0; row < batch.length; row++) vector.setItem(row, column.value(batch[row]!));
      vector.flush();
    }
  };
  // One thread: rows keep their order and row groups their size.
  const database = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await database.connect();
  try {
    connection.registerTableFunction(
      DuckDBTableFunction.create({
        name: 'rows_to_write',
        bindFunction: (bind) => {
          for (const { name, type } of columns) bind.addResultColumn(name, type);
        },
        initFunction: (init) => init.setMaxThreads(1),
        mainFunction: (info, chunk) => {
          try {
            fill(chunk);
          } catch (error) {
            failure = error;
            info.setError((error as Error).message);
          }
        },
      }),
    );
    const pairs = Object.entries(metadata).map(([key, value]) => `${quoted(key)}: ${quoted(value)}`);
    await connection.run(
      `COPY (SELECT * FROM rows_to_write()) TO ${quoted(path)} ` +
        `(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}, KV_METADATA {${pairs.join(', ')}})`,
    );
  } catch (error) {
    throw failure ?? error;
  } finally {
    connection.closeSync();
    database.closeSync();
    source.return?.();
  }
  return count;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
