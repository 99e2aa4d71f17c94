import {
  type DuckDBArrayType,
  type DuckDBDataChunk,
  DuckDBDoubleType,
  type DuckDBType,
  type DuckDBValue,
  DuckDBVarCharType,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

/** How to get the values of a column from a row. */
export type ColumnValues<Row> = SingleValues<Row> | ArrayValues<Row>;

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

/** Most rows in a chunk of DuckDB. */
export const CHUNK_ROWS = 2048;

/** Collects the values of a column for one chunk. */
interface Batch<Row> {
  /** Takes the value of a row. `index` is its position in the chunk. */
  take(row: Row, index: number): void;
  /** Copies the collected values to a column of the chunk. */
  fill(chunk: DuckDBDataChunk, column: number, rows: number): void;
}

/**
 * Makes the batch of a column. Texts and numbers bypass the vectors of DuckDB's package, which are slow: they keep
 * nulls as big integers and make an object for each row.
 */
export function batchOf<Row>(column: ColumnValues<Row>): Batch<Row> {
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

  fill(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const vector = chunk.getColumnVector(column);
    for (let row = 0; row < rows; row++) vector.setItem(row, this.#values[row]);
    vector.flush();
  }
}

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

  fill(chunk: DuckDBDataChunk, column: number, rows: number): void {
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
    this.#numbers[index] = number ?? 0;
    if (number === null) this.#valid.clear(index);
  }

  fill(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
    duckdb.copy_data_to_vector(vector, 0, this.#numbers.buffer, 0, 8 * rows);
    this.#valid.copyTo(vector, rows);
  }
}

class Arrays<Row> implements Batch<Row> {
  readonly #column: ArrayValues<Row>;
  readonly #length: number;
  readonly #numbers: Float32Array<ArrayBuffer>;
  readonly #valid = new Validity(CHUNK_ROWS);
  readonly #numbersValid: Validity;

  constructor(column: ArrayValues<Row>) {
    this.#column = column;
    this.#length = column.type.length;
    this.#numbers = new Float32Array(CHUNK_ROWS * this.#length);
    this.#numbersValid = new Validity(CHUNK_ROWS * this.#length);
  }

  take(row: Row, index: number): void {
    const at = index * this.#length;
    if (this.#column.numbers(row, this.#numbers, at)) return;
    this.#valid.clear(index);
    for (let i = at; i < at + this.#length; i++) {
      this.#numbers[i] = 0;
      this.#numbersValid.clear(i);
    }
  }

  fill(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
    const child = duckdb.array_vector_get_child(vector);
    duckdb.copy_data_to_vector(child, 0, this.#numbers.buffer, 0, 4 * rows * this.#length);
    this.#numbersValid.copyTo(child, rows * this.#length);
    this.#valid.copyTo(vector, rows);
  }
}

/** Marks which items of a vector are not null: one bit for each, in words of 64 bits, lowest bit first. */
class Validity {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #isWhole = true;

  constructor(items: number) {
    this.#bytes = new Uint8Array(8 * Math.ceil(items / 64)).fill(255);
  }

  clear(index: number): void {
    this.#bytes[index >> 3] &= ~(1 << (index & 7));
    this.#isWhole = false;
  }

  /** Copies the marks of the first items to a vector. Afterwards all items count as not null again. */
  copyTo(vector: duckdb.Vector, items: number): void {
    if (this.#isWhole) return;
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, this.#bytes.buffer, 0, 8 * Math.ceil(items / 64));
    this.#bytes.fill(255);
    this.#isWhole = true;
  }
}
