import fc from 'fast-check';
import type { ShadingSource } from '../../../src/city/shading-sources.ts';
import type { Footprint } from '../../../src/plateau/building.ts';
import { type BuildingRecord, wardCodeOf } from '../../../src/record/building-record.ts';
import type { FaceSunlight } from '../../../src/sunlight/result.ts';
import { recordAttributes } from '../../support/attributes.ts';

/** `fc.record` of ordinary objects, which compare as equal to literals. */
const record = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(members, { noNullPrototype: true }) as fc.Arbitrary<T>;

/** A whole number of units. */
const units = (min: number, max: number, perUnit: number): fc.Arbitrary<number> =>
  fc.integer({ min: min * perUnit, max: max * perUnit }).map((value) => value / perUnit);

const buildingIds: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 13101, max: 13123 }), fc.integer({ min: 0, max: 999_999_999 }))
    .map(([ward, n]) => `${ward}-bldg-${n}`),
  fc.stringMatching(/^\d{5}-bldg-\d{1,12}$/),
);

const minutes = fc.integer({ min: 0, max: 1500 }).map((hundredths) => (hundredths * 6) / 10);
const windows = fc
  .uniqueArray(fc.integer({ min: 240, max: 1170 }), { maxLength: 8 })
  .map((edges) => edges.slice(0, edges.length & ~1).sort((a, b) => a - b));

const face: fc.Arbitrary<Omit<FaceSunlight, 'face'>> = record({
  azimuthDeg: units(0, 359, 10),
  wallLengthM: units(0, 400, 100),
  receptors: fc.integer({ min: 1, max: 8 }),
  sunMinutes: fc.array(minutes, { minLength: 36, maxLength: 36 }),
  unshadedMinutes: fc.array(minutes, { minLength: 12, maxLength: 12 }),
  windows: fc.array(windows, { minLength: 36, maxLength: 36 }),
});

const faces: fc.Arbitrary<FaceSunlight[]> = fc
  .tuple(fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]), fc.array(face, { minLength: 8, maxLength: 8 }), fc.boolean())
  .map(([which, all, low]) => which.map((index) => oneFloor({ ...all[index]!, face: index }, low)));

/** With `low`, the middle floor equals the first, as in a house of two storeys. */
function oneFloor(of: FaceSunlight, low: boolean): FaceSunlight {
  if (!low) return of;
  const sunMinutes = of.sunMinutes.slice();
  sunMinutes.copyWithin(12, 0, 12);
  return {
    ...of,
    sunMinutes,
    windows: [...of.windows.slice(0, 12), ...of.windows.slice(0, 12), ...of.windows.slice(24)],
  };
}

const blocked = {
  azimuthDeg: units(0, 359, 10),
  blockedHours: units(0, 14, 100),
  share: units(0, 1, 10_000),
};
const source: fc.Arbitrary<ShadingSource> = fc.oneof(
  record({
    kind: fc.constant('building' as const),
    buildingId: fc.option(buildingIds),
    distanceM: units(0, 20_000, 100),
    heightM: units(0, 700, 100),
    ...blocked,
  }),
  record({
    kind: fc.constant('terrain' as const),
    buildingId: fc.constant(null),
    distanceM: fc.constant(null),
    heightM: fc.constant(null),
    ...blocked,
  }),
);

/** Rings around a place, in steps of 10⁻⁸ degrees. */
const ring = (lat: number, lon: number): fc.Arbitrary<Float64Array> =>
  fc
    .array(fc.tuple(fc.integer({ min: -200_000, max: 200_000 }), fc.integer({ min: -200_000, max: 200_000 })), {
      minLength: 3,
      maxLength: 12,
    })
    .map((steps) => Float64Array.from(steps.flatMap(([y, x]) => [(lat + y) / 1e8, (lon + x) / 1e8])));

const place = record({ lat: fc.integer({ min: 20e8, max: 46e8 }), lon: fc.integer({ min: 122e8, max: 154e8 }) }).chain(
  ({ lat, lon }) =>
    record({
      lat: fc.constant(lat / 1e8),
      lon: fc.constant(lon / 1e8),
      footprints: fc.array(
        record({ rings: fc.array(ring(lat, lon), { minLength: 1, maxLength: 3 }) }) as fc.Arbitrary<Footprint>,
        { minLength: 1, maxLength: 3 },
      ),
    }),
);

/** Records whose numbers are whole units of what a record keeps, so that they come back as they were. */
export const records: fc.Arbitrary<BuildingRecord> = record({
  buildingId: buildingIds,
  townCode: fc.option(fc.stringMatching(/^\d{9}(\d{2})?$/)),
  place,
  attributes: recordAttributes,
  baseM: units(-20, 3000, 100),
  height: units(0, 700, 100),
  floors: fc.array(record({ floor: fc.integer({ min: 1, max: 200 }), heightM: units(0, 700, 100) }), {
    minLength: 3,
    maxLength: 3,
  }),
  faces,
  shadingSources: fc.array(source, { maxLength: 5 }),
  selfShadedShare: units(0, 1, 10_000),
}).map(({ place: at, attributes, height, ...rest }) => ({
  ...rest,
  ...attributes,
  ...at,
  wardCode: wardCodeOf(rest.buildingId),
  topM: Math.round((rest.baseM + height) * 100) / 100,
})) as fc.Arbitrary<BuildingRecord>;
