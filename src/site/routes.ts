import {
  BuildingId,
  FacilityId,
  MUNICIPALITY_CHECK_DIGIT,
  MunicipalityCode,
  PrefectureCode,
  TownCode,
  WardCode,
} from '../contract/identifiers.ts';
import { ServiceParameter } from '../contract/kaigo-facility.ts';
import { inPath, type Parameter, page } from '../contract/parameter.ts';
import { Type } from '../contract/schema.ts';

import { FaceName } from '../contract/sunlight-shapes.ts';
import { CASE_FIELDS, FILTER_FIELDS } from './kaigo/case.ts';
import { careComparePage, homeCall, MOST_HOMES } from './kaigo/compare-page.ts';
import { facilityPage } from './kaigo/facility-page.ts';

import { careNearPage, NEAR_FIELDS } from './kaigo/near-page.ts';
import { placesPage } from './kaigo/services.ts';
import { careTablePage } from './kaigo/table-page.ts';
import { MAP_PARAMETERS } from './map/choices.ts';
import { MAP_HEADERS } from './map/map-files.ts';
import { mapPage } from './map/map-page.ts';
import { homePage } from './prose/home-page.ts';
import { problemPage, problemsPage } from './prose/problem-pages.ts';
import {
  aboutPage,
  docsPage,
  methodPage,
  pricingPage,
  searchPage,
  statusPage,
  termsPage,
} from './prose/prose-pages.ts';

import { outlineDocument, skyDrawing, sunDrawing } from './sunlight/building-drawings.ts';
import { buildingPage } from './sunlight/building-page.ts';
import { comparePage, flatCall, MOST_FLATS } from './sunlight/compare-page.ts';
import { scenePage } from './sunlight/scene-page.ts';
import { wardPage, wardsPage } from './sunlight/town-lists.ts';
import { townPage } from './sunlight/town-page.ts';
import { inQuery, type PageRoute } from './view.ts';

const personal = (name: string, description: string, example: string): Parameter => ({
  ...inQuery(name, Type.String({ maxLength: 200 }), description, example),
  isPrivate: true,
});
const oneOf = (...values: string[]) => Type.Enum(values, { type: 'string' });

const building = inPath('building_id', BuildingId, 'Building ID.', '13101-bldg-365');
const town = inPath('town_code', TownCode, 'Code of the town.', '13101001001');
const ward = inPath('ward', WardCode, 'Code of the ward.', '13101');
const facility = inPath('facility_id', FacilityId, 'Office number.', '1370100018');
const municipality: Parameter = {
  ...inPath('municipality_code', MunicipalityCode, 'Code of the municipality.', '131016'),
  rule: MUNICIPALITY_CHECK_DIGIT,
};
const service = inPath('service_code', ServiceParameter, 'The service.', '510');
const problemKind = inPath('kind', Type.String(), 'Name of the problem kind.', 'not-found');
const month = inQuery('month', Type.Integer({ minimum: 1, maximum: 12 }), 'The month.', '12');
const clock = inQuery('clock', Type.Integer({ minimum: 240, maximum: 1200 }), 'Minutes after midnight.', '720');
const choice = [
  inQuery('floor', Type.Integer({ minimum: 1, maximum: 300 }), 'The floor.', '7'),
  inQuery('face', FaceName, 'The wall.', 'S'),
  month,
  inQuery('receptor', Type.Integer({ minimum: 1, maximum: 8 }), 'The measuring point of the wall.', '1'),
];
const language = inQuery('lang', oneOf('ja', 'en'), 'Language of the words.', 'ja');
const townSort = inQuery(
  'sort',
  oneOf('december_top_hours', 'december_first_hours', 'annual_hours'),
  'The order.',
  'annual_hours',
);
const comparedFlats = {
  ...personal('b', 'Buildings, a comma between them.', '13101-bldg-365:7:SW'),
  repeats: true,
} as const;
const comparedHomes = { ...personal('f', 'Facilities, a comma between them.', '1370100018'), repeats: true } as const;
const careSort = inQuery('sort', oneOf('id', 'cost', 'staff', 'opened'), 'The order.', 'cost');

/** Every page and where it stands, from the root of its language, in the order in which paths are tried. */
export const PAGE_ROUTES: readonly PageRoute[] = [
  { id: 'home', path: '/', half: 'site', parameters: [], twin: 'landing-json', show: homePage },
  {
    id: 'wards',
    path: '/sunlight/',
    half: 'sunlight',
    parameters: [townSort],
    twin: 'sunlight-towns',
    show: wardsPage,
  },
  { id: 'ward', path: '/sunlight/{ward}/', half: 'sunlight', parameters: [ward, townSort], show: wardPage },
  {
    id: 'town',
    path: '/sunlight/town/{town_code}/',
    half: 'sunlight',
    parameters: [town, page],
    twin: 'sunlight-town-buildings',
    show: townPage,
  },
  {
    id: 'building',
    path: '/sunlight/building/{building_id}/',
    half: 'sunlight',
    parameters: [building, ...choice],
    twin: 'sunlight-building-full',
    twinWith: { parameter: 'floor', operationId: 'sunlight-building-floor' },
    show: buildingPage,
  },
  {
    id: 'building-scene',
    path: '/sunlight/building/{building_id}/3d/',
    half: 'sunlight',
    parameters: [building, month, clock],
    show: scenePage,
  },
  {
    id: 'compare',
    path: '/compare/',
    half: 'sunlight',
    parameters: [comparedFlats, personal('add', 'One more.', '13101-bldg-365')],
    twinOfParts: { parameter: comparedFlats, most: MOST_FLATS, partOf: flatCall },
    show: comparePage,
  },
  { id: 'map', path: '/map/', half: 'sunlight', parameters: MAP_PARAMETERS, headers: MAP_HEADERS, show: mapPage },
  {
    id: 'care-places',
    path: '/kaigo/',
    half: 'kaigo',
    parameters: [inQuery('prefecture', PrefectureCode, 'The prefecture.', '13')],
    twin: 'kaigo-municipalities',
    show: placesPage,
  },
  {
    id: 'care-near',
    path: '/kaigo/near/',
    half: 'kaigo',
    parameters: [...NEAR_FIELDS, ...CASE_FIELDS],
    twin: 'kaigo-near',
    show: careNearPage,
  },
  {
    id: 'care-compare',
    path: '/kaigo/compare/',
    half: 'kaigo',
    parameters: [comparedHomes, personal('add', 'One more.', '1370100018'), ...CASE_FIELDS],
    twinOfParts: { parameter: comparedHomes, most: MOST_HOMES, partOf: homeCall },
    show: careComparePage,
  },
  {
    id: 'facility',
    path: '/kaigo/facility/{facility_id}/',
    half: 'kaigo',
    parameters: [facility, ...CASE_FIELDS],
    twin: 'kaigo-facility',
    show: facilityPage,
  },
  {
    id: 'care-table',
    path: '/kaigo/{municipality_code}/{service_code}/',
    half: 'kaigo',
    parameters: [municipality, service, careSort, page, ...CASE_FIELDS, ...FILTER_FIELDS],
    twin: 'kaigo-municipality',
    show: careTablePage,
  },
  {
    id: 'search',
    path: '/search/',
    half: 'search',
    parameters: [personal('q', 'What to look for.', 'かんだ')],
    twin: 'search',
    show: searchPage,
  },
  { id: 'docs', path: '/docs/', half: 'site', parameters: [], show: docsPage },
  { id: 'method', path: '/method/', half: 'site', parameters: [], show: methodPage },
  { id: 'about', path: '/about/', half: 'site', parameters: [], show: aboutPage },
  { id: 'terms', path: '/terms/', half: 'site', parameters: [], show: termsPage },
  {
    id: 'pricing',
    path: '/pricing/',
    half: 'site',
    parameters: [],
    twin: 'pricing-json',
    isUncached: true,
    show: pricingPage,
  },
  { id: 'status', path: '/status/', half: 'site', parameters: [], isUncached: true, show: statusPage },
  { id: 'problems', path: '/problems/', half: 'site', parameters: [], twin: 'problems-json', show: problemsPage },
  {
    id: 'problem',
    path: '/problems/{kind}/',
    half: 'site',
    parameters: [problemKind],
    twin: 'problem-json',
    staysWithoutPages: true,
    show: problemPage,
  },
];

/** What pages show and link to besides pages: one for all languages. */
export const DOCUMENT_ROUTES: readonly (PageRoute & { mediaType: string })[] = [
  {
    id: 'sun-drawing',
    path: '/sunlight/building/{building_id}/sun.svg',
    half: 'sunlight',
    parameters: [building, ...choice, language],
    mediaType: 'image/svg+xml',
    show: sunDrawing,
  },
  {
    id: 'sky-drawing',
    path: '/sunlight/building/{building_id}/sky.svg',
    half: 'sunlight',
    parameters: [building, ...choice, language],
    mediaType: 'image/svg+xml',
    show: skyDrawing,
  },
  {
    id: 'outline',
    path: '/sunlight/building/{building_id}/outline.geojson',
    half: 'sunlight',
    parameters: [building],
    mediaType: 'application/geo+json',
    show: outlineDocument,
  },
];
