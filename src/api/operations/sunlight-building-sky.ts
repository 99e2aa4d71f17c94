import { sunlightBuildingSky as row } from '../../contract/operations/sunlight-building-sky.ts';
import { shorten } from '../echo.ts';
import { Computation } from './computation.ts';
import { implement } from './implementation.ts';

export const sunlightBuildingSky = implement(row, {
  find: ({ building_id, face, floor, receptor }, sunlight) => {
    const shape = sunlight.shape(building_id);
    if (shape === null || floor > shape.storeys || receptor > (shape.receptors.get(face) ?? 0)) return null;
    return Computation.of<'sky'>({ kind: 'sky', buildingId: building_id, face, floor, receptor });
  },
  absent: ({ building_id, face, floor, receptor }, sunlight) => {
    const shape = sunlight.shape(building_id);
    if (shape === null) return `There is no building ${shorten(building_id)} in this dataset.`;
    const storeys = shape.storeys === 1 ? 'one storey' : `${shape.storeys} storeys`;
    if (floor > shape.storeys) return `The building has ${storeys}: there is no floor ${floor}.`;
    const receptors = shape.receptors.get(face);
    if (receptors === undefined) {
      return `The building has no face ${face}; it has ${[...shape.receptors.keys()].join(', ') || 'none'}.`;
    }
    return `Face ${face} has ${receptors === 1 ? 'one receptor' : `${receptors} receptors`}: there is no ${receptor}.`;
  },
});
