<?xml version="1.0" encoding="UTF-8"?>
<!-- Geometry that cannot be taken as it stands. -->
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gen="http://www.opengis.net/citygml/generics/2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:uro="https://www.geospatial.jp/iur/uro/3.0">
<gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3"><gml:lowerCorner>35.6 139.7 0</gml:lowerCorner><gml:upperCorner>35.7 139.8 50</gml:upperCorner></gml:Envelope></gml:boundedBy>
<core:cityObjectMember><bldg:Building gml:id="flat">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 7 35.68010 139.76020 7 35.68000 139.76020 7 35.68000 139.76000 7 35.68010 139.76000 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 7 35.68000 139.76020 7 35.68000 139.76020 7 35.68000 139.76000 7 35.68000 139.76000 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 7 35.68010 139.76020 7 35.68010 139.76020 7 35.68000 139.76020 7 35.68000 139.76020 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 7 35.68010 139.76000 7 35.68010 139.76000 7 35.68010 139.76020 7 35.68010 139.76020 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 7 35.68000 139.76000 7 35.68000 139.76000 7 35.68010 139.76000 7 35.68010 139.76000 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 7 35.68000 139.76020 7 35.68010 139.76020 7 35.68010 139.76000 7 35.68000 139.76000 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="flat-with-height">
<bldg:measuredHeight uom="m">6</bldg:measuredHeight>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 7 35.68010 139.76020 7 35.68000 139.76020 7 35.68000 139.76000 7 35.68010 139.76000 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 7 35.68000 139.76020 7 35.68000 139.76020 7 35.68000 139.76000 7 35.68000 139.76000 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 7 35.68010 139.76020 7 35.68010 139.76020 7 35.68000 139.76020 7 35.68000 139.76020 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 7 35.68010 139.76000 7 35.68010 139.76000 7 35.68010 139.76020 7 35.68010 139.76020 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 7 35.68000 139.76000 7 35.68000 139.76000 7 35.68010 139.76000 7 35.68010 139.76000 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 7 35.68000 139.76020 7 35.68010 139.76020 7 35.68010 139.76000 7 35.68000 139.76000 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="axes-exchanged">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>139.76 35.68 2 139.76 35.6801 2 139.7601 35.6801 2 139.76 35.68 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>139.76 35.68 9 139.76 35.6801 9 139.7601 35.6801 9 139.76 35.68 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-3</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="open-ring">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-4</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="no-number">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68 139.76 2 35.68 139.7601 2 35.68O1 139.7601 2 35.68 139.76 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-5</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="a-line">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-6</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="not-in-threes">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76000 2 35.68000 139.76000 2 35.68</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-7</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="walls-only">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-8</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="walls-and-outline">
<bldg:measuredHeight uom="m">9</bldg:measuredHeight>
<bldg:lod0FootPrint><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76000 2 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod0FootPrint>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-9</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="odd-pairs">
<bldg:measuredHeight uom="m">9</bldg:measuredHeight>
<bldg:lod0FootPrint><gml:MultiSurface srsDimension="2"><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68 139.76 35.6801 139.76 35.6801 139.7602 35.68</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod0FootPrint>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-10</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
</core:CityModel>
