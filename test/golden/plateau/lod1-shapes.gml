<?xml version="1.0" encoding="UTF-8"?>
<!-- Solids of LOD1: holes, several prisms, tops and bottoms that are not what one expects. -->
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gen="http://www.opengis.net/citygml/generics/2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:uro="https://www.geospatial.jp/iur/uro/3.0">
<gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3"><gml:lowerCorner>35.6 139.7 0</gml:lowerCorner><gml:upperCorner>35.7 139.8 50</gml:upperCorner></gml:Envelope></gml:boundedBy>
<core:cityObjectMember><bldg:Building gml:id="plain">
<bldg:measuredHeight uom="m">9.5</bldg:measuredHeight>
<bldg:lod0FootPrint><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 0 35.68000 139.76020 0 35.68010 139.76020 0 35.68010 139.76000 0 35.68000 139.76000 0</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod0FootPrint>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="courtyard">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68040 139.76100 3 35.68040 139.76140 3 35.68000 139.76140 3 35.68000 139.76100 3 35.68040 139.76100 3</gml:posList></gml:LinearRing></gml:exterior><gml:interior><gml:LinearRing><gml:posList>35.68010 139.76110 3 35.68010 139.76130 3 35.68030 139.76130 3 35.68030 139.76110 3 35.68010 139.76110 3</gml:posList></gml:LinearRing></gml:interior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76100 3 35.68000 139.76140 3 35.68000 139.76140 15 35.68000 139.76100 15 35.68000 139.76100 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76140 3 35.68040 139.76140 3 35.68040 139.76140 15 35.68000 139.76140 15 35.68000 139.76140 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68040 139.76140 3 35.68040 139.76100 3 35.68040 139.76100 15 35.68040 139.76140 15 35.68040 139.76140 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68040 139.76100 3 35.68000 139.76100 3 35.68000 139.76100 15 35.68040 139.76100 15 35.68040 139.76100 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68030 139.76110 3 35.68030 139.76130 3 35.68030 139.76130 15 35.68030 139.76110 15 35.68030 139.76110 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68030 139.76130 3 35.68010 139.76130 3 35.68010 139.76130 15 35.68030 139.76130 15 35.68030 139.76130 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76130 3 35.68010 139.76110 3 35.68010 139.76110 15 35.68010 139.76130 15 35.68010 139.76130 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76110 3 35.68030 139.76110 3 35.68030 139.76110 15 35.68010 139.76110 15 35.68010 139.76110 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76100 15 35.68000 139.76140 15 35.68040 139.76140 15 35.68040 139.76100 15 35.68000 139.76100 15</gml:posList></gml:LinearRing></gml:exterior><gml:interior><gml:LinearRing><gml:posList>35.68030 139.76110 15 35.68030 139.76130 15 35.68010 139.76130 15 35.68010 139.76110 15 35.68030 139.76110 15</gml:posList></gml:LinearRing></gml:interior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="turned-inside-out">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76000 2 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 12 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76000 12 35.68010 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-3</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="two-prisms">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76200 2 35.68010 139.76210 2 35.68000 139.76210 2 35.68000 139.76200 2 35.68010 139.76200 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76200 2 35.68000 139.76210 2 35.68000 139.76210 12 35.68000 139.76200 12 35.68000 139.76200 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76210 2 35.68010 139.76210 2 35.68010 139.76210 12 35.68000 139.76210 12 35.68000 139.76210 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76210 2 35.68010 139.76200 2 35.68010 139.76200 12 35.68010 139.76210 12 35.68010 139.76210 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76200 2 35.68000 139.76200 2 35.68000 139.76200 12 35.68010 139.76200 12 35.68010 139.76200 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76200 12 35.68000 139.76210 12 35.68010 139.76210 12 35.68010 139.76200 12 35.68000 139.76200 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76210 2 35.68010 139.76220 2 35.68000 139.76220 2 35.68000 139.76210 2 35.68010 139.76210 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76210 2 35.68000 139.76220 2 35.68000 139.76220 30 35.68000 139.76210 30 35.68000 139.76210 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76220 2 35.68010 139.76220 2 35.68010 139.76220 30 35.68000 139.76220 30 35.68000 139.76220 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76220 2 35.68010 139.76210 2 35.68010 139.76210 30 35.68010 139.76220 30 35.68010 139.76220 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76210 2 35.68000 139.76210 2 35.68000 139.76210 30 35.68010 139.76210 30 35.68010 139.76210 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76210 30 35.68000 139.76220 30 35.68010 139.76220 30 35.68010 139.76210 30 35.68000 139.76210 30</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-4</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="on-a-slope">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76300 2 35.68010 139.76310 2 35.68000 139.76310 2 35.68000 139.76300 2 35.68010 139.76300 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76300 2 35.68000 139.76310 2 35.68000 139.76310 12 35.68000 139.76300 12 35.68000 139.76300 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76310 2 35.68010 139.76310 2 35.68010 139.76310 12 35.68000 139.76310 12 35.68000 139.76310 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76310 2 35.68010 139.76300 2 35.68010 139.76300 12 35.68010 139.76310 12 35.68010 139.76310 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76300 2 35.68000 139.76300 2 35.68000 139.76300 12 35.68010 139.76300 12 35.68010 139.76300 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76300 12 35.68000 139.76310 12 35.68010 139.76310 12 35.68010 139.76300 12 35.68000 139.76300 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76320 9 35.68010 139.76330 9 35.68000 139.76330 9 35.68000 139.76320 9 35.68010 139.76320 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76320 9 35.68000 139.76330 9 35.68000 139.76330 19 35.68000 139.76320 19 35.68000 139.76320 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76330 9 35.68010 139.76330 9 35.68010 139.76330 19 35.68000 139.76330 19 35.68000 139.76330 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76330 9 35.68010 139.76320 9 35.68010 139.76320 19 35.68010 139.76330 19 35.68010 139.76330 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76320 9 35.68000 139.76320 9 35.68000 139.76320 19 35.68010 139.76320 19 35.68010 139.76320 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76320 19 35.68000 139.76330 19 35.68010 139.76330 19 35.68010 139.76320 19 35.68000 139.76320 19</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-5</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="tower-on-podium">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68040 139.76400 1 35.68040 139.76440 1 35.68000 139.76440 1 35.68000 139.76400 1 35.68040 139.76400 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76400 1 35.68000 139.76440 1 35.68000 139.76440 6 35.68000 139.76400 6 35.68000 139.76400 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76440 1 35.68040 139.76440 1 35.68040 139.76440 6 35.68000 139.76440 6 35.68000 139.76440 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68040 139.76440 1 35.68040 139.76400 1 35.68040 139.76400 6 35.68040 139.76440 6 35.68040 139.76440 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68040 139.76400 1 35.68000 139.76400 1 35.68000 139.76400 6 35.68040 139.76400 6 35.68040 139.76400 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76400 6 35.68000 139.76440 6 35.68040 139.76440 6 35.68040 139.76400 6 35.68000 139.76400 6</gml:posList></gml:LinearRing></gml:exterior><gml:interior><gml:LinearRing><gml:posList>35.68030 139.76410 6 35.68030 139.76430 6 35.68010 139.76430 6 35.68010 139.76410 6 35.68030 139.76410 6</gml:posList></gml:LinearRing></gml:interior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76410 6 35.68010 139.76430 6 35.68010 139.76430 60 35.68010 139.76410 60 35.68010 139.76410 6</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76430 6 35.68030 139.76430 6 35.68030 139.76430 60 35.68010 139.76430 60 35.68010 139.76430 6</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68030 139.76430 6 35.68030 139.76410 6 35.68030 139.76410 60 35.68030 139.76430 60 35.68030 139.76430 6</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68030 139.76410 6 35.68010 139.76410 6 35.68010 139.76410 60 35.68030 139.76410 60 35.68030 139.76410 6</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76410 60 35.68010 139.76430 60 35.68030 139.76430 60 35.68030 139.76410 60 35.68010 139.76410 60</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-6</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="uneven-bottom">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76500 2 35.68010 139.76510 2 35.68000 139.76510 3 35.68000 139.76500 2 35.68010 139.76500 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76500 2 35.68000 139.76510 2 35.68000 139.76510 12 35.68000 139.76500 12 35.68000 139.76500 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76510 2 35.68010 139.76510 2 35.68010 139.76510 12 35.68000 139.76510 12 35.68000 139.76510 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76510 2 35.68010 139.76500 2 35.68010 139.76500 12 35.68010 139.76510 12 35.68010 139.76510 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76500 2 35.68000 139.76500 2 35.68000 139.76500 12 35.68010 139.76500 12 35.68010 139.76500 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76500 12 35.68000 139.76510 12 35.68010 139.76510 12 35.68010 139.76500 12 35.68000 139.76500 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-7</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="as-multi-surface">
<bldg:lod1MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod1MultiSurface>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="lod2-beside-lod1">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<bldg:lod2Solid><gml:Solid><gml:exterior><gml:CompositeSurface><gml:surfaceMember xlink:href="#nowhere"/></gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod2Solid>
<bldg:boundedBy><bldg:RoofSurface><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 40 35.68000 139.76020 40 35.68010 139.76020 40 35.68010 139.76000 40 35.68000 139.76000 40</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod2MultiSurface>
</bldg:RoofSurface></bldg:boundedBy>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-9</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
</core:CityModel>
