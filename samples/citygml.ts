import { gridSquareOf } from '../src/geo/grid-square.ts';
import { type Point, toLatLon } from './place.ts';
import type { SampleBuilding } from './town.ts';

/** A CityGML 2.0 file with i-UR 3.1 in the form PLATEAU publishes, for buildings of one ward and grid square. */
export function cityGml(buildings: SampleBuilding[]): string {
  const corners = buildings.flatMap(({ footprints }) => footprints.flat(2)).map(toLatLon);
  const [lats, lons] = [corners.map(([lat]) => lat), corners.map(([, lon]) => lon)];
  const low = `${degrees(Math.min(...lats))} ${degrees(Math.min(...lons))} ${Math.min(...buildings.map((b) => b.base))}`;
  const high = `${degrees(Math.max(...lats))} ${degrees(Math.max(...lons))} ${Math.max(...buildings.map((b) => b.base + b.height)).toFixed(2)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
	<gml:boundedBy>
		<gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
			<gml:lowerCorner>${low}</gml:lowerCorner>
			<gml:upperCorner>${high}</gml:upperCorner>
		</gml:Envelope>
	</gml:boundedBy>
${buildings.map(member).join('')}</core:CityModel>
`;
}

/** The grid square that publishes a building: that of its first corner. */
export function squareOf({ footprints }: SampleBuilding): string {
  return gridSquareOf(...toLatLon(footprints[0][0][0]));
}

function member(building: SampleBuilding, index: number): string {
  const { id, ward, usage, measuredHeight, storeys, footprints, base, height, lod } = building;
  const key = `${ward}-${(id ?? `x-${index}`).replace(/^.*-/, '')}`;
  const lines = [
    '<core:creationDate>2024-03-22</core:creationDate>',
    usage && `<bldg:usage codeSpace="../../codelists/Building_usage.xml">${usage}</bldg:usage>`,
    measuredHeight && `<bldg:measuredHeight uom="m">${measuredHeight}</bldg:measuredHeight>`,
    storeys && `<bldg:storeysAboveGround>${storeys}</bldg:storeysAboveGround>`,
    `<bldg:lod0RoofEdge><gml:MultiSurface>${footprints.map((rings) => surface(rings, 0)).join('')}</gml:MultiSurface></bldg:lod0RoofEdge>`,
    lod === 1 && `<bldg:lod1Solid>${solid(footprints, base, base + height)}</bldg:lod1Solid>`,
    id &&
      `<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>${id}</uro:buildingID>` +
        `<uro:prefecture codeSpace="../../codelists/Common_localPublicAuthorities.xml">13</uro:prefecture>` +
        `<uro:city codeSpace="../../codelists/Common_localPublicAuthorities.xml">${ward}</uro:city>` +
        '</uro:BuildingIDAttribute></uro:buildingIDAttribute>',
  ].filter(Boolean);
  return `\t<core:cityObjectMember>
		<bldg:Building gml:id="bldg_sample-${key}">
${lines.map((line) => `\t\t\t${line}\n`).join('')}\t\t</bldg:Building>
	</core:cityObjectMember>
`;
}

/** Bottoms, walls and tops of every prism. Outer rings are given counter-clockwise, holes are turned here. */
function solid(footprints: Point[][][], base: number, top: number): string {
  const surfaces: string[] = [];
  for (const rings of footprints) {
    const turned = rings.map((ring, i) => (i === 0 ? ring : [...ring].reverse()));
    surfaces.push(
      surface(
        turned.map((ring) => [...ring].reverse()),
        base,
      ),
    );
    for (const ring of turned)
      for (const [i, from] of ring.entries()) surfaces.push(wall(from, ring[(i + 1) % ring.length], base, top));
    surfaces.push(surface(turned, top));
  }
  return `<gml:Solid><gml:exterior><gml:CompositeSurface>${surfaces.join('')}</gml:CompositeSurface></gml:exterior></gml:Solid>`;
}

const surface = (rings: Point[][], z: number): string =>
  polygon(rings.map((ring) => [...ring, ring[0]].map((point) => position(point, z)).join(' ')));

const wall = (from: Point, to: Point, base: number, top: number): string =>
  polygon([
    [position(from, base), position(to, base), position(to, top), position(from, top), position(from, base)].join(' '),
  ]);

const polygon = (rings: string[]): string =>
  `<gml:surfaceMember><gml:Polygon>${rings
    .map((ring, i) => {
      const side = i === 0 ? 'exterior' : 'interior';
      return `<gml:${side}><gml:LinearRing><gml:posList>${ring}</gml:posList></gml:LinearRing></gml:${side}>`;
    })
    .join('')}</gml:Polygon></gml:surfaceMember>`;

function position(point: Point, z: number): string {
  const [lat, lon] = toLatLon(point);
  return `${degrees(lat)} ${degrees(lon)} ${z.toFixed(2)}`;
}

const degrees = (value: number): string => value.toFixed(10);
