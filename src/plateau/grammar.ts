import { PUBLISHED, type PublishedKey, type PublishedRow } from '../building/attributes.ts';
import { LAYER } from './faces.ts';
import { CHILDREN, SKIP, TEXT } from './xml/handler.ts';

/** True for an element of a uro namespace. */
const isUro = (element: string): boolean => element.startsWith('uro:');

/** The elements of the attributes that pass a test. Each leads to the state named after its attribute. */
function attributeElements(isWanted: (element: string) => boolean): Record<string, PublishedKey> {
  const elements = PUBLISHED.flatMap(({ key, from }) => from.elements.map((element) => [element, key] as const));
  return Object.fromEntries(elements.filter(([element]) => isWanted(element)));
}

/** The uro elements around attributes that building/attributes.ts names. */
const AROUND_ATTRIBUTES = Object.fromEntries(
  PUBLISHED.flatMap(({ from }) => from.within ?? []).map((element) => [element, 'ade' as const]),
);

/** The children of a building or part that contain its values. Their elements come from building/attributes.ts too. */
const VALUES = {
  ...attributeElements((element) => !isUro(element)),
  'con:height': 'height_property',
  // Generic attributes: 2.0 has the name as an attribute, 3.0 as an element in a wrapper.
  'gen:stringAttribute': 'generic_2',
  'core:genericAttribute': 'generic_wrapper',
  // `ade`: elements of uro, which is an Application Domain Extension of CityGML. They are properties of the building in
  // CityGML 2.0, and stand inside an extension element in 3.0.
  'bldg:adeOfAbstractBuilding': 'ade',
  'uro:buildingIDAttribute': 'ade',
  'uro:buildingDetailAttribute': 'ade',
  'uro:buildingDetails': 'ade',
  'uro:extendedAttribute': 'extended',
  ...AROUND_ATTRIBUTES,
};

/** The children of a building or part that contain its surfaces. */
const GEOMETRY = {
  'bldg:lod0FootPrint': 'lod0_footprint',
  'bldg:lod0RoofEdge': 'lod0_roof_edge',
  'core:lod0MultiSurface': 'lod0_surface',
  'bldg:lod1Solid': 'lod1',
  'core:lod1Solid': 'lod1',
  'bldg:lod1MultiSurface': 'lod1',
  'bldg:lod2Solid': 'lod2_solid',
  'core:lod2Solid': 'lod2_solid',
  'bldg:lod2MultiSurface': 'lod2_solid',
  'core:lod2MultiSurface': 'lod2_solid',
  'bldg:lod3Solid': 'lod3',
  'core:lod3Solid': 'lod3',
  'bldg:lod3MultiSurface': 'lod3',
  'core:lod3MultiSurface': 'lod3',
  'bldg:boundedBy': 'boundary',
  'core:boundary': 'boundary',
};

/** Aggregates of surfaces, down to single faces, of GML 3.1 and 3.2. */
const SURFACES = {
  'gml:MultiSurface': 'surfaces',
  'gml:CompositeSurface': 'surfaces',
  'gml:Shell': 'surfaces',
  'gml:Solid': 'surfaces',
  'gml:CompositeSolid': 'surfaces',
  'gml:MultiSolid': 'surfaces',
  'gml:solidMember': 'surfaces',
  'gml:exterior': 'surfaces',
  'gml:surfaceMember': 'surfaces',
  'gml:surfaceMembers': 'surfaces',
  'gml:OrientableSurface': 'surfaces',
  'gml:baseSurface': 'surfaces',
  'gml:Surface': 'surfaces',
  'gml:PolyhedralSurface': 'surfaces',
  'gml:TriangulatedSurface': 'surfaces',
  'gml:Tin': 'surfaces',
  'gml:patches': 'surfaces',
  'gml:polygonPatches': 'surfaces',
  'gml:trianglePatches': 'surfaces',
  'gml:Polygon': 'face',
  'gml:PolygonPatch': 'face',
  'gml:Triangle': 'face',
  'gml:Rectangle': 'face',
};

/** The LOD2 surfaces of a ground, roof or wall. */
const BOUNDARY = { 'bldg:lod2MultiSurface': 'lod2_boundary', 'core:lod2MultiSurface': 'lod2_boundary' } as const;

/**
 * The grammar of CityGML 2.0 and 3.0 down to a building, as plain data: state → element → next state. An element that
 * is not listed is skipped with its content. `*` stands for any other element.
 */
const GRAMMAR = {
  document: { 'core:CityModel': 'model' },
  model: {
    'gml:boundedBy': 'bounds',
    'core:cityObjectMember': 'member',
    'gml:featureMember': 'member',
    'gml:featureMembers': 'member',
  },
  bounds: { 'gml:Envelope': 'envelope' },
  envelope: {},
  member: { 'bldg:Building': 'building', '*': 'other_object' },
  other_object: {},

  building: {
    ...VALUES,
    ...GEOMETRY,
    'bldg:consistsOfBuildingPart': 'parts',
    'bldg:buildingPart': 'parts',
  },
  parts: { 'bldg:BuildingPart': 'building_part' },
  building_part: { ...VALUES, ...GEOMETRY },

  height_property: { 'con:Height': 'height' },
  height: { 'con:highReference': 'high_reference', 'con:value': 'height_value' },
  high_reference: {},
  height_value: {},
  generic_2: { 'gen:value': 'generic_value' },
  generic_wrapper: { 'gen:StringAttribute': 'generic_3' },
  generic_3: { 'gen:name': 'generic_name', 'gen:value': 'generic_value' },
  generic_name: {},
  generic_value: {},
  ade: {
    'uro:BuildingProperties': 'ade',
    'uro:buildingIDAttribute': 'ade',
    'uro:BuildingIDAttribute': 'ade',
    'uro:buildingDetailAttribute': 'ade',
    'uro:BuildingDetailAttribute': 'ade',
    'uro:buildingDetails': 'ade',
    'uro:BuildingDetails': 'ade',
    'uro:buildingID': 'building_id',
    'uro:branchID': 'branch_id',
    'uro:partID': 'part_id',
    'uro:extendedAttribute': 'extended',
    ...AROUND_ATTRIBUTES,
    ...attributeElements(isUro),
  },
  building_id: {},
  branch_id: {},
  part_id: {},
  // i-UR 1.x: pairs of a key and a code. Later versions have an element for each.
  extended: { 'uro:KeyValuePair': 'key_and_code' },
  key_and_code: { 'uro:key': 'extended_key', 'uro:codeValue': 'extended_code' },
  extended_key: {},
  extended_code: {},

  lod0_footprint: SURFACES,
  lod0_roof_edge: SURFACES,
  lod0_surface: SURFACES,
  lod1: SURFACES,
  lod2_solid: SURFACES,
  lod3: {},
  boundary: {
    'bldg:GroundSurface': 'ground_surface',
    'con:GroundSurface': 'ground_surface',
    'bldg:RoofSurface': 'roof_surface',
    'con:RoofSurface': 'roof_surface',
    '*': 'wall_surface',
  },
  ground_surface: { ...BOUNDARY, 'bldg:lod3MultiSurface': 'lod3_ground', 'core:lod3MultiSurface': 'lod3_ground' },
  roof_surface: { ...BOUNDARY, 'bldg:lod3MultiSurface': 'lod3_roof', 'core:lod3MultiSurface': 'lod3_roof' },
  wall_surface: { ...BOUNDARY, 'bldg:lod3MultiSurface': 'lod3_wall', 'core:lod3MultiSurface': 'lod3_wall' },
  lod2_boundary: SURFACES,
  lod3_ground: SURFACES,
  lod3_roof: SURFACES,
  lod3_wall: SURFACES,
  surfaces: SURFACES,
  face: { 'gml:exterior': 'ring', 'gml:interior': 'hole' },
  ring: { 'gml:LinearRing': 'linear_ring', '*': 'bad_ring' },
  hole: { 'gml:LinearRing': 'linear_ring', '*': 'bad_ring' },
  linear_ring: { 'gml:posList': 'positions', 'gml:pos': 'positions' },
  positions: {},
  bad_ring: {},
} as const;

type State = keyof typeof GRAMMAR;
/** The state of an attribute has its name. */
type AnyState = State | PublishedKey;

const ATTRIBUTE_STATES = PUBLISHED.map(({ key }) => key);
const STATES: readonly AnyState[] = [...(Object.keys(GRAMMAR) as State[]), ...ATTRIBUTE_STATES];

/** The number of each state: 1, 2, … without gaps. */
export const STATE = Object.fromEntries(STATES.map((state, i) => [state, i + 1])) as Record<AnyState, number>;

/** The length of a table indexed by state. */
const STATE_COUNT = STATES.length + 1;

/** By state: the attribute whose value it contains, or null. */
export const ATTRIBUTE: readonly (PublishedRow | null)[] = [
  ...Array.from({ length: STATE_COUNT - PUBLISHED.length }, () => null),
  ...PUBLISHED,
];

/** States whose element's text is read. */
const WITH_TEXT: readonly AnyState[] = [
  ...ATTRIBUTE_STATES,
  'high_reference',
  'height_value',
  'generic_name',
  'generic_value',
  'building_id',
  'branch_id',
  'part_id',
  'extended_key',
  'extended_code',
  'positions',
];

/** States that are recorded, and whose content is then skipped. */
const SKIPPED: readonly AnyState[] = ['other_object', 'lod3', 'bad_ring'];

/** What the tokenizer reads of the element of a state. */
function contentOf(state: AnyState): number {
  if (SKIPPED.includes(state)) return SKIP;
  return WITH_TEXT.includes(state) ? TEXT : CHILDREN;
}

/** By number of the state: what the tokenizer reads of the element. Number 0 is no state. */
export const CONTENT = Uint8Array.from([SKIP, ...STATES.map(contentOf)]);

/** The transitions of a state: element → next state. The state of an attribute has none. */
const transitionsOf = (state: AnyState): Record<string, AnyState> =>
  state in GRAMMAR ? (GRAMMAR[state as State] as Record<string, AnyState>) : {};

const ELEMENTS = [...new Set(STATES.flatMap((state) => Object.keys(transitionsOf(state))))].filter(
  (name) => name !== '*',
);
/** The code of each element: 1, 2, … */
const CODES = new Map(ELEMENTS.map((name, i) => [name, i + 1]));

/** The code of an element (`space:local`), or 0 when the grammar does not have it. */
export const codeOfElement = (qualified: string): number => CODES.get(qualified) ?? 0;

/** The length of a row of `NEXT`: one for each code. */
const WIDTH = ELEMENTS.length + 1;

/** By state and element code: the next state, or 0. */
const NEXT = new Uint8Array(STATE_COUNT * WIDTH);
for (const state of STATES) {
  const row = transitionsOf(state);
  for (let code = 0; code < WIDTH; code++) {
    // Code 0 stands for every element that the grammar does not name.
    const next = row[ELEMENTS[code - 1] ?? '*'] ?? row['*'];
    if (next !== undefined) NEXT[STATE[state] * WIDTH + code] = STATE[next];
  }
}

/** The state that an element leads to, or 0 when the element is skipped. */
export const nextState = (state: number, code: number): number => NEXT[state * WIDTH + code];

/** By state: the layer of the faces inside it, or -1. */
export const LAYERS = new Int8Array(STATE_COUNT).fill(-1);
LAYERS[STATE.lod0_footprint] = LAYER.footprint;
LAYERS[STATE.lod0_roof_edge] = LAYER.roofEdge;
LAYERS[STATE.lod0_surface] = LAYER.roofEdge;
LAYERS[STATE.lod1] = LAYER.lod1;
LAYERS[STATE.lod2_solid] = LAYER.solid2;
LAYERS[STATE.ground_surface] = LAYER.ground2;
LAYERS[STATE.roof_surface] = LAYER.roof2;
LAYERS[STATE.wall_surface] = LAYER.wall2;
LAYERS[STATE.lod3_ground] = LAYER.ground3;
LAYERS[STATE.lod3_roof] = LAYER.roof3;
LAYERS[STATE.lod3_wall] = LAYER.wall3;

/** By state: the level of detail that its presence proves, or -1. */
export const LODS = new Int8Array(STATE_COUNT).fill(-1);
LODS[STATE.lod0_footprint] = 0;
LODS[STATE.lod0_roof_edge] = 0;
LODS[STATE.lod0_surface] = 0;
LODS[STATE.lod1] = 1;
LODS[STATE.lod2_solid] = 2;
LODS[STATE.lod2_boundary] = 2;
LODS[STATE.lod3] = 3;
LODS[STATE.lod3_ground] = 3;
LODS[STATE.lod3_roof] = 3;
LODS[STATE.lod3_wall] = 3;
