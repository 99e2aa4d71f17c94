import {
  type Column,
  type ColumnFile,
  decodeColumns,
  encodeColumns,
  type TextColumn,
  textAt,
  textColumn,
} from '../formats/column-file.ts';
import type { Building, Footprint } from '../plateau/building.ts';

/**
 * The buildings of one third-order grid square, as published: geometry in degrees and attributes, in columns.
 * Buildings without ID are among them (they shade). A building belongs to the square that holds its
 * representative point. Unknown numbers are NaN or 0, unknown texts empty.
 */
export interface SquareBuildings {
  count: number;
  ids: TextColumn;
  /** Towns by representative point, in the finished square; empty before. */
  towns: TextColumn;
  usage: TextColumn;
  /** `uro:city`, where the ID says no more than the designated city. */
  cities: TextColumn;
  /** Representative points, degrees. */
  lat: Float64Array;
  lon: Float64Array;
  base: Float64Array;
  top: Float64Array;
  /** NaN where unknown. */
  measuredHeight: Float64Array;
  /** 0 where unknown. */
  storeys: Uint32Array;
  lod: Uint8Array;
  heightSource: Uint8Array;
  baseSource: Uint8Array;
  /** Date as the number YYYYMMDD, 0 where unknown. */
  created: Uint32Array;
  /** The same, or the year alone. */
  surveyed: Uint32Array;
  /** Per building: first footprint; per footprint: first ring; per ring: first vertex. Each one longer than its rows. */
  footprints: Uint32Array;
  rings: Uint32Array;
  vertices: Uint32Array;
  /** lat, lon of each vertex in turn. */
  latLon: Float64Array;
}

/** A building with what the build finds out about its place. */
interface PlacedBuilding extends Building {
  lat: number;
  lon: number;
  townCode: string | null;
}

/** As much of a building as a square file keeps: everything but where it was read. */
export type SquareBuilding = Omit<PlacedBuilding, 'source' | 'gmlId' | 'body'>;

const KIND = 'grid-square';
const HEIGHT_SOURCES = ['solid', 'measured_height'] as const;
const BASE_SOURCES = ['solid', 'lod0', 'assumed_zero'] as const;
const TEXTS = ['ids', 'towns', 'usage', 'cities'] as const;

/** Gathers buildings into columns, in the order in which they are added; their rings are read when all are there. */
export class SquareBuilder {
  readonly #texts: Record<(typeof TEXTS)[number], (string | null)[]> = {
    ids: [],
    towns: [],
    usage: [],
    cities: [],
  };
  readonly #numbers = {
    lat: [] as number[],
    lon: [] as number[],
    base: [] as number[],
    top: [] as number[],
    measuredHeight: [] as number[],
    storeys: [] as number[],
    lod: [] as number[],
    heightSource: [] as number[],
    baseSource: [] as number[],
    created: [] as number[],
    surveyed: [] as number[],
    footprints: [0],
    rings: [0],
    vertices: [0],
  };
  readonly #rings: Float64Array[] = [];

  get count(): number {
    return this.#numbers.lat.length;
  }

  add(building: SquareBuilding): void {
    const numbers = this.#numbers;
    this.#texts.ids.push(building.buildingId);
    this.#texts.towns.push(building.townCode);
    this.#texts.usage.push(building.usageCode);
    this.#texts.cities.push(building.cityCode ?? null);
    numbers.lat.push(building.lat);
    numbers.lon.push(building.lon);
    numbers.base.push(building.baseM);
    numbers.top.push(building.topM);
    numbers.measuredHeight.push(building.measuredHeightM ?? Number.NaN);
    numbers.storeys.push(building.storeys ?? 0);
    numbers.lod.push(building.lod);
    numbers.heightSource.push(HEIGHT_SOURCES.indexOf(building.heightSource));
    numbers.baseSource.push(BASE_SOURCES.indexOf(building.baseSource));
    numbers.created.push(dateNumber(building.createdOn));
    numbers.surveyed.push(dateNumber(building.surveyedOn));
    for (const footprint of building.footprints) {
      for (const ring of footprint.rings) {
        numbers.vertices.push(numbers.vertices[this.#rings.length] + ring.length / 2);
        this.#rings.push(ring);
      }
      numbers.rings.push(this.#rings.length);
    }
    numbers.footprints.push(numbers.rings.length - 1);
  }

  finish(): SquareBuildings {
    const numbers = this.#numbers;
    const latLon = new Float64Array(2 * numbers.vertices[this.#rings.length]);
    for (const [i, ring] of this.#rings.entries()) latLon.set(ring, 2 * numbers.vertices[i]);
    return {
      count: this.count,
      ids: textColumn(this.#texts.ids),
      towns: textColumn(this.#texts.towns),
      usage: textColumn(this.#texts.usage),
      cities: textColumn(this.#texts.cities),
      lat: new Float64Array(numbers.lat),
      lon: new Float64Array(numbers.lon),
      base: new Float64Array(numbers.base),
      top: new Float64Array(numbers.top),
      measuredHeight: new Float64Array(numbers.measuredHeight),
      storeys: new Uint32Array(numbers.storeys),
      lod: new Uint8Array(numbers.lod),
      heightSource: new Uint8Array(numbers.heightSource),
      baseSource: new Uint8Array(numbers.baseSource),
      created: new Uint32Array(numbers.created),
      surveyed: new Uint32Array(numbers.surveyed),
      footprints: new Uint32Array(numbers.footprints),
      rings: new Uint32Array(numbers.rings),
      vertices: new Uint32Array(numbers.vertices),
      latLon,
    };
  }
}

/** One building out of its columns; its rings are views. */
export function buildingAt(square: SquareBuildings, row: number): SquareBuilding {
  const measured = square.measuredHeight[row];
  const building: SquareBuilding = {
    buildingId: textAt(square.ids, row),
    townCode: textAt(square.towns, row),
    usageCode: textAt(square.usage, row),
    lat: square.lat[row],
    lon: square.lon[row],
    baseM: square.base[row],
    topM: square.top[row],
    measuredHeightM: Number.isNaN(measured) ? null : measured,
    storeys: square.storeys[row] || null,
    lod: square.lod[row] as 0 | 1 | 2,
    heightSource: HEIGHT_SOURCES[square.heightSource[row]],
    baseSource: BASE_SOURCES[square.baseSource[row]],
    createdOn: dateText(square.created[row]),
    surveyedOn: dateText(square.surveyed[row]),
    footprints: footprintsAt(square, row),
  };
  const cityCode = textAt(square.cities, row);
  if (cityCode !== null) building.cityCode = cityCode;
  return building;
}

/** The footprints of a building; their rings are views on the square's vertices. */
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

const dateNumber = (date: string | null): number => Number(date?.replaceAll('-', '') ?? 0);

/** `20200331` → `2020-03-31`; `2020` stays; 0 → null. */
export function dateText(date: number): string | null {
  if (date === 0) return null;
  const digits = String(date);
  return digits.length === 4 ? digits : `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** The bytes of a square file; texts that no building has are left out. `meta` is what else is to be known of it; `more` are columns beside the buildings'. */
export function encodeSquare<Meta extends object>(
  square: SquareBuildings,
  meta: Meta,
  more: Record<string, Column> = {},
): Uint8Array {
  const columns: Record<string, Column> = { ...more };
  for (const [name, value] of Object.entries(square)) {
    if (name === 'count') continue;
    if (ArrayBuffer.isView(value)) columns[name] = value as Column;
    else if (value.bytes.length > 0)
      Object.assign(columns, { [`${name}.offsets`]: value.offsets, [`${name}.bytes`]: value.bytes });
  }
  return encodeColumns(KIND, { meta, columns }, 'zstd');
}

/** Reads a square file back. Throws `ColumnFileError`, naming `name`, when it is damaged. `isChecked` as for `decodeColumns`. */
export function decodeSquare<Meta>(
  bytes: Uint8Array,
  name: string,
  isChecked = false,
): { square: SquareBuildings; meta: Meta; more: Record<string, Column> } {
  const { meta, columns }: ColumnFile<Meta> = decodeColumns(KIND, bytes, name, isChecked);
  const count = columns.lat.length;
  const square: Record<string, unknown> = { count };
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

const NUMBERS = new Set(Object.keys(new SquareBuilder().finish()));
const TEXT_COLUMNS = new Set(TEXTS.flatMap((name) => [`${name}.offsets`, `${name}.bytes`]));
