import {
  type DuckDBArrayType,
  type DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTableFunction,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

/** A column of a Parquet file: what it is called, what it means, and its value in a row. */
export type ParquetColumn<Row> = ValueColumn<Row> | ArrayColumn<Row>;

interface NamedColumn {
  name: string;
  /** For people; kept in the file. Says the unit and what null means. */
  description: string;
}

interface ValueColumn<Row> extends NamedColumn {
  type: DuckDBType;
  value(row: Row): DuckDBValue;
}

/** Lists of FLOAT of one length, for which going value by value would take most of the time. */
interface ArrayColumn<Row> extends NamedColumn {
  type: DuckDBArrayType;
  numbers: WriteNumbers<Row>;
}

/** Writes the numbers of a row into `out`, from a position on; false stands for null. */
type WriteNumbers<Row> = (row: Row, out: Float32Array, at: number) => boolean;

/** Most rows in a chunk that DuckDB takes. */
const CHUNK_ROWS = 2048;
/** Whole chunks, and few enough that a row group of wide rows takes some tens of megabytes. */
const ROW_GROUP_ROWS = 4 * CHUNK_ROWS;
/** 4 % less than DuckDB's own 3 for half as much time again; the next percent costs several times as much. */
const ZSTD_LEVEL = 9;

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
  const batches = columns.map((column) => ('numbers' in column ? new Arrays(column) : new Values(column)));
  const fill = (chunk: DuckDBDataChunk): void => {
    // A row is taken apart at once: 2,048 of them decoded would be more memory than all else.
    let size = 0;
    for (; size < CHUNK_ROWS; size++) {
      const { done, value } = source.next();
      if (done) break;
      for (const batch of batches) batch.take(value, size);
    }
    chunk.rowCount = size;
    count += size;
    if (size > 0) for (const [index, batch] of batches.entries()) batch.fill(chunk, index, size);
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
      `COPY (SELECT ${columns.map(selected).join(', ')} FROM rows_to_write()) TO ${quoted(path)} ` +
        `(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL ${ZSTD_LEVEL}, ` +
        `ROW_GROUP_SIZE ${ROW_GROUP_ROWS}, KV_METADATA {${pairs.join(', ')}})`,
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

/**
 * A column as it is written. Arrays become lists: of an array that is null DuckDB 1.5 writes as many nulls as it is
 * long, which other readers take for rows.
 */
const selected = <Row>(column: ParquetColumn<Row>): string =>
  'numbers' in column ? `"${column.name}"::FLOAT[] AS "${column.name}"` : `"${column.name}"`;

/** The values of a column in the rows of a chunk, one by one. */
class Values<Row> {
  readonly #values: DuckDBValue[] = new Array(CHUNK_ROWS);
  readonly #column: ValueColumn<Row>;

  constructor(column: ValueColumn<Row>) {
    this.#column = column;
  }

  take(row: Row, index: number): void {
    this.#values[index] = this.#column.value(row);
  }

  fill(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const vector = chunk.getColumnVector(column);
    for (let row = 0; row < rows; row++) vector.setItem(row, this.#values[row]);
    vector.flush();
  }
}

/** The same of a column of arrays of FLOAT: the numbers in one go, then which of them are null. */
class Arrays<Row> {
  readonly #column: ArrayColumn<Row>;
  readonly #length: number;
  readonly #numbers: Float32Array<ArrayBuffer>;
  readonly #missing: number[] = [];

  constructor(column: ArrayColumn<Row>) {
    this.#column = column;
    this.#length = column.type.length;
    this.#numbers = new Float32Array(CHUNK_ROWS * this.#length);
  }

  take(row: Row, index: number): void {
    if (this.#column.numbers(row, this.#numbers, index * this.#length)) return;
    this.#numbers.fill(0, index * this.#length, (index + 1) * this.#length);
    this.#missing.push(index);
  }

  fill(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const valid = new Validity(rows);
    const numbersValid = new Validity(rows * this.#length);
    for (const index of this.#missing) {
      valid.clear(index);
      for (let i = 0; i < this.#length; i++) numbersValid.clear(index * this.#length + i);
    }
    this.#missing.length = 0;
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
    const child = duckdb.array_vector_get_child(vector);
    duckdb.copy_data_to_vector(child, 0, this.#numbers.buffer, 0, 4 * rows * this.#length);
    numbersValid.copyTo(child);
    valid.copyTo(vector);
  }
}

/** Which items of a vector are there: a bit each, in words of 64, the lowest first. */
class Validity {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(items: number) {
    this.bytes = new Uint8Array(8 * Math.ceil(items / 64)).fill(255);
  }

  clear(index: number): void {
    this.bytes[index >> 3] &= ~(1 << (index & 7));
  }

  copyTo(vector: duckdb.Vector): void {
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, this.bytes.buffer, 0, this.bytes.length);
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
