<?xml version="1.0" encoding="UTF-8"?>
<!-- Only LOD2: a prism from the ground to the highest roof. -->
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gen="http://www.opengis.net/citygml/generics/2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:uro="https://www.geospatial.jp/iur/uro/2.0">
<gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3"><gml:lowerCorner>35.6 139.7 0</gml:lowerCorner><gml:upperCorner>35.7 139.8 50</gml:upperCorner></gml:Envelope></gml:boundedBy>
<core:cityObjectMember><bldg:Building gml:id="house">
<bldg:lod2Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember xlink:href="#ground"/>
<gml:surfaceMember xlink:href="#roof_s"/>
<gml:surfaceMember xlink:href="#roof_n"/>
<gml:surfaceMember xlink:href="#wall"/>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod2Solid>
<bldg:boundedBy><bldg:GroundSurface><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon gml:id="ground"><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod2MultiSurface>
</bldg:GroundSurface></bldg:boundedBy>
<bldg:boundedBy><bldg:RoofSurface><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon gml:id="roof_s"><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 8 35.68000 139.76020 8 35.68005 139.76020 11.5 35.68005 139.76000 11.5 35.68000 139.76000 8</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon gml:id="roof_n"><gml:exterior><gml:LinearRing><gml:posList>35.68005 139.76000 11.5 35.68005 139.76020 11.5 35.68010 139.76020 8 35.68010 139.76000 8 35.68005 139.76000 11.5</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod2MultiSurface>
</bldg:RoofSurface></bldg:boundedBy>
<bldg:boundedBy><bldg:WallSurface><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon gml:id="wall"><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 8 35.68000 139.76000 8 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod2MultiSurface>
</bldg:WallSurface></bldg:boundedBy>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="references-before-and-no-ground">
<bldg:lod2Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember xlink:href="#b_bottom"/>
<gml:surfaceMember xlink:href="#b_top"/>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod2Solid>
<bldg:boundedBy><bldg:WallSurface><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon gml:id="b_bottom"><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 4 35.68010 139.76020 4 35.68000 139.76020 4 35.68000 139.76000 4 35.68010 139.76000 4</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon gml:id="b_top"><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 19 35.68000 139.76020 19 35.68010 139.76020 19 35.68010 139.76000 19 35.68000 139.76000 19</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon gml:id="not_in_the_solid"><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 99 35.68000 139.76020 99 35.68010 139.76020 99 35.68010 139.76000 99 35.68000 139.76000 99</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod2MultiSurface>
</bldg:WallSurface></bldg:boundedBy>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="inline-solid">
<bldg:lod2Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 5 35.68010 139.76020 5 35.68000 139.76020 5 35.68000 139.76000 5 35.68010 139.76000 5</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 5 35.68000 139.76020 5 35.68000 139.76020 15 35.68000 139.76000 15 35.68000 139.76000 5</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 5 35.68010 139.76020 5 35.68010 139.76020 15 35.68000 139.76020 15 35.68000 139.76020 5</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 5 35.68010 139.76000 5 35.68010 139.76000 15 35.68010 139.76020 15 35.68010 139.76020 5</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 5 35.68000 139.76000 5 35.68000 139.76000 15 35.68010 139.76000 15 35.68010 139.76000 5</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 15 35.68000 139.76020 15 35.68010 139.76020 15 35.68010 139.76000 15 35.68000 139.76000 15</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod2Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-3</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="reference-to-nowhere">
<bldg:lod2Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember xlink:href="#c_ground"/>
<gml:surfaceMember xlink:href="#c_roof"/>
<gml:surfaceMember xlink:href="#gone"/>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod2Solid>
<bldg:boundedBy><bldg:GroundSurface><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon gml:id="c_ground"><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 1 35.68000 139.76020 1 35.68010 139.76020 1 35.68010 139.76000 1 35.68000 139.76000 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod2MultiSurface>
</bldg:GroundSurface></bldg:boundedBy>
<bldg:boundedBy><bldg:RoofSurface><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon gml:id="c_roof"><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 9 35.68000 139.76020 9 35.68010 139.76020 9 35.68010 139.76000 9 35.68000 139.76000 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod2MultiSurface>
</bldg:RoofSurface></bldg:boundedBy>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-4</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
</core:CityModel>
