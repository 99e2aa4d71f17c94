import Type, { type Static } from 'typebox';
import { API_STATUSES, type Operation } from '../operation.ts';
import { Azimuth, buildingId, FaceName, Method, Months, ShadingSource, SUMMARY_MEMBERS } from '../sunlight-shapes.ts';

const FloorSunlight = Type.Object(
  {
    floor: Type.Integer({ minimum: 1, description: 'Number of the storey.', examples: [4] }),
    height_m: Type.Number({
      minimum: 0,
      description: 'Height of the receptors above the base of the building, metres.',
      examples: [11.5],
    }),
    months: Months,
  },
  { title: 'FloorSunlight', description: 'One floor of one face.' },
);

const FaceSunlight = Type.Object(
  {
    face: FaceName,
    azimuth_deg: Azimuth,
    wall_length_m: Type.Number({
      minimum: 0,
      description: 'Length of the walls of this face, metres.',
      examples: [14.2],
    }),
    receptors: Type.Integer({ minimum: 1, maximum: 8, description: 'Measuring points on each floor.', examples: [3] }),
    floors: Type.Object(
      { first: FloorSunlight, middle: FloorSunlight, top: FloorSunlight },
      { description: 'The first, the middle and the top floor.' },
    ),
  },
  { title: 'FaceSunlight', description: 'One face of the building. A face without walls is absent.' },
);

export const BuildingFull = Type.Object(
  {
    ...SUMMARY_MEMBERS,
    faces: Type.Array(FaceSunlight, { description: 'The faces that exist, clockwise from north.' }),
    shading_sources: Type.Array(ShadingSource, {
      maxItems: 5,
      description: 'The five buildings that take most sun from this one, the worst first.',
    }),
    self_shaded_share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Share of all blocked time that the building's own walls account for; 0 when nothing is blocked.",
      examples: [0.12],
    }),
    method: Method,
  },
  { title: 'BuildingFull', description: 'Everything about one building.' },
);
export type BuildingFull = Static<typeof BuildingFull>;

export const sunlightBuildingFull = {
  id: 'sunlight-building-full',
  path: '/api/v1/sunlight/building/{building_id}/full',
  half: 'sunlight',
  summary: 'Sunlight of one building, by face, floor and month',
  description:
    'The summary, and for every face, floor class (first, middle, top) and month the hours of direct sun and the ' +
    'windows in which the face is sunlit, and the five buildings that shade it most.',
  parameters: [buildingId],
  costUnits: 3,
  answer: { form: 'envelope', data: BuildingFull },
  cache: 'public',
  statuses: API_STATUSES,
  examples: [{ summary: 'Everything about one building', parameters: { building_id: buildingId.example } }],
  tool: { name: 'building_sun', leaveOut: ['usage_code', 'ward_code', 'quality', 'wall_length_m', 'receptors'] },
} as const satisfies Operation;
