import { BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from 'three';
import { estimateMemoryInBytes, MeshBVH } from 'three-mesh-bvh';
import { MONTHS } from '../../src/sunlight/result.ts';
import type { Answer, Question } from './question.ts';
import { wallTriangles } from './walls.ts';

/** Casts the question's rays with three-mesh-bvh. */
export async function bvhPeer({ city, eyes, suns }: Question): Promise<Answer> {
  const geometry = new BufferGeometry();
  const position = wallTriangles(city.scene);
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  const bvh = new MeshBVH(geometry);
  const ray = new Ray(new Vector3(), new Vector3());
  const count = eyes.length / 6;
  const seen = new Uint16Array(count * MONTHS);
  const start = process.threadCpuUsage();
  for (let eye = 0; eye < count; eye++) {
    const [x, y, z, normalX, normalY, sky] = eyes.subarray(6 * eye, 6 * eye + 6);
    const { directions, month } = suns[sky];
    ray.origin.set(x, y, z);
    for (let i = 0; i < month.length; i++) {
      const [east, north, up] = [directions[3 * i], directions[3 * i + 1], directions[3 * i + 2]];
      if (east * normalX + north * normalY <= 0) continue;
      ray.direction.set(east, north, up);
      if (bvh.raycastFirst(ray, DoubleSide) === null) seen[eye * MONTHS + month[i]]++;
    }
  }
  const { user, system } = process.threadCpuUsage(start);
  return { seen, cpuMs: (user + system) / 1000, bytes: position.byteLength + estimateMemoryInBytes(bvh) };
}
