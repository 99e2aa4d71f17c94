import { sunlightTownBuildings as row } from '../../contract/operations/sunlight-towns.ts';
import { implement } from './implementation.ts';
import { absentPage, PAGE_SIZE } from './lists.ts';

export const sunlightTownBuildings = implement(row, {
  find: ({ town_code, page }, sunlight) => sunlight.town(town_code, page, PAGE_SIZE),
  absent: ({ town_code, page }, sunlight) =>
    absentPage(`town ${town_code}`, sunlight.townPages(town_code, PAGE_SIZE), page),
});
