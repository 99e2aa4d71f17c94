import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { edgeGrid } from '../oracle/edge-grid.ts';
import { oracleSunlight } from '../oracle/oracle.ts';
import { skipWithout } from '../support/shared-data.ts';
import { Agreement } from './agreement.ts';
import { CITY_DATA, type City, LOD2_FILES, readBlock, readTokyo, readWithRoofs, sunOver } from './cities.ts';

/** Buildings compared in each city, spread over it; `npm run bench:kernel` compares all. */
const SAMPLE = 60;

const CITIES: { name: string; data: string; read: () => Promise<City> }[] = [
  { name: 'Tokyo, ward 13101', data: CITY_DATA[0], read: () => readTokyo(['13101']) },
  { name: 'Osaka', data: CITY_DATA[1], read: () => readBlock('osaka') },
  { name: 'Sagamihara', data: CITY_DATA[2], read: () => readBlock('sagamihara') },
  ...LOD2_FILES.map((file) => ({ name: file, data: file, read: () => readWithRoofs(file) })),
];

for (const { name, data, read } of CITIES) {
  test(`the kernel agrees with a ray a minute in ${name}`, { skip: skipWithout(data) }, async (t) => {
    const city = await read();
    const { scene, storeys } = city;
    const kernel = kernelOf(scene);
    const grid = edgeGrid(scene);
    const sunOf = sunOver(city);
    const agreement = new Agreement();
    const sample = Math.min(SAMPLE, scene.base.length);
    for (let i = 0; i < sample; i++) {
      const building = Math.floor(((i + 0.5) * scene.base.length) / sample);
      const { paths, curves } = sunOf(building);
      const believed = oracleSunlight(grid, building, storeys[building]!, paths);
      agreement.add(computeBuilding(kernel, curves, building, storeys[building]!), believed);
    }
    t.diagnostic(String(agreement));
    assert.ok(agreement.equalShare >= 0.985, `equal: ${agreement}`);
    assert.ok(agreement.worst <= 5, `none more than 5 minutes off: ${agreement}`);
    assert.ok(Math.abs(agreement.bias) < 0.0005, `hours: ${agreement}`);
    assert.ok(agreement.sameFirstShare >= 0.95, `first source: ${agreement}`);
    assert.ok(agreement.sourceOverlap >= 0.9, `five sources: ${agreement}`);
  });
}
