import type { Static } from 'typebox';
import { BuildingId } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import { count, oneOf, orNull, Quantity, Type } from '../schema.ts';
import { Azimuth, buildingId, EXPECTED_MEMBERS, ExpectedHours, Hours, Method, Month } from '../sunlight-shapes.ts';

const RoofMonth = Type.Object(
  { month: Month, direct_sun_hours: Hours, expected_hours: ExpectedHours },
  { title: 'RoofMonth', description: 'Direct sun on the 15th of one month: a mean over the points.' },
);

const ROOF_MEMBERS = {
  area_m2: Quantity('Area of the surface, as it slopes, square metres.', 84.2, 0),
  points: count('Points that were computed.', 80),
  months: Type.Array(RoofMonth, { minItems: 12, maxItems: 12, description: 'January to December.' }),
  ...EXPECTED_MEMBERS,
};

const RoofPlane = Type.Object(
  {
    tilt_deg: Quantity('From level, degrees.', 26.6, 0, 90),
    azimuth_deg: orNull(
      Azimuth,
      'it is level',
      'Direction in which it slopes down, degrees clockwise from true north.',
    ),
    ...ROOF_MEMBERS,
  },
  { title: 'RoofPlane', description: 'A part of the roof that lies in one plane.' },
);

export const BuildingRoof = Type.Object(
  {
    building_id: BuildingId,
    roof: oneOf(
      ['surfaces', 'flat'],
      '`surfaces`: by the roof surfaces of the city model. `flat`: it has none, and the roof counts as level at the top.',
      { examples: ['surfaces'] },
    ),
    ...ROOF_MEMBERS,
    planes: orNull(
      Type.Array(RoofPlane, { maxItems: 100, description: 'Its planes, the largest first, 100 at most.' }),
      'the city model has no roof surfaces of the building',
    ),
    method: Method,
  },
  { title: 'BuildingRoof', description: 'Direct sun on the roof of a building.' },
);
export type BuildingRoof = Static<typeof BuildingRoof>;

export const sunlightBuildingRoof = {
  id: 'sunlight-building-roof',
  path: '/api/v1/sunlight/building/{building_id}/roof',
  section: 'sunlight',
  summary: 'The sun on a roof, computed on demand',
  description:
    'Hours of direct sun on the roof by month, a mean over points every metre or more; with roof surfaces in the city model also ' +
    'for each plane, with its area, tilt and direction. Provisional.',
  parameters: [buildingId],
  costUnits: 3,
  isComputed: true,
  answer: { form: 'envelope', data: BuildingRoof },
} as const satisfies Operation;
