import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import geographiclib from 'geographiclib-geodesic';
import { EQUATOR_M } from '../../src/geo/web-tile.ts';
import { roofText } from '../../src/map/building-tile.ts';

type Ring = [lon: number, lat: number][];

// The browser's code is JavaScript with types in its comments.
const shadows = new URL('../../src/site/map/browser/shadows.js', import.meta.url);
const { groundShadows, roofOf } = (await import(shadows.href)) as {
  groundShadows(
    casters: readonly { id?: string; heightM: number; polygons: Ring[][]; roof?: [number, number, number][][][] }[],
    sun: { azimuthDeg: number; altitudeDeg: number },
    view: typeof EVERYWHERE,
    ground?: ShownGround,
  ): Ring[][];
  roofOf(text: unknown): [number, number, number][][][];
};
interface ShownGround {
  heightAt(lon: number, lat: number): number;
  baseOf(id: string): number | null;
}
const ground = new URL('../../src/site/map/browser/ground.js', import.meta.url);
const { Ground } = (await import(ground.href)) as {
  Ground: new (
    settings: { tiles: string; zoom: number },
    whenLoaded: () => void,
  ) => {
    shown: ShownGround;
    load(view: typeof EVERYWHERE): void;
    hillShadows(month: number, minute: number, view: typeof EVERYWHERE): Ring[][];
  };
};
const nearest = new URL('../../src/site/map/browser/nearest.js', import.meta.url);
const { nearestBuildings } = (await import(nearest.href)) as {
  nearestBuildings(
    features: readonly { properties: object; geometry: GeoJSON.Geometry }[],
    place: { lng: number; lat: number },
  ): { id: string; metres: number }[];
};

const EVERYWHERE = { west: -180, south: -90, east: 180, north: 90 };
/** Degrees of a metre at the equator, where both axes are alike. */
const METRE = 1 / 111_320;

const crosses = (ring: Ring, [x, y]: Ring[number]): boolean =>
  ring.slice(1).reduce((inside, [bx, by], i) => {
    const [ax, ay] = ring[i] ?? [0, 0];
    return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax) ? !inside : inside;
  }, false);
const covers = (rings: Ring[], point: Ring[number]): boolean =>
  rings.reduce((inside, ring) => inside !== crosses(ring, point), false);

/** A star of corners around the origin, closed, in either direction; metres. */
const star = (least: number, most: number) =>
  fc
    .tuple(fc.array(fc.double({ min: least, max: most, noNaN: true }), { minLength: 3, maxLength: 9 }), fc.boolean())
    .map(([radii, isTurned]): Ring => {
      const corners = radii.map((radius, i): Ring[number] => {
        const angle = (2 * Math.PI * i) / radii.length;
        return [radius * Math.cos(angle) * METRE, radius * Math.sin(angle) * METRE];
      });
      const ring = isTurned ? corners.reverse() : corners;
      return [...ring, ring[0] ?? [0, 0]];
    });

it('the shadow of a building covers what its footprint passes over on its way, whichever way its rings turn', () => {
  const spot = fc.double({ min: -60, max: 60, noNaN: true });
  fc.assert(
    fc.property(
      star(8, 20),
      fc.option(star(2, 5)),
      fc.integer({ min: 0, max: 359 }),
      fc.array(fc.tuple(spot, spot), { minLength: 20, maxLength: 20 }),
      (outer, hole, azimuthDeg, spots) => {
        const footprint = hole === null ? [outer] : [outer, hole];
        const heightM = 25;
        const strips = groundShadows([{ heightM, polygons: [footprint] }], { azimuthDeg, altitudeDeg: 45 }, EVERYWHERE);
        const away = ((azimuthDeg + 180) * Math.PI) / 180;
        for (const [x, y] of spots) {
          const point: Ring[number] = [x * METRE, y * METRE];
          const isPassed = Array.from({ length: 2001 }, (_, i) => (i / 2000) * heightM * METRE).some((way) =>
            covers(footprint, [point[0] - way * Math.sin(away), point[1] - way * Math.cos(away)]),
          );
          const isShown = covers(footprint, point) || strips.some((strip) => covers(strip, point));
          // A spot that only touches is passed between two of the steps.
          if (isPassed) assert.ok(isShown, `${x}, ${y} is in the shade`);
          else assert.ok(!isShown || isNear(footprint, strips, point), `${x}, ${y} is in the sun`);
        }
      },
    ),
    { numRuns: 300, seed: 11 },
  );
});

/** Whether another spot a step aside is out of the shade: then this one lies at its edge. */
const isNear = (footprint: Ring[], strips: Ring[][], [x, y]: Ring[number]): boolean =>
  [0, 1, 2, 3, 4, 5, 6, 7].some((turn) => {
    const [dx, dy] = [Math.cos((turn * Math.PI) / 4), Math.sin((turn * Math.PI) / 4)];
    const aside: Ring[number] = [x + 0.05 * METRE * dx, y + 0.05 * METRE * dy];
    return !covers(footprint, aside) && !strips.some((strip) => covers(strip, aside));
  });

it('a building whose shadow stays out of view is left away', () => {
  const square: Ring = [
    [0, 0],
    [0.0001, 0],
    [0.0001, 0.0001],
    [0, 0.0001],
    [0, 0],
  ];
  const casters = [{ heightM: 20, polygons: [[square]] }];
  const drawn = (west: number): number => {
    const view = { west, south: -1, east: 1, north: 1 };
    return groundShadows(casters, { azimuthDeg: 270, altitudeDeg: 45 }, view).length;
  };
  assert.equal(drawn(0.0002), 1);
  assert.equal(drawn(0.0004), 0);
});

it('the list beside the map has each building once, the nearest first, metres as on the ellipsoid', () => {
  const place = { lng: 139.77, lat: 35.69 };
  const at = (id: number, east: number): { properties: object; geometry: GeoJSON.Polygon } => {
    const ring: Ring = [
      [place.lng + east, place.lat],
      [place.lng + east + 0.0001, place.lat + 0.0001],
      [place.lng + east, place.lat],
    ];
    return { properties: { building_id: id }, geometry: { type: 'Polygon', coordinates: [ring] } };
  };
  // A building that two tiles cut has two parts; the nearer corner of both counts.
  const near = nearestBuildings([at(1, 0.003), at(2, 0.001), at(1, 0.002), at(3, -0.004)], place);
  assert.deepEqual(
    near.map(({ id }) => id),
    ['2', '1', '3'],
  );
  near.forEach(({ metres }, i) => {
    const { s12 = 0 } = geographiclib.Geodesic.WGS84.Inverse(
      place.lat,
      place.lng,
      place.lat,
      place.lng + ([0.001, 0.002, -0.0039][i] ?? 0),
    );
    assert.ok(Math.abs(metres - s12) < 0.005 * s12, `${metres} beside ${s12}`);
  });
});

it('a roof goes into a tile as text and comes back to 0.1 m', () => {
  const rings = [
    [35.6812, 139.7671, 12.34, 35.6813, 139.7671, 15, 35.6813, 139.7673, 15, 35.6812, 139.7673, 12.34],
    [35.68122, 139.7672, 13, 35.68124, 139.7672, 13.5, 35.68124, 139.76722, 13.5],
  ];
  const text = roofText([{ rings }, { rings: [rings[0] ?? []] }], 2);
  const found = roofOf(text);
  assert.equal(found.length, 2);
  for (const [i, ring] of rings.entries()) {
    const points = found[0]?.[i] ?? [];
    assert.equal(points.length, ring.length / 3);
    for (const [j, [lon, lat, heightM]] of points.entries()) {
      assert.ok(Math.abs(lat - (ring[3 * j] ?? 0)) < 6e-7 && Math.abs(lon - (ring[3 * j + 1] ?? 0)) < 6e-7);
      assert.ok(Math.abs(heightM - ((ring[3 * j + 2] ?? 0) - 2)) < 0.051);
    }
  }
  assert.deepEqual([roofOf(''), roofOf(undefined)], [[], []]);
});

it('the shadow of a gable is that of its ridge, not of a block as high', () => {
  // 10 m wide from south to north, the ridge from west to east at 10 m, the eaves at 4 m; sun in the south at 45°.
  const at = (x: number, y: number, z: number): [number, number, number] => [x * METRE, y * METRE, z];
  const roof = [
    [[at(0, 0, 4), at(20, 0, 4), at(20, 5, 10), at(0, 5, 10)]],
    [[at(0, 5, 10), at(20, 5, 10), at(20, 10, 4), at(0, 10, 4)]],
  ];
  const casters = [{ heightM: 10, polygons: [], roof }];
  const strips = groundShadows(casters, { azimuthDeg: 180, altitudeDeg: 45 }, EVERYWHERE);
  const shaded = (x: number, y: number): boolean => strips.some((rings) => covers(rings, [x * METRE, y * METRE]));
  // The ridge throws its shadow to 15 m, the northern eaves to 14 m; a block would reach 20 m.
  assert.deepEqual(
    [12, 13.9, 14.9, 15.1, 19].map((y) => shaded(10, y)),
    [true, true, true, false, false],
  );
  assert.ok(!shaded(-0.5, 12) && !shaded(20.5, 12));
});

it('on a slope a shadow is shorter uphill and longer downhill, as far as the ray over the top reaches', () => {
  const square: Ring = [
    [0, 0],
    [10 * METRE, 0],
    [10 * METRE, 10 * METRE],
    [0, 10 * METRE],
    [0, 0],
  ];
  const casters = [{ id: 'a', heightM: 20, polygons: [[square]] }];
  // The sun in the south: the ray over the wall in the north falls a metre a metre.
  const reachOn = (slope: number): number => {
    const heightAt = (_: number, lat: number): number => 50 + slope * (lat / METRE - 10);
    const sun = { azimuthDeg: 180, altitudeDeg: 45 };
    const strips = groundShadows(casters, sun, EVERYWHERE, { heightAt, baseOf: () => 50 });
    return Math.max(...strips.flat(2).map(([, lat]) => lat)) / METRE - 10;
  };
  for (const slope of [-0.4, -0.1, 0, 0.2, 1]) {
    const expected = 20 / (1 + slope);
    assert.ok(Math.abs(reachOn(slope) - expected) < 0.05, `${reachOn(slope)} m for ${expected} m at ${slope}`);
  }
  const unknown = { heightAt: () => Number.NaN, baseOf: () => null };
  const level = groundShadows(casters, { azimuthDeg: 180, altitudeDeg: 45 }, EVERYWHERE);
  assert.deepEqual(groundShadows(casters, { azimuthDeg: 180, altitudeDeg: 45 }, EVERYWHERE, unknown), level);
});

it('a tile of the ground tells heights, bases and where hills shade', async (t) => {
  // A tile of 2 × 2 cells. In the west the sun goes at 15:00, in the middle at 16:00, in the east at 17:00.
  const sunny = [15, 16, 17].map((hour) => [480, hour * 60]);
  const tile = {
    cells: 2,
    shadeCells: 2,
    heights: [100, 10, 10, -20, 10, 10, -20, 10, null],
    sunny: Array.from({ length: 12 }, () => [...sunny, ...sunny, ...sunny]),
    bases: { a: 123 },
  };
  t.mock.method(globalThis, 'fetch', async (path: string) =>
    path === '/ground/0/0' ? Response.json(tile) : new Response('', { status: 404 }),
  );
  // At zoom 1 the tile covers the north-west of the world.
  const view = { west: -170, east: -10, south: 10, north: 80 };
  const loaded = new Promise<void>((resolve) => {
    const shown = new Ground({ tiles: '/ground/{x}/{y}', zoom: 1 }, () => {
      if (shown.shown.baseOf('a') === null) return;
      assert.equal(shown.shown.baseOf('a'), 12.3);
      assert.equal(shown.shown.heightAt(-180, 85.0511), 10);
      assert.equal(shown.shown.heightAt(-135, 85.0511), 10.5);
      assert.ok(Number.isNaN(shown.shown.heightAt(-10, 10)));
      // At 15:30 the western half of the western cells is in the shade.
      const shade = shown.hillShadows(12, 930, view);
      const longitudes = shade.flat(2).map(([lon]) => lon);
      assert.deepEqual([Math.min(...longitudes), Math.max(...longitudes)], [-180, -135]);
      assert.deepEqual(shown.hillShadows(12, 840, view), []);
      assert.equal(shown.hillShadows(12, 1030, view).length, 2);
      resolve();
    });
    shown.load(view);
  });
  await loaded;
});

it('measures a degree as the server does', async () => {
  const tiles = new URL('../../src/site/map/browser/tiles.js', import.meta.url);
  const { METRES_PER_DEGREE } = (await import(tiles.href)) as { METRES_PER_DEGREE: number };
  assert.ok(Math.abs(METRES_PER_DEGREE - EQUATOR_M / 360) < 1);
});
