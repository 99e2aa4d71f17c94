import { sunlightBuildings as row } from '../../contract/operations/sunlight-building.ts';
import { Counted, implement } from './implementation.ts';

export const sunlightBuildings = implement(row, {
  find({ ids }, sunlight) {
    const { answer, found } = sunlight.summaries([...new Set(ids)]);
    return new Counted(answer, found);
  },
});
