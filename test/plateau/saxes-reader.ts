/**
 * A second reader of CityGML buildings, for comparison: on saxes, with a tree of each building and `Number`, written
 * as plainly as possible and without a line of the real one. It takes sound files only.
 */
import { SaxesParser } from 'saxes';
import {
  type ModelAttributes,
  PUBLISHED,
  type PublishedKey,
  type PublishedRow,
} from '../../src/building/attributes.ts';
import type { Building, Footprint } from '../../src/plateau/building.ts';

interface Node {
  /** `bldg:Building`, with fixed short names for the namespaces, whatever the prefix in the file. */
  name: string;
  attributes: Map<string, string>;
  children: Node[];
  text: string;
}

type Point = [lat: number, lon: number, z: number];
type Ring = Point[];
/** Outer ring first. */
type Face = Ring[];

const SHORT: [RegExp, string][] = [
  [/^http:\/\/www\.opengis\.net\/citygml\/[23]\.0$/, 'core'],
  [/^http:\/\/www\.opengis\.net\/citygml\/building\/[23]\.0$/, 'bldg'],
  [/^http:\/\/www\.opengis\.net\/citygml\/construction\/3\.0$/, 'con'],
  [/^http:\/\/www\.opengis\.net\/citygml\/generics\/[23]\.0$/, 'gen'],
  [/^http:\/\/www\.opengis\.net\/gml(\/3\.2)?$/, 'gml'],
  [/\/iur\/ur[oc]\/[\d.]+$/, 'uro'],
  [/^http:\/\/www\.w3\.org\/1999\/xlink$/, 'xlink'],
];

const shortName = (uri: string, local: string): string => {
  const short = SHORT.find(([pattern]) => pattern.test(uri));
  return short ? `${short[1]}:${local}` : `?:${local}`;
};

/** What the comparison is about: everything but the byte offset, which saxes does not know, and the roof, which has tests of its own. */
type PlainBuilding = Omit<Building, 'source' | 'roof' | 'roofSurfaces'>;

export function saxesBuildings(chunks: Iterable<string>): PlainBuilding[] {
  const buildings: PlainBuilding[] = [];
  const stack: Node[] = [];
  let uro = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    const attributes = new Map<string, string>();
    for (const { uri, local, prefix, value } of Object.values(tag.attributes)) {
      attributes.set(prefix === '' ? local : shortName(uri, local), value);
    }
    for (const uri of Object.values(tag.ns ?? {})) {
      const version = /\/iur\/uro\/([\d.]+)$/.exec(uri);
      if (version) uro = Math.max(uro, Number(version[1]));
    }
    const node: Node = { name: shortName(tag.uri, tag.local), attributes, children: [], text: '' };
    // Only what is inside a building is kept as a tree.
    const inBuilding = stack.some(({ name }) => name === 'bldg:Building');
    if (inBuilding) stack.at(-1)!.children.push(node);
    stack.push(node);
  });
  const addText = (text: string) => {
    if (stack.length > 0) stack.at(-1)!.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const node = stack.pop()!;
    if (node.name !== 'bldg:Building') return;
    const building = toBuilding(node, uro >= 3);
    if (building) buildings.push(building);
  });
  for (const chunk of chunks) parser.write(chunk);
  parser.close();
  return buildings;
}

function toBuilding(node: Node, roofEdgesOnGround: boolean): PlainBuilding | null {
  const parts = node.children
    .filter(({ name }) => name === 'bldg:consistsOfBuildingPart' || name === 'bldg:buildingPart')
    .flatMap(({ children }) => children)
    .filter(({ name }) => name === 'bldg:BuildingPart');
  const all = [node, ...parts];
  const first = <T>(of: (node: Node) => T | null): T | null => all.map(of).find((value) => value !== null) ?? null;
  const { createdOn, ...attributes } = attributesOf(node, parts);
  const { measuredHeightM } = attributes;

  const geometry = geometryOf(node, parts, measuredHeightM, roofEdgesOnGround);
  if (geometry === null) return null;
  const id = first(idOf);
  return {
    buildingId: id !== null && /^\d{5}-bldg-\d+$/.test(id) ? id : null,
    ...bodyOf(node),
    gmlId: node.attributes.get('gml:id') ?? null,
    ...geometry,
    ...attributes,
    createdOn: dayOf(createdOn ?? attributes.surveyedOn),
  };
}

/** What is published, as the table of attributes says. */
function attributesOf(node: Node, parts: Node[]): Pick<ModelAttributes, PublishedKey> {
  const values = PUBLISHED.map((row) => {
    const of = (one: Node) => valuesOf(one, row);
    const own = of(node);
    const all = own.length === 0 || row.from.ofSeveral === 'newest' ? [...own, ...parts.flatMap(of)] : own;
    const known = all.filter((value) => value !== null);
    const inOrder = row.from.ofSeveral === 'first' ? known : known.sort((a, b) => (a < b ? 1 : -1));
    return [row.key, inOrder[0] ?? null];
  });
  return Object.fromEntries(values);
}

function valuesOf(node: Node, row: PublishedRow): (string | number | null)[] {
  const elements = row.from.elements.flatMap((name) => descendants(node, name));
  const heights = row.key === 'measuredHeightM' ? descendants(node, 'con:value') : [];
  const extended = descendants(node, 'uro:KeyValuePair')
    .filter((pair) => row.from.extendedKey !== undefined && child(pair, 'uro:key') === row.from.extendedKey)
    .flatMap((pair) => descendants(pair, 'uro:codeValue'));
  return [...elements, ...heights, ...extended]
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      if (row.kind === 'code') return text;
      if (row.kind === 'date') return /^(19|2\d)\d\d/.test(text) ? text.slice(0, 10) : null;
      return Number.isNaN(Number(text)) || row.from.unknown?.includes(Number(text)) ? null : Number(text);
    });
}

/** Trimmed text of the first such child that has one. */
const child = (node: Node, name: string): string | null =>
  node.children.filter((c) => c.name === name && c.text.trim() !== '')[0]?.text.trim() ?? null;

const descendants = (node: Node, name: string): Node[] =>
  node.children
    .filter((c) => c.name !== 'bldg:BuildingPart')
    .flatMap((c) => [...(c.name === name ? [c] : []), ...descendants(c, name)]);

function bodyOf(node: Node): { body?: string } {
  const [branch, part] = ['uro:branchID', 'uro:partID'].map((name) => descendants(node, name)[0]?.text.trim());
  return branch === undefined && part === undefined ? {} : { body: `${branch ?? ''}/${part ?? ''}` };
}

function idOf(node: Node): string | null {
  const uro = descendants(node, 'uro:buildingID').find(({ text }) => text.trim() !== '');
  if (uro) return uro.text.trim();
  for (const attribute of node.children) {
    if (attribute.name === 'gen:stringAttribute' && attribute.attributes.get('name') === '建物ID') {
      return child(attribute, 'gen:value');
    }
    if (attribute.name === 'core:genericAttribute') {
      const string = attribute.children.find(({ name }) => name === 'gen:StringAttribute');
      if (string && child(string, 'gen:name') === '建物ID') return child(string, 'gen:value');
    }
  }
  return null;
}

const dayOf = (date: string | null): string | null => (date?.length === 4 ? `${date}-01-01` : date);

type Geometry = Pick<PlainBuilding, 'lod' | 'footprints' | 'baseM' | 'topM' | 'heightSource' | 'baseSource'>;

function geometryOf(node: Node, parts: Node[], height: number | null, roofEdgesOnGround: boolean): Geometry | null {
  const solids: (Solid | null)[] = [lod1Of(node)];
  if (solids[0] === null) solids.push(...parts.map((part) => lod1Of(part) ?? lod2Of(part)));
  if (!solids.some((solid) => solid !== null)) solids.push(lod2Of(node));
  const found = solids.filter((solid) => solid !== null);
  if (found.length > 0) {
    const baseM = Math.min(...found.map(({ base }) => base));
    const topM = Math.max(...found.map(({ top }) => top));
    const flat = topM - baseM < 0.01;
    if (flat && height === null) return null;
    return {
      lod: found.some(({ lod }) => lod === 2) ? 2 : 1,
      footprints: found.flatMap(({ bottoms }) => bottoms.map(footprint)),
      baseM,
      topM: flat ? baseM + height! : topM,
      heightSource: flat ? 'measured_height' : 'solid',
      baseSource: 'solid',
    };
  }
  const all = [node, ...parts];
  const prints = all.flatMap((of) => descendants(of, 'bldg:lod0FootPrint').flatMap(facesIn));
  const edges = all.flatMap((of) =>
    [...descendants(of, 'bldg:lod0RoofEdge'), ...descendants(of, 'core:lod0MultiSurface')].flatMap(facesIn),
  );
  const faces = prints.length > 0 ? prints : edges;
  if (faces.length === 0 || height === null) return null;
  const z = Math.min(...heights(faces));
  const baseM = z === 0 || prints.length > 0 || roofEdgesOnGround ? z : z - height;
  return {
    lod: 0,
    footprints: faces.map(footprint),
    baseM,
    topM: baseM + height,
    heightSource: 'measured_height',
    baseSource: z === 0 ? 'assumed_zero' : 'lod0',
  };
}

interface Solid {
  lod: 1 | 2;
  bottoms: Face[];
  base: number;
  top: number;
}

function lod1Of(node: Node): Solid | null {
  const faces = node.children.filter(({ name }) => /:lod1(Solid|MultiSurface)$/.test(name)).flatMap(facesIn);
  const bottoms = bottomsOf(faces);
  if (bottoms.length === 0) return null;
  return { lod: 1, bottoms, base: Math.min(...heights(faces)), top: Math.max(...heights(faces)) };
}

function lod2Of(node: Node): Solid | null {
  const surfaces = node.children
    .filter(({ name }) => name === 'bldg:boundedBy' || name === 'core:boundary')
    .flatMap(({ children }) => children);
  const of = (kind: RegExp) =>
    surfaces
      .filter(({ name }) => kind.test(name))
      .flatMap(({ children }) => children.filter(({ name }) => name.endsWith(':lod2MultiSurface')))
      .flatMap(facesIn);
  const [ground, roof] = [of(/:GroundSurface$/), of(/:RoofSurface$/)];
  const solid = node.children.find(({ name }) => name.endsWith(':lod2Solid'));
  const references = solid
    ? within(solid)
        .map((of) => of.attributes.get('xlink:href')?.slice(1))
        .filter((id) => id !== undefined)
    : [];
  const byReference = within(node)
    .filter((of) => of.name === 'gml:Polygon' && references.includes(of.attributes.get('gml:id') ?? ''))
    .flatMap((polygon) => facesIn({ ...node, children: [polygon] }));
  const inSolid = solid ? [...facesIn(solid), ...byReference] : [];
  const all = inSolid.length > 0 ? inSolid : of(/./);
  let bottoms = bottomsOf(ground.length > 0 ? ground : all);
  if (bottoms.length === 0) return null;
  if (
    ground.length === 0 &&
    !bottoms.every((bottom) =>
      all.some((face) => !isWall(face[0]!) && !bottoms.includes(face) && inside(bottom, ...pointInside(face))),
    )
  ) {
    const outline = (name: string) => descendants(node, name).flatMap(facesIn);
    const prints = outline('bldg:lod0FootPrint');
    const edges = [...outline('bldg:lod0RoofEdge'), ...outline('core:lod0MultiSurface')];
    if (prints.length + edges.length > 0) bottoms = prints.length > 0 ? prints : edges;
  }
  return {
    lod: 2,
    bottoms,
    base: Math.min(...heights(ground.length > 0 ? ground : all)),
    top: Math.max(...heights(roof.length > 0 ? roof : all)),
  };
}

const within = (node: Node): Node[] => node.children.flatMap((c) => [c, ...within(c)]);

/** Faces whose outer ring is a LinearRing within Japan; so are their holes, or they are left out. */
function facesIn(node: Node): Face[] {
  const rings = (polygon: Node, name: string) =>
    polygon.children
      .filter((boundary) => boundary.name === name)
      .flatMap((boundary) => boundary.children)
      .filter((ring) => ring.name === 'gml:LinearRing')
      .map((ring) => ringOf(within(ring).find((positions) => positions.name === 'gml:posList')!.text))
      .filter((ring) => ring.every(([lat, lon]) => lat >= 20 && lat <= 46 && lon >= 122 && lon <= 154));
  return within(node)
    .filter(({ name }) => name === 'gml:Polygon')
    .map((polygon) => [...rings(polygon, 'gml:exterior'), ...rings(polygon, 'gml:interior')])
    .filter((face) => face.length > 0);
}

function ringOf(text: string): Ring {
  const numbers = text.trim().split(/\s+/).map(Number);
  const ring: Ring = [];
  for (let i = 0; i < numbers.length; i += 3) ring.push([numbers[i]!, numbers[i + 1]!, numbers[i + 2]!]);
  const [first, last] = [ring[0]!, ring.at(-1)!];
  if (first[0] === last[0] && first[1] === last[1]) ring.pop();
  return ring;
}

const heights = (faces: Face[]): number[] => faces.flat(2).map(([, , z]) => z);

const footprint = (face: Face): Footprint => ({
  rings: face.map((ring) => Float64Array.from(ring.flatMap((point) => point.slice(0, 2)))),
});

/** Faces that are no walls and have no other such face below them, in the published order. */
function bottomsOf(faces: Face[]): Face[] {
  const mean = (face: Face) => face[0]!.reduce((sum, [, , z]) => sum + z, 0) / face[0]!.length;
  const level = faces.filter((face) => !isWall(face[0]!)).sort((a, b) => mean(a) - mean(b));
  const bottoms: Face[] = [];
  for (const face of level) {
    const [lat, lon] = pointInside(face);
    if (!bottoms.some((bottom) => inside(bottom, lat, lon))) bottoms.push(face);
  }
  return bottoms.sort((a, b) => faces.indexOf(a) - faces.indexOf(b));
}

/** Angle of the mean normal: the sum of the cross products of a fan of triangles, in metres. */
function isWall(ring: Ring): boolean {
  const metres = ring.map(
    ([lat, lon, z]): Point => [
      (lon - ring[0]![1]) * 111_000 * Math.cos((lat * Math.PI) / 180),
      (lat - ring[0]![0]) * 111_000,
      z - ring[0]![2],
    ],
  );
  const normal: Point = [0, 0, 0];
  for (let i = 1; i + 1 < metres.length; i++) {
    const [a, b] = [metres[i]!, metres[i + 1]!];
    normal[0] += a[1] * b[2] - a[2] * b[1];
    normal[1] += a[2] * b[0] - a[0] * b[2];
    normal[2] += a[0] * b[1] - a[1] * b[0];
  }
  const length = Math.hypot(...normal);
  return length === 0 || Math.abs(normal[2]) / length < 0.3;
}

/** The first point of a finer and finer grid that lies in the face. */
function pointInside(face: Face): [number, number] {
  const lats = face[0]!.map(([lat]) => lat);
  const lons = face[0]!.map(([, lon]) => lon);
  const [south, west] = [Math.min(...lats), Math.min(...lons)];
  const [height, width] = [Math.max(...lats) - south, Math.max(...lons) - west];
  for (let n = 3; n < 500; n = n * 2 + 1) {
    for (let i = 1; i < n; i++) {
      for (let k = 1; k < n; k++) {
        const [lat, lon] = [south + (height * i) / n, west + (width * k) / n];
        if (inside(face, lat, lon)) return [lat, lon];
      }
    }
  }
  return [lats[0]!, lons[0]!];
}

/** Even–odd rule over all rings. */
function inside(face: Face, lat: number, lon: number): boolean {
  let odd = false;
  for (const ring of face) {
    ring.forEach(([lat1, lon1], i) => {
      const [lat2, lon2] = ring[(i + 1) % ring.length]!;
      if (lat1 > lat !== lat2 > lat && lon < lon1 + ((lat - lat1) / (lat2 - lat1)) * (lon2 - lon1)) odd = !odd;
    });
  }
  return odd;
}
