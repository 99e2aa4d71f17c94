<?xml version="1.0" encoding="UTF-8"?>
<!-- Building parts: values and solids of the parts stand in where the building has none. -->
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gen="http://www.opengis.net/citygml/generics/2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:uro="https://www.geospatial.jp/iur/uro/3.0">
<gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3"><gml:lowerCorner>35.6 139.7 0</gml:lowerCorner><gml:upperCorner>35.7 139.8 50</gml:upperCorner></gml:Envelope></gml:boundedBy>
<core:cityObjectMember><bldg:Building gml:id="of-two-parts">
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
<bldg:consistsOfBuildingPart><bldg:BuildingPart gml:id="p1">
<bldg:usage>402</bldg:usage>
<bldg:measuredHeight uom="m">10</bldg:measuredHeight>
<bldg:storeysAboveGround>3</bldg:storeysAboveGround>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
</bldg:BuildingPart></bldg:consistsOfBuildingPart>
<bldg:consistsOfBuildingPart><bldg:BuildingPart gml:id="p2">
<bldg:measuredHeight uom="m">28</bldg:measuredHeight>
<bldg:storeysAboveGround>8</bldg:storeysAboveGround>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76030 2 35.68000 139.76030 2 35.68000 139.76020 2 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68000 139.76030 2 35.68000 139.76030 30 35.68000 139.76020 30 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76030 2 35.68010 139.76030 2 35.68010 139.76030 30 35.68000 139.76030 30 35.68000 139.76030 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76030 2 35.68010 139.76020 2 35.68010 139.76020 30 35.68010 139.76030 30 35.68010 139.76030 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76020 30 35.68010 139.76020 30 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 30 35.68000 139.76030 30 35.68010 139.76030 30 35.68010 139.76020 30 35.68000 139.76020 30</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-99</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:BuildingPart></bldg:consistsOfBuildingPart>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="own-solid-and-parts">
<bldg:measuredHeight uom="m">9</bldg:measuredHeight>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
<bldg:consistsOfBuildingPart><bldg:BuildingPart gml:id="p3">
<bldg:measuredHeight uom="m">28</bldg:measuredHeight>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76030 2 35.68000 139.76030 2 35.68000 139.76020 2 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68000 139.76030 2 35.68000 139.76030 30 35.68000 139.76020 30 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76030 2 35.68010 139.76030 2 35.68010 139.76030 30 35.68000 139.76030 30 35.68000 139.76030 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76030 2 35.68010 139.76020 2 35.68010 139.76020 30 35.68010 139.76030 30 35.68010 139.76030 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76020 30 35.68010 139.76020 30 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 30 35.68000 139.76030 30 35.68010 139.76030 30 35.68010 139.76020 30 35.68000 139.76020 30</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
</bldg:BuildingPart></bldg:consistsOfBuildingPart>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="own-outline-parts-solid">
<bldg:measuredHeight uom="m">9</bldg:measuredHeight>
<bldg:lod0FootPrint><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 0 35.68000 139.76020 0 35.68010 139.76020 0 35.68010 139.76000 0 35.68000 139.76000 0</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod0FootPrint>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-3</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
<bldg:consistsOfBuildingPart><bldg:BuildingPart gml:id="p4">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76010 2 35.68000 139.76010 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76010 2 35.68000 139.76010 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76010 2 35.68010 139.76010 2 35.68010 139.76010 12 35.68000 139.76010 12 35.68000 139.76010 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76010 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76010 12 35.68010 139.76010 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76010 12 35.68010 139.76010 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
</bldg:BuildingPart></bldg:consistsOfBuildingPart>
<bldg:consistsOfBuildingPart><bldg:BuildingPart gml:id="p5">
<bldg:boundedBy><bldg:GroundSurface><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76010 1 35.68000 139.76020 1 35.68010 139.76020 1 35.68010 139.76010 1 35.68000 139.76010 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod2MultiSurface>
</bldg:GroundSurface></bldg:boundedBy>
<bldg:boundedBy><bldg:RoofSurface><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76010 22 35.68000 139.76020 22 35.68010 139.76020 22 35.68010 139.76010 22 35.68000 139.76010 22</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod2MultiSurface>
</bldg:RoofSurface></bldg:boundedBy>
</bldg:BuildingPart></bldg:consistsOfBuildingPart>
</bldg:Building></core:cityObjectMember>
</core:CityModel>
