import { sunlightBuildingFloor as row } from '../../contract/operations/sunlight-building-floor.ts';
import { shorten } from '../echo.ts';
import { Computation } from './computation.ts';
import { implement } from './implementation.ts';

export const sunlightBuildingFloor = implement(row, {
  find: ({ building_id, floor, face = null, date = null, receptors }, sunlight) => {
    const shape = sunlight.shape(building_id);
    if (shape === null || floor > shape.storeys || (face !== null && !shape.receptors.has(face))) return null;
    return Computation.of<'floor'>({ kind: 'floor', buildingId: building_id, floor, face, date, receptors });
  },
  absent: ({ building_id, floor, face }, sunlight) => {
    const shape = sunlight.shape(building_id);
    if (shape === null) return `There is no building ${shorten(building_id)} in this dataset.`;
    const storeys = shape.storeys === 1 ? 'one storey' : `${shape.storeys} storeys`;
    if (floor > shape.storeys) return `The building has ${storeys}: there is no floor ${floor}.`;
    return `The building has no face ${face}; it has ${[...shape.receptors.keys()].join(', ') || 'none'}.`;
  },
});
