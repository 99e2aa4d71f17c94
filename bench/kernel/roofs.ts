import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { Agreement } from '../../test/kernel/agreement.ts';
import { type City, LOD2_FILES, readWithRoofs, sunOver } from '../../test/kernel/cities.ts';
import { edgeGrid } from '../../test/oracle/edge-grid.ts';
import { oracleSunlight } from '../../test/oracle/oracle.ts';

/** Number of buildings to compute for the processor time of a file. A file with fewer is computed several times. */
const COMPUTED = 3000;

/**
 * Compares the kernel with one ray per minute in every published file with LOD2, and its time with that of the same
 * file as prisms.
 */
export async function roofs(): Promise<void> {
  console.log(
    '\nRoofs of LOD2: agreement with one ray a minute, and processor time over that of the same buildings as prisms',
  );
  const rows: Record<string, string | number>[] = [];
  for (const file of LOD2_FILES) {
    const [city, prisms] = [await readWithRoofs(file), await readWithRoofs(file, false)];
    const { all, change } = judged(city, prisms);
    const [time, prismTime] = [msOfBuilding(city), msOfBuilding(prisms)];
    const { roofs: surfaces, base } = city.scene;
    const withRoof = [...base.keys()].filter((b) => surfaces.buildingSurfaces[b] < surfaces.buildingSurfaces[b + 1]);
    rows.push({
      file: city.name,
      buildings: base.length,
      'with roof': withRoof.length,
      surfaces: surfaces.surfaceRings.length - 1,
      values: all.faceDays,
      'equal %': (100 * all.equalShare).toFixed(2),
      'within 1 min %': (100 * (change.within / all.faceDays)).toFixed(3),
      'worst, min': all.worst.toFixed(2),
      'change to LOD1, mean min': change.mean.toFixed(1),
      'a tenth over, min': change.tenth.toFixed(1),
      'CPU ms': time.toFixed(3),
      ratio: (time / prismTime).toFixed(2),
    });
  }
  console.table(rows);
}

/** How well kernel and rays agree, and how much roofs change the minutes of buildings with a roof or near one. */
function judged(city: City, prisms: City) {
  const grid = edgeGrid(city.scene);
  const [kernel, prismKernel] = [kernelOf(city.scene), kernelOf(prisms.scene)];
  const sunOf = sunOver(city);
  const all = new Agreement();
  let within = 0;
  const changes: number[] = [];
  for (const building of city.scene.base.keys()) {
    const { paths, curves } = sunOf(building);
    const storeys = city.storeys[building];
    const found = computeBuilding(kernel, curves, building, storeys);
    const rays = oracleSunlight(grid, building, storeys, paths);
    const asPrism = computeBuilding(prismKernel, curves, building, storeys);
    all.add(found, rays);
    found.faces.forEach(({ sunMinutes }, face) => {
      sunMinutes.forEach((minutes, day) => {
        if (Math.abs(minutes - rays.faces[face].sunMinutes[day]) <= 1) within++;
        changes.push(minutes - asPrism.faces[face].sunMinutes[day]);
      });
    });
  }
  const sizes = changes.map(Math.abs).sort((a, b) => a - b);
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  return { all, change: { within, mean, tenth: sizes[Math.floor(0.9 * sizes.length)] } };
}

/** Processor time of a building, milliseconds: the least of three. */
function msOfBuilding(city: City): number {
  const kernel = kernelOf(city.scene);
  const sunOf = sunOver(city);
  const buildings = [...city.scene.base.keys()];
  const rounds = Math.ceil(COMPUTED / buildings.length);
  const once = (): number => {
    const start = process.cpuUsage();
    for (let round = 0; round < rounds; round++) {
      for (const building of buildings)
        computeBuilding(kernel, sunOf(building).curves, building, city.storeys[building]);
    }
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 / rounds / buildings.length;
  };
  once();
  return Math.min(once(), once(), once());
}
