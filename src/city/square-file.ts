import {
  type AttributeRow,
  type AttributeValue,
  type KindOf,
  type ModelAttributes,
  type ModelKey,
  OF_MODEL,
} from '../building/attributes.ts';
import {
  type Column,
  type ColumnFile,
  decodeColumns,
  encodeColumns,
  type TextColumn,
  textAt,
  textColumn,
} from '../formats/column-file.ts';
import type { Building, Footprint, RoofSurface } from '../plateau/building.ts';

/**
 * The buildings of a third-order grid square in columns: published geometry in degrees, and attributes. Includes
 * buildings without ID, because they shade. A building belongs to the square of its representative point. Attributes
 * are stored under their keys. Unknown texts are empty.
 */
export interface SquareBuildings extends AttributeColumns {
  count: number;
  ids: TextColumn;
  /** Towns by representative point. Empty until the square is finished. */
  towns: TextColumn;
  /** Representative points, degrees. */
  lat: Float64Array;
  lon: Float64Array;
  base: Float64Array;
  top: Float64Array;
  /** The move of each building by the error of the model. 0 until the square is finished. */
  moves: Uint32Array;
  /**
   * First footprint of each building; first ring of each footprint; first vertex of each ring. Each array has one more
   * element for the end.
   */
  footprints: Uint32Array;
  rings: Uint32Array;
  vertices: Uint32Array;
  /** Latitude and longitude of each vertex in turn. */
  latLon: Float64Array;
  /**
   * First roof surface of each building; first ring of each surface; first vertex of each ring. Each array has one more
   * element for the end.
   */
  roofs: Uint32Array;
  roofRings: Uint32Array;
  roofVertices: Uint32Array;
  /** For each vertex of a roof its latitude, longitude and height, in steps (`DEGREE_STEPS`, `METRE_STEPS`). */
  roofPoints: Uint32Array;
}

/**
 * Steps in a degree and in a metre. Roof points are stored in steps: latitude and longitude from the building's
 * representative point, heights from 0. Both steps are about 0.1 mm. Equal points stay equal.
 */
const DEGREE_STEPS = 1e9;
const METRE_STEPS = 1e4;

/**
 * Unknown numbers are NaN. Unknown counts, dates (YYYYMMDD or YYYY) and choices are 0; counts and choices begin at 1.
 */
type AttributeColumns = {
  [K in ModelKey]: KindOf<K> extends 'code'
    ? TextColumn
    : KindOf<K> extends 'number'
      ? Float64Array
      : KindOf<K> extends 'count' | 'date'
        ? Uint32Array
        : Uint8Array;
};
type AttributeColumn = AttributeColumns[ModelKey];

/** A building with the facts about its place, which the build adds. */
interface PlacedBuilding extends Building {
  lat: number;
  lon: number;
  townCode: string | null;
}

/** A building as a square file stores it: without its place in the published files. */
export type SquareBuilding = Omit<PlacedBuilding, 'source' | 'gmlId' | 'body'>;

/** The kind of a square file among column files. */
const KIND = 'grid-square';

/** The columns of texts. */
const TEXTS = ['ids', 'towns', ...OF_MODEL.filter(({ kind }) => kind === 'code').map(({ key }) => key)];

/** Collects buildings into columns, in the order of `add`. The coordinates of their rings are copied at the end. */
export class SquareBuilder {
  readonly #ids: (string | null)[] = [];
  readonly #towns: (string | null)[] = [];
  readonly #attributes = OF_MODEL.map((row) => ({ row, values: [] as AttributeValue[] }));
  // Lists of starts begin with 0, and end with the start of the element that comes next: they are one longer than the
  // list of their elements.
  readonly #numbers = {
    lat: [] as number[],
    lon: [] as number[],
    base: [] as number[],
    top: [] as number[],
    footprints: [0],
    rings: [0],
    vertices: [0],
    roofs: [0],
    roofRings: [0],
    roofVertices: [0],
    roofPoints: [] as number[],
  };
  readonly #rings: Float64Array[] = [];

  /** Number of buildings added so far. */
  get count(): number {
    return this.#ids.length;
  }

  /** Adds a building as the next row. */
  add(building: SquareBuilding): void {
    const numbers = this.#numbers;
    this.#ids.push(building.buildingId);
    this.#towns.push(building.townCode);
    for (const { row, values } of this.#attributes) values.push(building[row.key]);
    numbers.lat.push(building.lat);
    numbers.lon.push(building.lon);
    numbers.base.push(building.baseM);
    numbers.top.push(building.topM);
    for (const footprint of building.footprints) {
      for (const ring of footprint.rings) {
        const ringStart = numbers.vertices[this.#rings.length];
        const nextRingStart = ringStart + ring.length / 2;
        numbers.vertices.push(nextRingStart);
        this.#rings.push(ring);
      }
      const ringsSoFar = this.#rings.length;
      numbers.rings.push(ringsSoFar);
    }
    const footprintsSoFar = numbers.rings.length - 1;
    numbers.footprints.push(footprintsSoFar);
    this.#addRoof(building);
  }

  /** Adds the roof surfaces of a building, whose points become steps. */
  #addRoof({ lat, lon, roofSurfaces = [] }: SquareBuilding): void {
    const { roofs, roofRings, roofVertices, roofPoints } = this.#numbers;
    for (const { rings } of roofSurfaces) {
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 3) {
          roofPoints.push(
            Math.round((ring[i] - lat) * DEGREE_STEPS),
            Math.round((ring[i + 1] - lon) * DEGREE_STEPS),
            Math.round(ring[i + 2] * METRE_STEPS),
          );
        }
        roofVertices.push(roofPoints.length / 3);
      }
      const ringsSoFar = roofVertices.length - 1;
      roofRings.push(ringsSoFar);
    }
    const surfacesSoFar = roofRings.length - 1;
    roofs.push(surfacesSoFar);
  }

  /** The columns of all buildings that were added. */
  finish(): SquareBuildings {
    const numbers = this.#numbers;
    // The list of starts ends with the start of what would come next: the number of all vertices.
    const vertexCount = numbers.vertices[numbers.vertices.length - 1];
    const latLon = new Float64Array(2 * vertexCount);
    for (const [i, ring] of this.#rings.entries()) latLon.set(ring, 2 * numbers.vertices[i]);
    const attributes = this.#attributes.map(({ row, values }) => [row.key, attributeColumn(row, values)] as const);
    return {
      ...(Object.fromEntries(attributes) as AttributeColumns),
      count: this.count,
      ids: textColumn(this.#ids),
      towns: textColumn(this.#towns),
      lat: new Float64Array(numbers.lat),
      lon: new Float64Array(numbers.lon),
      base: new Float64Array(numbers.base),
      top: new Float64Array(numbers.top),
      // Those of `movesOf` replace them when the scene of the square is finished, for they depend on which buildings
      // touch.
      moves: new Uint32Array(this.count),
      footprints: new Uint32Array(numbers.footprints),
      rings: new Uint32Array(numbers.rings),
      vertices: new Uint32Array(numbers.vertices),
      latLon,
      roofs: new Uint32Array(numbers.roofs),
      roofRings: new Uint32Array(numbers.roofRings),
      roofVertices: new Uint32Array(numbers.roofVertices),
      roofPoints: new Uint32Array(numbers.roofPoints),
    };
  }
}

/** The column of an attribute: texts for a code, numbers for other kinds. */
function attributeColumn(row: AttributeRow, values: readonly AttributeValue[]): AttributeColumn {
  switch (row.kind) {
    case 'code':
      return textColumn(values.map((value) => (value === null ? null : String(value))));
    case 'number':
      return Float64Array.from(values, (value) => numberOf(row, value));
    case 'choice':
      return Uint8Array.from(values, (value) => numberOf(row, value));
    default:
      return Uint32Array.from(values, (value) => numberOf(row, value));
  }
}

/**
 * The number that stores a value. Unknown is NaN for kind `number` and 0 for others; so choices and counts are stored
 * plus 1.
 */
function numberOf(row: AttributeRow, value: AttributeValue): number {
  if (value === null) return row.kind === 'number' ? Number.NaN : 0;
  switch (row.kind) {
    case 'date':
      return Number(String(value).replaceAll('-', ''));
    case 'choice':
      return row.choices.findIndex((choice) => choice.value === value) + 1;
    case 'number':
      return Number(value);
    default:
      return Number(value) + 1;
  }
}

/** The value that a number stores; the reverse of `numberOf`. */
function valueFrom(row: AttributeRow, number: number): AttributeValue {
  if (row.kind === 'number') return Number.isNaN(number) ? null : number;
  if (number === 0) return null;
  if (row.kind === 'date') return dateText(number);
  // Choices and counts are stored plus 1.
  return row.kind === 'choice' ? row.choices[number - 1].value : number - 1;
}

/** A building read from its columns. Its rings are views. */
export function buildingAt(square: SquareBuildings, row: number): SquareBuilding {
  return {
    buildingId: textAt(square.ids, row),
    townCode: textAt(square.towns, row),
    ...attributesAt(square, row),
    lat: square.lat[row],
    lon: square.lon[row],
    baseM: square.base[row],
    topM: square.top[row],
    footprints: footprintsAt(square, row),
    ...(square.roofs[row] < square.roofs[row + 1] ? { roofSurfaces: roofSurfacesAt(square, row) } : {}),
  };
}

/** The attributes of a building, by its row. */
function attributesAt(square: SquareBuildings, row: number): ModelAttributes {
  const values: Record<string, AttributeValue> = {};
  for (const attribute of OF_MODEL) {
    const column = square[attribute.key];
    values[attribute.key] = 'offsets' in column ? textAt(column, row) : valueFrom(attribute, column[row]);
  }
  return values as ModelAttributes;
}

/** The footprints of a building. Their rings are views of the square's vertices. */
export function footprintsAt(square: SquareBuildings, row: number): Footprint[] {
  const footprints: Footprint[] = [];
  for (let f = square.footprints[row]; f < square.footprints[row + 1]; f++) {
    const rings: Float64Array[] = [];
    for (let r = square.rings[f]; r < square.rings[f + 1]; r++) {
      rings.push(square.latLon.subarray(square.vertices[r] * 2, square.vertices[r + 1] * 2));
    }
    footprints.push({ rings });
  }
  return footprints;
}

/** The roof surfaces of a building; none when it shades as a prism. */
export function roofSurfacesAt(square: SquareBuildings, row: number): RoofSurface[] {
  const { roofs, roofRings, roofVertices, roofPoints } = square;
  const [lat, lon] = [square.lat[row], square.lon[row]];
  const surfaces: RoofSurface[] = [];
  for (let surface = roofs[row]; surface < roofs[row + 1]; surface++) {
    const rings: Float64Array[] = [];
    for (let ring = roofRings[surface]; ring < roofRings[surface + 1]; ring++) {
      const [first, end] = [roofVertices[ring], roofVertices[ring + 1]];
      const points = new Float64Array(3 * (end - first));
      for (let i = 0; i < points.length; i += 3) {
        // `| 0`: the steps are signed, but stored without sign.
        points[i] = lat + (roofPoints[3 * first + i] | 0) / DEGREE_STEPS;
        points[i + 1] = lon + (roofPoints[3 * first + i + 1] | 0) / DEGREE_STEPS;
        points[i + 2] = (roofPoints[3 * first + i + 2] | 0) / METRE_STEPS;
      }
      rings.push(points);
    }
    surfaces.push({ rings });
  }
  return surfaces;
}

/** The highest shading point of a building, metres. */
export function shadingTop(square: SquareBuildings, row: number): number {
  const { roofs, roofRings, roofVertices, roofPoints } = square;
  const firstVertexOf = (building: number): number => roofVertices[roofRings[roofs[building]]];
  const [first, end] = [firstVertexOf(row), firstVertexOf(row + 1)];
  // Without roof surfaces it shades as a prism.
  if (first === end) return square.top[row];
  let highestSteps = -Infinity;
  for (let vertex = first; vertex < end; vertex++) {
    // `| 0`: the steps are signed, but stored without sign.
    highestSteps = Math.max(highestSteps, roofPoints[3 * vertex + 2] | 0);
  }
  return highestSteps / METRE_STEPS;
}

/** `20200331` → `2020-03-31`; `2020` stays; 0 → null. */
export function dateText(date: number): string | null {
  if (date === 0) return null;
  const digits = String(date);
  return digits.length === 4 ? digits : `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** Columns that are left out when no building has roof surfaces. */
const ROOF_COLUMNS = ['roofs', 'roofRings', 'roofVertices', 'roofPoints'];

/**
 * The bytes of a square file. Columns of texts without any text, and those of roofs without any roof, are left out.
 * @param meta further facts about the square
 * @param more columns that do not belong to buildings
 */
export function encodeSquare<Meta extends object>(
  square: SquareBuildings,
  meta: Meta,
  more: Record<string, Column> = {},
): Uint8Array {
  const columns: Record<string, Column> = { ...more };
  for (const [name, value] of Object.entries(square)) {
    if (name === 'count' || (ROOF_COLUMNS.includes(name) && square.roofPoints.length === 0)) continue;
    if (ArrayBuffer.isView(value)) columns[name] = value as Column;
    else if (value.bytes.length > 0)
      Object.assign(columns, { [`${name}.offsets`]: value.offsets, [`${name}.bytes`]: value.bytes });
  }
  return encodeColumns(KIND, { meta, columns }, 'zstd');
}

/**
 * Reads a square file.
 * @param name of the file, for messages
 * @param isChecked true: the caller has checked the bytes, so their checksums are not compared again
 * @returns `more`: the columns that do not belong to buildings
 * @throws ColumnFileError when it is damaged
 */
export function decodeSquare<Meta>(
  bytes: Uint8Array,
  name: string,
  { isChecked = false } = {},
): { square: SquareBuildings; meta: Meta; more: Record<string, Column> } {
  const { meta, columns }: ColumnFile<Meta> = decodeColumns(KIND, bytes, name, { isChecked });
  const count = columns.lat.length;
  // Columns without values are not in the file.
  const square: Record<string, unknown> = { count, ...NO_ROOFS, roofs: new Uint32Array(count + 1) };
  for (const text of TEXTS) {
    square[text] = {
      offsets: columns[`${text}.offsets`] ?? new Uint32Array(count + 1),
      bytes: columns[`${text}.bytes`] ?? new Uint8Array(0),
    };
  }
  const more: Record<string, Column> = {};
  for (const [column, values] of Object.entries(columns)) {
    if (NUMBERS.has(column)) square[column] = values;
    else if (!TEXT_COLUMNS.has(column)) more[column] = values;
  }
  return { square: square as unknown as SquareBuildings, meta, more };
}

/** The roof columns, other than `roofs`, of a square without roof surfaces. */
const NO_ROOFS = {
  roofRings: new Uint32Array(1),
  roofVertices: new Uint32Array(1),
  roofPoints: new Uint32Array(0),
};

/** The names of the columns of numbers (among all members of a square), and of those of texts. */
const NUMBERS = new Set(Object.keys(new SquareBuilder().finish()));
const TEXT_COLUMNS = new Set(TEXTS.flatMap((name) => [`${name}.offsets`, `${name}.bytes`]));
