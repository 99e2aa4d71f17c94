import {
  type DuckDBArrayType,
  type DuckDBDataChunk,
  DuckDBDoubleType,
  DuckDBInstance,
  DuckDBTableFunction,
  type DuckDBType,
  type DuckDBValue,
  DuckDBVarCharType,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

/** Most rows in a chunk of DuckDB. */
const CHUNK_ROWS = 2048;

/** A column of a Parquet file: its name, its meaning, and its value in a row. */
export type ParquetColumn<Row> = ColumnValues<Row> & {
  name: string;
  /** For people; stored in the file. States the unit and the meaning of null. */
  description: string;
};

/** Whole chunks, and few enough rows that a row group of wide rows takes some tens of megabytes. */
const ROW_GROUP_ROWS = 4 * CHUNK_ROWS;
/**
 * Files are 4 % smaller than with DuckDB's default of 3 and take half as much time again. The next percent costs
 * several times as much.
 */
const ZSTD_LEVEL = 9;

/**
 * Writes rows as one Parquet file with zstd compression. Rows are read one at a time and not kept. The same rows give
 * the same bytes.
 * @param metadata keys and values to store in the file
 * @returns the number of rows
 * @throws what `rows` throws, and DuckDB's error when the file cannot be written
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
  const batches = columns.map((column) => batchOf<Row>(column));
  const fill = (chunk: DuckDBDataChunk): void => {
    // Take the values of each row at once: 2,048 decoded rows would need more memory than everything else.
    let size = 0;
    for (; size < CHUNK_ROWS; size++) {
      const { done, value } = source.next();
      if (done) break;
      for (const batch of batches) batch.take(value, size);
    }
    chunk.rowCount = size;
    count += size;
    if (size > 0) for (const [column, batch] of batches.entries()) batch.copyTo(chunk, column, size);
  };
  // One thread, so that rows keep their order and row groups their size.
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
 * A column in the query that writes it. Arrays are cast to lists: DuckDB 1.5 writes a null array as several nulls,
 * which other readers take for rows. For the same reason a column of single values has lists, not arrays.
 */
const selected = <Row>(column: ParquetColumn<Row>): string =>
  'numbers' in column ? `"${column.name}"::FLOAT[] AS "${column.name}"` : `"${column.name}"`;

/** A text as a literal of SQL. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** How to get the values of a column from a row. */
type ColumnValues<Row> = SingleValues<Row> | ArrayValues<Row>;

/** Values of a type of DuckDB. */
interface SingleValues<Row> {
  type: DuckDBType;
  value(row: Row): DuckDBValue;
}

/**
 * Arrays of FLOAT of one length. Their numbers are written directly, because passing them one by one would take most of
 * the time.
 */
interface ArrayValues<Row> {
  type: DuckDBArrayType;
  numbers: WriteNumbers<Row>;
}

/** Writes the numbers of a row to `out[at]`…; returns false for null. */
type WriteNumbers<Row> = (row: Row, out: Float32Array, at: number) => boolean;

/** Collects the values of a column for one chunk. */
interface Batch<Row> {
  /** Collects the value of a row. `index` is its position in the chunk. */
  take(row: Row, index: number): void;
  /** Copies the collected values to a column of the chunk. The next chunk begins without them. */
  copyTo(chunk: DuckDBDataChunk, column: number, rows: number): void;
}

/**
 * Makes the batch of a column. Texts and numbers bypass the vectors of DuckDB's package, which are slow: they keep
 * nulls as big integers and make an object for each row.
 */
function batchOf<Row>(column: ColumnValues<Row>): Batch<Row> {
  if ('numbers' in column) return new Arrays(column);
  if (column.type instanceof DuckDBVarCharType) return new Texts(column);
  if (column.type instanceof DuckDBDoubleType) return new Numbers(column);
  return new Values(column);
}

/** Values of any type, passed one by one. */
class Values<Row> implements Batch<Row> {
  readonly #values: DuckDBValue[] = new Array(CHUNK_ROWS);
  readonly #column: SingleValues<Row>;

  constructor(column: SingleValues<Row>) {
    this.#column = column;
  }

  take(row: Row, index: number): void {
    this.#values[index] = this.#column.value(row);
  }

  copyTo(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const vector = chunk.getColumnVector(column);
    for (let row = 0; row < rows; row++) vector.setItem(row, this.#values[row]);
    vector.flush();
  }
}

/** Texts, passed one by one. */
class Texts<Row> implements Batch<Row> {
  readonly #texts: (string | null)[] = new Array(CHUNK_ROWS);
  readonly #column: SingleValues<Row>;
  readonly #valid = new Validity(CHUNK_ROWS);

  constructor(column: SingleValues<Row>) {
    this.#column = column;
  }

  take(row: Row, index: number): void {
    this.#texts[index] = this.#column.value(row) as string | null;
  }

  copyTo(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
    for (let row = 0; row < rows; row++) {
      const text = this.#texts[row];
      if (text === null) this.#valid.clear(row);
      else duckdb.vector_assign_string_element(vector, row, text);
    }
    this.#valid.copyTo(vector, rows);
  }
}

/** Numbers of type DOUBLE. */
class Numbers<Row> implements Batch<Row> {
  readonly #numbers = new Float64Array(CHUNK_ROWS);
  readonly #column: SingleValues<Row>;
  readonly #valid = new Validity(CHUNK_ROWS);

  constructor(column: SingleValues<Row>) {
    this.#column = column;
  }

  take(row: Row, index: number): void {
    const number = this.#column.value(row) as number | null;
    // Readers pass over the number in the place of a null.
    this.#numbers[index] = number ?? 0;
    if (number === null) this.#valid.clear(index);
  }

  copyTo(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
    duckdb.copy_data_to_vector(vector, 0, this.#numbers.buffer, 0, 8 * rows);
    this.#valid.copyTo(vector, rows);
  }
}

/** Arrays of one length, copied together. */
class Arrays<Row> implements Batch<Row> {
  readonly #column: ArrayValues<Row>;
  readonly #length: number;
  readonly #numbers: Float32Array<ArrayBuffer>;
  /** Which arrays are not null, and which of their numbers. */
  readonly #valid = new Validity(CHUNK_ROWS);
  readonly #numbersValid: Validity;

  constructor(column: ArrayValues<Row>) {
    this.#column = column;
    this.#length = column.type.length;
    this.#numbers = new Float32Array(CHUNK_ROWS * this.#length);
    this.#numbersValid = new Validity(CHUNK_ROWS * this.#length);
  }

  /** Stores the array of a row, or marks it and its numbers as null. */
  take(row: Row, index: number): void {
    const at = index * this.#length;
    const isWritten = this.#column.numbers(row, this.#numbers, at);
    if (isWritten) return;
    this.#valid.clear(index);
    for (let i = at; i < at + this.#length; i++) {
      this.#numbers[i] = 0;
      this.#numbersValid.clear(i);
    }
  }

  /** Copies the stored arrays to a vector, and their numbers to the vector below it; to each, which items are null. */
  copyTo(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
    const child = duckdb.array_vector_get_child(vector);
    duckdb.copy_data_to_vector(child, 0, this.#numbers.buffer, 0, 4 * rows * this.#length);
    this.#numbersValid.copyTo(child, rows * this.#length);
    this.#valid.copyTo(vector, rows);
  }
}

/** Which items of a vector are not null: one bit for each, in words of 64 bits, lowest bit first. */
class Validity {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #hasNoNull = true;

  constructor(items: number) {
    this.#bytes = new Uint8Array(8 * Math.ceil(items / 64)).fill(255);
  }

  /** Marks an item as null. */
  clear(index: number): void {
    this.#bytes[index >> 3] &= ~(1 << (index & 7));
    this.#hasNoNull = false;
  }

  /** Tells a vector which of its first items are null. Afterwards all items count as not null again. */
  copyTo(vector: duckdb.Vector, items: number): void {
    if (this.#hasNoNull) return;
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, this.#bytes.buffer, 0, 8 * Math.ceil(items / 64));
    this.#bytes.fill(255);
    this.#hasNoNull = true;
  }
}
