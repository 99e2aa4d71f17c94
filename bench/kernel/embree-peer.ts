import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer, Question } from './question.ts';
import { wallTriangles } from './walls.ts';

const SOURCE = fileURLToPath(new URL('./embree.cpp', import.meta.url));
const HEADER = '/usr/include/embree3/rtcore.h';

/**
 * Casts the rays of the question with Embree, in a program that is compiled here. Returns a sentence when that is
 * impossible.
 */
export async function embreePeer(question: Question): Promise<Answer | string> {
  if (spawnSync('g++', ['--version']).status !== 0) return 'no g++';
  if (!existsSync(HEADER)) return 'no libembree-dev';
  const folder = mkdtempSync(join(tmpdir(), 'hidamari-embree-'));
  try {
    const program = join(folder, 'embree');
    execFileSync('g++', ['-O3', '-march=native', '-o', program, SOURCE, '-lembree3'], { stdio: 'inherit' });
    writeFileSync(join(folder, 'question'), encode(question));
    const report = execFileSync(program, [join(folder, 'question'), join(folder, 'answer')], { encoding: 'utf8' });
    const [cpuMs, bytes] = report.trim().split(' ').map(Number);
    const answer = readFileSync(join(folder, 'answer'));
    const seen = new Uint16Array(answer.buffer.slice(answer.byteOffset, answer.byteOffset + answer.byteLength));
    return { seen, cpuMs: cpuMs, bytes: bytes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Little-endian: numbers of triangles, eyes and skies; triangles; eyes; then for each sky its number of suns, their
 * directions and months.
 */
function encode({ city, eyes, suns }: Question): Buffer {
  const triangles = wallTriangles(city.scene);
  const parts: ArrayBufferView[] = [
    Uint32Array.of(triangles.length / 9, eyes.length / 6, suns.length),
    triangles,
    Float32Array.from(eyes),
  ];
  for (const { directions, month } of suns)
    parts.push(Uint32Array.of(month.length), directions, Uint32Array.from(month));
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
}
