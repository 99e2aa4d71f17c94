<?xml version="1.0" encoding="UTF-8"?>
<!-- Published values and what stands for unknown. -->
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gen="http://www.opengis.net/citygml/generics/2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:uro="https://www.geospatial.jp/iur/uro/3.0">
<gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3"><gml:lowerCorner>35.6 139.7 0</gml:lowerCorner><gml:upperCorner>35.7 139.8 50</gml:upperCorner></gml:Envelope></gml:boundedBy>
<core:cityObjectMember><bldg:Building gml:id="metres">
<core:creationDate>2025-03-21</core:creationDate>
<bldg:class>3001</bldg:class>
<bldg:usage>411</bldg:usage>
<bldg:usage>402</bldg:usage>
<bldg:measuredHeight uom="m"> 9.5 </bldg:measuredHeight>
<bldg:storeysAboveGround>3</bldg:storeysAboveGround>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
<uro:buildingDataQualityAttribute><uro:BuildingDataQualityAttribute><uro:lod1HeightType codeSpace="../../codelists/BuildingDataQualityAttribute_lod1HeightType.xml">0</uro:lod1HeightType></uro:BuildingDataQualityAttribute></uro:buildingDataQualityAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="unknown-numbers">
<bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
<bldg:storeysAboveGround>9999</bldg:storeysAboveGround>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
<uro:bldgDataQualityAttribute><uro:DataQualityAttribute><uro:lod1HeightType>77</uro:lod1HeightType></uro:DataQualityAttribute></uro:bldgDataQualityAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="zeros">
<bldg:measuredHeight uom="m">0.0</bldg:measuredHeight>
<bldg:storeysAboveGround>0</bldg:storeysAboveGround>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-3</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="other-units">
<bldg:measuredHeight uom="cm">1250</bldg:measuredHeight>
<bldg:storeysAboveGround>+4</bldg:storeysAboveGround>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-4</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="long-unit">
<bldg:measuredHeight uom="urn:ogc:def:uom:EPSG::9001">9.5</bldg:measuredHeight>
<core:creationDate>2025-03-21T00:00:00+09:00</core:creationDate>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-5</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="unknown-unit">
<bldg:measuredHeight uom="shaku">9.5</bldg:measuredHeight>
<bldg:storeysAboveGround>2.5</bldg:storeysAboveGround>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-6</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="not-numbers">
<bldg:measuredHeight uom="m">high</bldg:measuredHeight>
<bldg:storeysAboveGround>many</bldg:storeysAboveGround>
<core:creationDate>2025-02-30</core:creationDate>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-7</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="negative">
<bldg:measuredHeight uom="m">-3</bldg:measuredHeight>
<bldg:storeysAboveGround>-1</bldg:storeysAboveGround>
<core:creationDate>0001-01-01</core:creationDate>
<uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:surveyYear>0001</uro:surveyYear></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-8</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="surveys">
<uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:surveyYear>2016</uro:surveyYear></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
<uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:surveyYear>2020-04-01</uro:surveyYear></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-9</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="bad-id">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-building-10</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="no-id">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="empty-id">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID> </uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="several-ids">
<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-13</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-13</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
<uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-14</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
</bldg:Building></core:cityObjectMember>
</core:CityModel>
