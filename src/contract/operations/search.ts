import type { Static } from 'typebox';
import { MunicipalityCode } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { inQuery } from '../parameter.ts';
import { count, Flag, Latitude, Longitude, oneOf, orNull, Text, Type } from '../schema.ts';

/** The kinds of things that can be found by name, in the order of the results. */
export const PLACE_KINDS = ['building', 'address', 'municipality', 'town', 'facility', 'station'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** Most results of a search, in the API and on the page. */
export const MOST_PLACES = 20;

const FoundPlace = Type.Object(
  {
    kind: oneOf([...PLACE_KINDS], 'What it is.'),
    id: Text(
      'By its kind: building ID, municipality code, town code or office number, as the operations take it. A municipality ' +
        'that the care half does not cover has the 5 digits of `ward_code`; a block of an address the 16 digits of the address ' +
        'base registry.',
      '$building_id',
    ),
    name: Text('Its name; of a building its ID.', '$building_id'),
    reading: orNull(Type.String({ description: 'Kana.', examples: [null] }), 'not known'),
    address: orNull(Text('Where it is; of a building the name of its town.', '$town_name'), 'not known'),
    ward_code: orNull(
      Type.String({
        pattern: '^\\d{5}$',
        description: 'Municipality or ward it lies in, 5 digits, as the sunlight half names it.',
        examples: ['$ward_code'],
      }),
      'not in the sunlight half',
    ),
    municipality_code: orNull(MunicipalityCode, 'not in the care half'),
    lat: orNull(Latitude, 'not known'),
    lon: orNull(Longitude, 'not known'),
    page_url: Type.String({
      format: 'uri',
      description: 'Its page, for people.',
      examples: ['https://hidamari.example/sunlight/building/$building_id/'],
    }),
    api_url: orNull(
      Type.String({
        format: 'uri',
        description: 'The answer about it.',
        examples: ['https://hidamari.example/api/v1/sunlight/building/$building_id'],
      }),
      'no operation is about it',
    ),
  },
  { title: 'FoundPlace', description: 'Something that was found by name, and where to read on.' },
);

export const SearchResults = Type.Object(
  {
    count: count('Results listed.'),
    truncated: Flag('True when there are more.', false),
    ignored: orNull(
      Type.String({
        description:
          'Words of the query without which the places were found, since nothing fits them: those of a station, a shop, another ward.',
        examples: [null],
      }),
      'every word counts, but for the number of a block',
    ),
    places: Type.Array(FoundPlace, { maxItems: MOST_PLACES, description: 'The best first.' }),
  },
  { title: 'SearchResults', description: 'What was found by name, reading, address or ID.' },
);
export type SearchResults = Static<typeof SearchResults>;

const q = {
  name: 'q',
  in: 'query',
  required: true,
  schema: Type.String({ minLength: 1, maxLength: 100 }),
  description:
    'A name, a reading (kana or romaji), an address, an ID or a code. Width, case, hyphens and blanks do not matter.',
  example: '$q',
  isPrivate: true,
} as const satisfies Parameter;

const kind = inQuery('kind', Type.Enum([...PLACE_KINDS], { type: 'string' }), 'Only results of this kind.', 'town');

const limit = {
  name: 'limit',
  in: 'query',
  required: false,
  schema: Type.Integer({ minimum: 1, maximum: MOST_PLACES }),
  default: 10,
  description: 'Most results.',
  example: '10',
} as const satisfies Parameter;

export const search = {
  id: 'search',
  path: '/api/v1/search',
  section: 'search',
  summary: 'Places by name, kana, address or ID',
  description:
    'Towns, municipalities, care facilities, buildings, addresses and stations. An ID comes first (building ID, `gml:id`, code, office number), ' +
    'then an equal name or reading, then names that begin with the words or contain them. With the address base registry an address is found to its block (`address`), followed by its town; otherwise to its chome. Stations need a build with landmarks; shops are not in the data. The words are never logged, and the answer is never cached.',
  parameters: [q, kind, limit],
  costUnits: 1,
  answer: { form: 'envelope', data: SearchResults },
  cache: 'no-store',
  alwaysFinds: true,
  examples: [
    { q: '$q', kind: 'town' },
    { q: '$q_latin', limit: '5' },
  ],
  tool: { name: 'find_place', arguments: { q: 'query' }, list: 'places', leaveOut: ['page_url', 'api_url'] },
} as const satisfies Operation;
