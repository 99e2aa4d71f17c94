import { sunlightPoint as row } from '../../contract/operations/sunlight-position.ts';
import { Computation } from './computation.ts';
import { implement } from './implementation.ts';

export const sunlightPoint = implement(row, {
  find: ({ lat, lon, height_m }) => Computation.of<'point'>({ kind: 'point', lat, lon, heightM: height_m }),
});
