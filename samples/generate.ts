import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { censusFiles, readingsFile } from './census.ts';
import { cityGml, squareOf } from './citygml.ts';
import { kaigoFiles } from './kaigo.ts';
import { type SampleBuilding, sampleTown } from './town.ts';

/** Where the parts of the sample lie, ready for the options of `hidamari build`. */
interface SamplePaths {
  citygml: string;
  towns: string;
  readings: string;
  offices: string;
  details: string;
}

/** Writes the sample's files under `folder`, in the published formats; the same bytes every time. */
export function generateSample(folder: string): SamplePaths {
  const write = (path: string, content: string | Uint8Array): void => {
    const full = join(folder, path);
    mkdirSync(join(full, '..'), { recursive: true });
    writeFileSync(full, content);
  };
  const files = new Map<string, SampleBuilding[]>();
  for (const building of sampleTown()) {
    const path = `citygml/${building.ward}_sample_2023_citygml/udx/bldg/${squareOf(building)}_bldg_6697_op.gml`;
    files.set(path, [...(files.get(path) ?? []), building]);
  }
  for (const [path, buildings] of files) write(path, cityGml(buildings));
  for (const [name, bytes] of censusFiles()) write(`census/${name}`, bytes);
  write('postal/13TOKYO.CSV', readingsFile());
  for (const [path, bytes] of kaigoFiles()) write(`kaigo/${path}`, bytes);
  return {
    citygml: join(folder, 'citygml'),
    towns: join(folder, 'census'),
    readings: join(folder, 'postal/13TOKYO.CSV'),
    offices: join(folder, 'kaigo/offices'),
    details: join(folder, 'kaigo/details.csv'),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined) {
    process.stderr.write('usage: node samples/generate.ts FOLDER\n');
    process.exitCode = 2;
  } else {
    process.stdout.write(`${Object.values(generateSample(folder)).join('\n')}\n`);
  }
}
