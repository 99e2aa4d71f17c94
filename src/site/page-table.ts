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
import { SORTS } from '../contract/operations/kaigo-municipality.ts';
import { DATE_PARAMETER } from '../contract/operations/sunlight-building-floor.ts';
import { DAY_PARAMETER, SHADOW_PARAMETERS } from '../contract/operations/sunlight-shadow.ts';
import { SUN_SORTS } from '../contract/operations/sunlight-towns.ts';
import { datasetId, inPath, type Parameter, page } from '../contract/parameter.ts';
import { Type } from '../contract/schema.ts';
import { FaceName, MOST_STOREYS } from '../contract/sunlight-shapes.ts';
import { flatCall, homeCall, MOST_FLATS, MOST_HOMES } from './compared.ts';
import { CASE_FIELDS, FILTER_FIELDS, NEAR_FIELDS, RESULT_FIELDS } from './kaigo/case.ts';
import { MAP_PARAMETERS } from './map/choices.ts';
import { MAP_HEADERS } from './map/map-files.ts';
import { type DocumentRow, inQuery, type PageRow } from './view.ts';

/** A query parameter about one person's question: its value is private, so the log leaves it out. */
const personal = (name: string, description: string, example: string): Parameter => ({
  ...inQuery(name, Type.String({ maxLength: 200 }), description, example),
  isPrivate: true,
});
/** A schema for some texts. */
const oneOf = (...values: string[]) => Type.Enum(values, { type: 'string' });

const building = inPath('building_id', BuildingId, 'Building ID.', '$building_id');
const town = inPath('town_code', TownCode, 'Code of the town.', '$town_code');
const ward = inPath('ward', WardCode, 'Code of the ward.', '$ward_code');
const facility = inPath('facility_id', FacilityId, 'Office number.', '$facility_id');
const municipality: Parameter = {
  ...inPath('municipality_code', MunicipalityCode, 'Code of the municipality.', '$municipality_code'),
  rule: MUNICIPALITY_CHECK_DIGIT,
};
const prefecture = inPath('prefecture_code', PrefectureCode, 'The prefecture.', '$prefecture_code');
const openMunicipality = inQuery(
  'municipality',
  MunicipalityCode,
  'The municipality whose services are listed.',
  '$municipality_code',
);
const service = inPath('service_code', ServiceParameter, 'The service.', '$service_code');
const problemKind = inPath('kind', Type.String(), 'Name of the problem kind.', 'not-found');
const month = inQuery('month', Type.Integer({ minimum: 1, maximum: 12 }), 'The month.', '12');
const clock = inQuery('clock', Type.Integer({ minimum: 240, maximum: 1200 }), 'Minutes after midnight.', '720');
const balcony = inQuery('balcony', oneOf('1'), 'With a balcony above.', '1');
/** A floor and a wall of a building. */
const wall = [
  inQuery('floor', Type.Integer({ minimum: 1, maximum: MOST_STOREYS }), 'The floor.', '7'),
  inQuery('level', oneOf('first', 'middle', 'top'), 'The lowest, middle or top floor, where no floor is given.', 'top'),
  inQuery('face', FaceName, 'The wall.', '$face'),
];
/** What the page of a building shows: a wall, a month and a measuring point, with or without a balcony. */
const choice = [
  ...wall,
  month,
  inQuery('receptor', Type.Integer({ minimum: 1, maximum: 8 }), 'The measuring point of the wall.', '1'),
  balcony,
];
/** Days whose hours are shown beside those of the 15ths. */
const days = { ...DATE_PARAMETER, description: 'Days to show beside the 15ths.', repeats: true } as const;
/** A day instead of the 15th of the month. */
const oneDay = { ...DAY_PARAMETER, description: 'This day in place of the 15th of the month.' } as const;
/** A placed or changed building: metres from the middle of the chosen building. */
const planned = [
  inQuery('pick', BuildingId, 'The building whose height changes.', '$building_id'),
  inQuery('up', Type.Number({ minimum: 0, maximum: 400 }), 'Its height, metres; 0: it is gone.', '30'),
  inQuery('east', Type.Number({ minimum: -200, maximum: 200 }), 'How far east the new building stands, metres.', '0'),
  inQuery('north', Type.Number({ minimum: -200, maximum: 200 }), 'How far north, metres.', '-30'),
  inQuery('width', Type.Number({ minimum: 1, maximum: 300 }), 'From west to east, metres.', '20'),
  inQuery('depth', Type.Number({ minimum: 1, maximum: 300 }), 'From south to north, metres.', '12'),
  inQuery('turn', Type.Number({ minimum: -90, maximum: 90 }), 'Turned clockwise, degrees.', '0'),
];
/** The user's facts about the building. */
const statedShape = [
  inQuery('storeys', Type.Integer({ minimum: 1, maximum: 200 }), 'Storeys of the building.', '12'),
  inQuery('height_m', Type.Number({ minimum: 2, maximum: 1000 }), 'Height of the building, metres.', '38.5'),
];
const language = inQuery('lang', oneOf('ja', 'en'), 'Language of the words.', 'ja');
const townSort = inQuery('sort', oneOf(...SUN_SORTS), 'The order.', 'annual_hours');
const comparedFlats = {
  ...personal('b', 'Buildings, a comma between them.', '$building_id:7:SW'),
  repeats: true,
} as const;
const comparedHomes = { ...personal('f', 'Facilities, a comma between them.', '$facility_id'), repeats: true } as const;
const careSort = inQuery('sort', oneOf(...SORTS), 'The order.', 'cost');

type SiteRow = Extract<PageRow, { section: 'site' }>;

/** A page without parameters that needs no data. */
const textPage = (id: string, path: string, load: SiteRow['load'], more: Partial<SiteRow> = {}): SiteRow => ({
  id,
  path,
  section: 'site',
  parameters: [],
  load,
  ...more,
});

/**
 * Every page with its path below the root of its language, in the order of matching. The code of a page is loaded after
 * the start, or at its first request, so that a start is fast.
 */
export const PAGE_TABLE: readonly PageRow[] = [
  textPage('home', '/', async () => (await import('./prose/home-page.ts')).homePage, { twin: 'landing-json' }),
  {
    id: 'wards',
    path: '/sunlight/',
    section: 'sunlight',
    parameters: [townSort],
    twin: 'sunlight-towns',
    load: async () => (await import('./sunlight/town-pages.ts')).wardsPage,
  },
  {
    id: 'ward',
    path: '/sunlight/{ward}/',
    section: 'sunlight',
    parameters: [ward, townSort, page, datasetId],
    load: async () => (await import('./sunlight/town-pages.ts')).wardPage,
  },
  {
    id: 'town',
    path: '/sunlight/town/{town_code}/',
    section: 'sunlight',
    parameters: [town, page, datasetId],
    twin: 'sunlight-town-buildings',
    load: async () => (await import('./sunlight/town-pages.ts')).townPage,
  },
  {
    id: 'building',
    path: '/sunlight/building/{building_id}/',
    section: 'sunlight',
    parameters: [building, ...choice, days, ...statedShape],
    twin: 'sunlight-building-full',
    twinWith: { parameter: 'floor', operationId: 'sunlight-building-floor' },
    load: async () => (await import('./sunlight/building-page.ts')).buildingPage,
  },
  {
    id: 'building-scene',
    path: '/sunlight/building/{building_id}/3d/',
    section: 'sunlight',
    parameters: [building, ...wall, ...statedShape, month, oneDay, balcony, clock],
    isCostly: true,
    load: async () => (await import('./sunlight/scene-page.ts')).scenePage,
  },
  {
    id: 'what-if',
    path: '/sunlight/building/{building_id}/what-if/',
    section: 'sunlight',
    parameters: [building, ...wall, ...statedShape, month, oneDay, balcony, ...planned],
    load: async () => (await import('./sunlight/what-if-page.ts')).whatIfPage,
  },
  {
    id: 'compare',
    path: '/compare/',
    section: 'sunlight',
    parameters: [
      comparedFlats,
      personal('add', 'One more.', '$building_id'),
      personal('removed', 'The building that was taken out.', '$building_id'),
      month,
      oneDay,
      balcony,
    ],
    twinOfParts: { parameter: comparedFlats, most: MOST_FLATS, callOf: flatCall },
    load: async () => (await import('./sunlight/compare-page.ts')).comparePage,
  },
  {
    id: 'map',
    path: '/map/',
    section: 'sunlight',
    parameters: [...MAP_PARAMETERS, ...CASE_FIELDS],
    headers: MAP_HEADERS,
    load: async () => (await import('./map/map-page.ts')).mapPage,
  },
  {
    id: 'care-places',
    path: '/kaigo/',
    section: 'kaigo',
    parameters: [openMunicipality, ...CASE_FIELDS],
    twin: 'kaigo-municipalities',
    load: async () => (await import('./kaigo/places-page.ts')).placesPage,
  },
  {
    id: 'care-near',
    path: '/kaigo/near/',
    section: 'kaigo',
    parameters: [...NEAR_FIELDS, ...CASE_FIELDS],
    twin: 'kaigo-near',
    load: async () => (await import('./kaigo/near-page.ts')).careNearPage,
  },
  {
    id: 'care-compare',
    path: '/kaigo/compare/',
    section: 'kaigo',
    parameters: [comparedHomes, personal('add', 'One more.', '$facility_id'), ...CASE_FIELDS, ...RESULT_FIELDS],
    twinOfParts: { parameter: comparedHomes, most: MOST_HOMES, callOf: homeCall },
    load: async () => (await import('./kaigo/compare-page.ts')).careComparePage,
  },
  {
    id: 'facility',
    path: '/kaigo/facility/{facility_id}/',
    section: 'kaigo',
    parameters: [facility, ...CASE_FIELDS, ...RESULT_FIELDS],
    twin: 'kaigo-facility',
    load: async () => (await import('./kaigo/facility-page.ts')).facilityPage,
  },
  {
    id: 'visit',
    path: '/kaigo/facility/{facility_id}/visit/',
    section: 'kaigo',
    parameters: [facility, ...CASE_FIELDS, ...RESULT_FIELDS],
    load: async () => (await import('./kaigo/visit-page.ts')).visitPage,
  },
  {
    id: 'care-prefecture',
    path: '/kaigo/{prefecture_code}/',
    section: 'kaigo',
    parameters: [prefecture, openMunicipality, ...CASE_FIELDS],
    load: async () => (await import('./kaigo/places-page.ts')).placesPage,
  },
  {
    id: 'care-table',
    path: '/kaigo/{municipality_code}/{service_code}/',
    section: 'kaigo',
    parameters: [municipality, service, careSort, page, datasetId, ...CASE_FIELDS, ...FILTER_FIELDS],
    twin: 'kaigo-municipality',
    load: async () => (await import('./kaigo/table-page.ts')).careTablePage,
  },
  {
    id: 'search',
    path: '/search/',
    section: 'search',
    parameters: [personal('q', 'What to look for.', '$q')],
    twin: 'search',
    load: async () => (await import('./prose/search-page.ts')).searchPage,
  },
  textPage('docs', '/docs/', async () => (await import('./prose/prose-pages.ts')).docsPage),
  textPage('method', '/method/', async () => (await import('./prose/prose-pages.ts')).methodPage),
  textPage('about', '/about/', async () => (await import('./prose/prose-pages.ts')).aboutPage),
  textPage('terms', '/terms/', async () => (await import('./prose/prose-pages.ts')).termsPage),
  textPage('pricing', '/pricing/', async () => (await import('./prose/prose-pages.ts')).pricingPage, {
    twin: 'pricing-json',
    isUncached: true,
    // A 402 names it.
    staysWithoutPages: true,
  }),
  textPage('status', '/status/', async () => (await import('./prose/prose-pages.ts')).statusPage, { isUncached: true }),
  textPage('changes-page', '/changes/', async () => (await import('./prose/changes-page.ts')).changesPage, {
    isUncached: true,
  }),
  textPage('problems', '/problems/', async () => (await import('./prose/problem-pages.ts')).problemsPage, {
    twin: 'problems-json',
  }),
  {
    id: 'problem',
    path: '/problems/{kind}/',
    section: 'site',
    parameters: [problemKind],
    twin: 'problem-json',
    staysWithoutPages: true,
    load: async () => (await import('./prose/problem-pages.ts')).problemPage,
  },
];

/** Things that pages show and link to, besides pages, with one path for all languages. */
export const DOCUMENT_TABLE: readonly DocumentRow[] = [
  {
    id: 'sun-drawing',
    path: '/sunlight/building/{building_id}/sun.svg',
    section: 'sunlight',
    parameters: [building, ...choice, ...statedShape, language],
    mediaType: 'image/svg+xml',
    load: async () => (await import('./sunlight/drawings.ts')).sunDrawing,
  },
  {
    id: 'sky-drawing',
    path: '/sunlight/building/{building_id}/sky.svg',
    section: 'sunlight',
    parameters: [building, ...choice, ...statedShape, language],
    mediaType: 'image/svg+xml',
    load: async () => (await import('./sunlight/drawings.ts')).skyDrawing,
  },
  {
    id: 'shadow-drawing',
    path: '/sunlight/shadow.svg',
    section: 'sunlight',
    parameters: [...SHADOW_PARAMETERS, language],
    mediaType: 'image/svg+xml',
    load: async () => (await import('./sunlight/drawings.ts')).shadowDrawing,
  },
  {
    id: 'outline',
    path: '/sunlight/building/{building_id}/outline.geojson',
    section: 'sunlight',
    parameters: [building],
    mediaType: 'application/geo+json',
    load: async () => (await import('./sunlight/drawings.ts')).outlineDocument,
  },
];
