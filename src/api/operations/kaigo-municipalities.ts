import { kaigoMunicipalities as row } from '../../contract/operations/kaigo-municipality.ts';
import { implement } from './implementation.ts';

export const kaigoMunicipalities = implement(row, { find: (_, kaigo) => kaigo.municipalities() });
