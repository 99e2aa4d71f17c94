import { parseArgs } from 'node:util';
import { CITY_DATA } from '../../test/kernel/cities.ts';
import { skipWithout } from '../../test/support/shared-data.ts';
import { accuracy } from './accuracy.ts';
import { changes } from './changes.ts';
import { groundShadowsOnHills } from './ground-shadows.ts';
import { peers } from './peers.ts';
import { roofs } from './roofs.ts';
import { speed } from './speed.ts';
import { terrain } from './terrain.ts';

// Measures the kernel: `npm run bench:kernel`. One part alone: `npm run bench:kernel -- --part accuracy`.
const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true },
    buildings: { type: 'string' },
  },
});
const parts: Record<string, () => Promise<void>> = {
  speed: () => speed(Number(values.buildings ?? 200_000)),
  peers: () => peers(Number(values.buildings ?? 100)),
  accuracy: () => accuracy(Number(values.buildings ?? 20_000)),
  roofs,
  terrain,
  'ground-shadows': groundShadowsOnHills,
  changes,
};
const missing = skipWithout(...CITY_DATA);
if (missing !== false) console.log(missing);
else for (const part of values.part ?? Object.keys(parts)) await parts[part]();
