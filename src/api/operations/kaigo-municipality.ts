import { kaigoMunicipality as row } from '../../contract/operations/kaigo-municipality.ts';
import { implement } from './implementation.ts';
import { absentPage, PAGE_SIZE } from './lists.ts';

export const kaigoMunicipality = implement(row, {
  find: ({ municipality_code, service_code, sort, page }, kaigo) =>
    kaigo.municipality(municipality_code, service_code, sort, page, PAGE_SIZE),
  absent({ municipality_code, service_code, page }, kaigo) {
    const pages = kaigo.municipalityPages(municipality_code, service_code, PAGE_SIZE);
    return absentPage(`municipality ${municipality_code}`, pages, page);
  },
});
