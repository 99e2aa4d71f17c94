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
import { flatCall, homeCall, MOST_FLATS, MOST_HOMES } from './compared.ts';
import { CASE_FIELDS, FILTER_FIELDS, NEAR_FIELDS } from './kaigo/case.ts';
import { MAP_PARAMETERS } from './map/choices.ts';
import { MAP_HEADERS } from './map/map-files.ts';
import { inQuery, type PageRoute } from './view.ts';

const personal = (name: string, description: string, example: string): Parameter => ({
  ...inQuery(name, Type.String({ maxLength: 200 }), description, example),
  isPrivate: true,
});
const oneOf = (...values: string[]) => Type.Enum(values, { type: 'string' });

const building = inPath('building_id', BuildingId, 'Building ID.', '13101-bldg-904');
const town = inPath('town_code', TownCode, 'Code of the town.', '13101001001');
const ward = inPath('ward', WardCode, 'Code of the ward.', '13101');
const facility = inPath('facility_id', FacilityId, 'Office number.', '1370100651');
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
  ...personal('b', 'Buildings, a comma between them.', '13101-bldg-904:7:SW'),
  repeats: true,
} as const;
const comparedHomes = { ...personal('f', 'Facilities, a comma between them.', '1370100651'), repeats: true } as const;
const careSort = inQuery('sort', oneOf('id', 'cost', 'staff', 'opened'), 'The order.', 'cost');

/**
 * Every page and where it stands, from the root of its language, in the order in which paths are tried. What shows a page is
 * loaded when it is first asked for: a start need not wait for pages.
 */
export const PAGE_ROUTES: readonly PageRoute[] = [
  {
    id: 'home',
    path: '/',
    half: 'site',
    parameters: [],
    twin: 'landing-json',
    show: async (ask) => (await import('./prose/home-page.ts')).homePage(ask),
  },
  {
    id: 'wards',
    path: '/sunlight/',
    half: 'sunlight',
    parameters: [townSort],
    twin: 'sunlight-towns',
    show: async (ask) => (await import('./sunlight/town-lists.ts')).wardsPage(ask),
  },
  {
    id: 'ward',
    path: '/sunlight/{ward}/',
    half: 'sunlight',
    parameters: [ward, townSort],
    show: async (ask) => (await import('./sunlight/town-lists.ts')).wardPage(ask),
  },
  {
    id: 'town',
    path: '/sunlight/town/{town_code}/',
    half: 'sunlight',
    parameters: [town, page],
    twin: 'sunlight-town-buildings',
    show: async (ask) => (await import('./sunlight/town-page.ts')).townPage(ask),
  },
  {
    id: 'building',
    path: '/sunlight/building/{building_id}/',
    half: 'sunlight',
    parameters: [building, ...choice],
    twin: 'sunlight-building-full',
    twinWith: { parameter: 'floor', operationId: 'sunlight-building-floor' },
    show: async (ask) => (await import('./sunlight/building-page.ts')).buildingPage(ask),
  },
  {
    id: 'building-scene',
    path: '/sunlight/building/{building_id}/3d/',
    half: 'sunlight',
    parameters: [building, month, clock],
    show: async (ask) => (await import('./sunlight/scene-page.ts')).scenePage(ask),
  },
  {
    id: 'compare',
    path: '/compare/',
    half: 'sunlight',
    parameters: [comparedFlats, personal('add', 'One more.', '13101-bldg-904')],
    twinOfParts: { parameter: comparedFlats, most: MOST_FLATS, partOf: flatCall },
    show: async (ask) => (await import('./sunlight/compare-page.ts')).comparePage(ask),
  },
  {
    id: 'map',
    path: '/map/',
    half: 'sunlight',
    parameters: MAP_PARAMETERS,
    headers: MAP_HEADERS,
    show: async (ask) => (await import('./map/map-page.ts')).mapPage(ask),
  },
  {
    id: 'care-places',
    path: '/kaigo/',
    half: 'kaigo',
    parameters: [inQuery('prefecture', PrefectureCode, 'The prefecture.', '13')],
    twin: 'kaigo-municipalities',
    show: async (ask) => (await import('./kaigo/services.ts')).placesPage(ask),
  },
  {
    id: 'care-near',
    path: '/kaigo/near/',
    half: 'kaigo',
    parameters: [...NEAR_FIELDS, ...CASE_FIELDS],
    twin: 'kaigo-near',
    show: async (ask) => (await import('./kaigo/near-page.ts')).careNearPage(ask),
  },
  {
    id: 'care-compare',
    path: '/kaigo/compare/',
    half: 'kaigo',
    parameters: [comparedHomes, personal('add', 'One more.', '1370100651'), ...CASE_FIELDS],
    twinOfParts: { parameter: comparedHomes, most: MOST_HOMES, partOf: homeCall },
    show: async (ask) => (await import('./kaigo/compare-page.ts')).careComparePage(ask),
  },
  {
    id: 'facility',
    path: '/kaigo/facility/{facility_id}/',
    half: 'kaigo',
    parameters: [facility, ...CASE_FIELDS],
    twin: 'kaigo-facility',
    show: async (ask) => (await import('./kaigo/facility-page.ts')).facilityPage(ask),
  },
  {
    id: 'care-table',
    path: '/kaigo/{municipality_code}/{service_code}/',
    half: 'kaigo',
    parameters: [municipality, service, careSort, page, ...CASE_FIELDS, ...FILTER_FIELDS],
    twin: 'kaigo-municipality',
    show: async (ask) => (await import('./kaigo/table-page.ts')).careTablePage(ask),
  },
  {
    id: 'search',
    path: '/search/',
    half: 'search',
    parameters: [personal('q', 'What to look for.', 'かんだ')],
    twin: 'search',
    show: async (ask) => (await import('./prose/prose-pages.ts')).searchPage(ask),
  },
  {
    id: 'docs',
    path: '/docs/',
    half: 'site',
    parameters: [],
    show: async (ask) => (await import('./prose/prose-pages.ts')).docsPage(ask),
  },
  {
    id: 'method',
    path: '/method/',
    half: 'site',
    parameters: [],
    show: async (ask) => (await import('./prose/prose-pages.ts')).methodPage(ask),
  },
  {
    id: 'about',
    path: '/about/',
    half: 'site',
    parameters: [],
    show: async (ask) => (await import('./prose/prose-pages.ts')).aboutPage(ask),
  },
  {
    id: 'terms',
    path: '/terms/',
    half: 'site',
    parameters: [],
    show: async (ask) => (await import('./prose/prose-pages.ts')).termsPage(ask),
  },
  {
    id: 'pricing',
    path: '/pricing/',
    half: 'site',
    parameters: [],
    twin: 'pricing-json',
    isUncached: true,
    show: async (ask) => (await import('./prose/prose-pages.ts')).pricingPage(ask),
  },
  {
    id: 'status',
    path: '/status/',
    half: 'site',
    parameters: [],
    isUncached: true,
    show: async (ask) => (await import('./prose/prose-pages.ts')).statusPage(ask),
  },
  {
    id: 'problems',
    path: '/problems/',
    half: 'site',
    parameters: [],
    twin: 'problems-json',
    show: async (ask) => (await import('./prose/problem-pages.ts')).problemsPage(ask),
  },
  {
    id: 'problem',
    path: '/problems/{kind}/',
    half: 'site',
    parameters: [problemKind],
    twin: 'problem-json',
    staysWithoutPages: true,
    show: async (ask) => (await import('./prose/problem-pages.ts')).problemPage(ask),
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
    show: async (ask) => (await import('./sunlight/building-drawings.ts')).sunDrawing(ask),
  },
  {
    id: 'sky-drawing',
    path: '/sunlight/building/{building_id}/sky.svg',
    half: 'sunlight',
    parameters: [building, ...choice, language],
    mediaType: 'image/svg+xml',
    show: async (ask) => (await import('./sunlight/building-drawings.ts')).skyDrawing(ask),
  },
  {
    id: 'outline',
    path: '/sunlight/building/{building_id}/outline.geojson',
    half: 'sunlight',
    parameters: [building],
    mediaType: 'application/geo+json',
    show: async (ask) => (await import('./sunlight/building-drawings.ts')).outlineDocument(ask),
  },
];
