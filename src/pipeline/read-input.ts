import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { gridSquareOf } from '../geo/grid-square.ts';
import { representativePoint } from '../geo/polygon.ts';
import type { ReadIssue } from '../plateau/building.ts';
import { BuildingReader } from '../plateau/reader.ts';
import { type Input, openInput } from './inputs.ts';
import { PartBuilder } from './part-file.ts';
import { type Findings, note } from './report.ts';
import type { Task } from './worker-pool.ts';

/** One CityGML file becomes parts, by grid square. */
export interface ReadTask extends Task {
  kind: 'read';
  input: Input;
  /** The folder to write; it is made anew. */
  folder: string;
}

/** Reads an input. Throws `CityGmlError` or `InputError` when it cannot be trusted: then there is no list. */
export async function readBuildingsOf({ input, folder }: ReadTask): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const label = basename(input.label);
  const findings: Findings = {};
  const parts = new PartBuilder();
  const reader = new BuildingReader(input.name, {
    building(building) {
      const [lat, lon] = representativePoint(building.footprints.map(({ rings }) => rings));
      parts.add(gridSquareOf(lat, lon), building, lat, lon);
    },
    issue: (issue) => note(findings, issue.kind, exampleOf(issue, label)),
  });
  const hash = createHash('sha256');
  for await (const chunk of openInput(input)) {
    hash.update(chunk);
    reader.feed(chunk);
  }
  const { bytes, leftOut } = reader.end();
  await parts.write(folder, { label, sha256: hash.digest('hex'), bytes, leftOut, findings });
}

const exampleOf = ({ buildingId, gmlId, byte, detail }: ReadIssue, label: string): string =>
  `${buildingId ?? gmlId ?? 'a building'} (${label}, byte ${byte}): ${detail}`;
