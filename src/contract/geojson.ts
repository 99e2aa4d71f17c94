import type { Static, TObject } from 'typebox';
import { BuildingId } from './identifiers.ts';
import { orNull, Quantity, Type } from './schema.ts';
import { Azimuth, type BuildingSummary, FaceName, Hours, SUMMARY_MEMBERS } from './sunlight-shapes.ts';

// Schemas of GeoJSON (RFC 7946) about buildings.

const Longitude = Quantity('Longitude, degrees.', '$building_lon');
const Latitude = Quantity('Latitude, degrees.', '$building_lat');

export const Ring = Type.Array(
  Type.Tuple([Longitude, Latitude], { description: 'Longitude and latitude (JGD2011).' }),
  {
    minItems: 4,
    description: 'Closed; outer rings run counter-clockwise, holes clockwise.',
    examples: [
      [
        ['$lon', '$lat'],
        ['$lon_east', '$lat'],
        ['$lon_east', '$lat_north'],
        ['$lon', '$lat'],
      ],
    ],
  },
);

export const MultiPolygon = Type.Object(
  {
    type: Type.Literal('MultiPolygon', { examples: ['MultiPolygon'] }),
    coordinates: Type.Array(Type.Array(Ring, { minItems: 1, description: 'The outer ring, then the holes.' }), {
      minItems: 1,
      description: 'A polygon for each part; parts may touch or overlap.',
    }),
  },
  { title: 'MultiPolygon', description: 'Where the walls of a building stand, as a geometry of GeoJSON (RFC 7946).' },
);
export type MultiPolygon = Static<typeof MultiPolygon>;

const NO_WALLS = 'the building has no walls';

const { december_top_best, december_first_south, quality, annual_mean_hours, ...plain } = SUMMARY_MEMBERS;

/** The members of `quality`, with the prefix `quality_`. */
type WithPrefix<Members> = { [Name in keyof Members & string as `quality_${Name}`]: Members[Name] };
const withPrefix = <Members extends object>(members: Members): WithPrefix<Members> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`quality_${name}`, value])) as WithPrefix<Members>;

const TOP = 'the face with most sun at the top floor on 15 December';
const SOUTH = 'the face nearest to due south, at the first floor on 15 December';

const PROPERTIES = {
  ...plain,
  december_top_best_face: orNull(FaceName, NO_WALLS, `Direction of ${TOP}.`),
  december_top_best_azimuth_deg: orNull(Azimuth, NO_WALLS, `Direction of ${TOP}, degrees clockwise from true north.`),
  december_top_best_direct_sun_hours: orNull(Hours, NO_WALLS, `Direct sun of ${TOP}, hours.`),
  december_first_south_face: orNull(FaceName, NO_WALLS, `Direction of ${SOUTH}.`),
  december_first_south_azimuth_deg: orNull(
    Azimuth,
    NO_WALLS,
    `Direction of ${SOUTH}, degrees clockwise from true north.`,
  ),
  december_first_south_direct_sun_hours: orNull(Hours, NO_WALLS, `Direct sun of ${SOUTH}, hours.`),
  annual_mean_hours,
  ...withPrefix(quality.properties),
};

/** A building summary without nested objects, for tables and maps: the columns of the bulk files. */
export const BuildingProperties = Type.Object(PROPERTIES, {
  title: 'BuildingProperties',
  description: 'One building in short, under the names of the columns of the bulk files.',
});
export type BuildingProperties = Static<typeof BuildingProperties>;

const NearbyProperties = Type.Object(
  {
    distance_m: Quantity('From the point to the footprint, metres.', 12.6, 0),
    ...PROPERTIES,
  },
  { title: 'NearbyProperties', description: 'The same, and how far the building is.' },
);

/** The schema of a feature with some properties. */
function featureSchema<P extends TObject>(properties: P, title: string) {
  return Type.Object(
    {
      type: Type.Literal('Feature', { examples: ['Feature'] }),
      id: BuildingId,
      geometry: MultiPolygon,
      properties,
    },
    { title, description: 'A building: where it stands, and its sun in short.' },
  );
}

export const BuildingFeature = featureSchema(BuildingProperties, 'BuildingFeature');
export type BuildingFeature = Static<typeof BuildingFeature>;
export const NearbyFeature = featureSchema(NearbyProperties, 'NearbyFeature');
export type NearbyFeature = Static<typeof NearbyFeature>;

/** The `type` member of a collection of features. */
export const COLLECTION_TYPE = Type.Literal('FeatureCollection', { examples: ['FeatureCollection'] });

/** Converts a building summary to properties without nested objects. */
export function propertiesOf(summary: BuildingSummary): BuildingProperties {
  const { december_top_best: top, december_first_south: south, quality, annual_mean_hours, ...plain } = summary;
  return {
    ...plain,
    december_top_best_face: top?.face ?? null,
    december_top_best_azimuth_deg: top?.azimuth_deg ?? null,
    december_top_best_direct_sun_hours: top?.direct_sun_hours ?? null,
    december_first_south_face: south?.face ?? null,
    december_first_south_azimuth_deg: south?.azimuth_deg ?? null,
    december_first_south_direct_sun_hours: south?.direct_sun_hours ?? null,
    annual_mean_hours,
    ...withPrefix(quality),
  };
}

/** The feature of a building. Its ID comes from the properties. */
export function featureOf<P extends BuildingProperties>(geometry: MultiPolygon, properties: P) {
  return { type: 'Feature' as const, id: properties.building_id, geometry, properties };
}
