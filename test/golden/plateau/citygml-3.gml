<?xml version="1.0" encoding="UTF-8"?>
<!-- CityGML 3.0 with uro 4.0: LOD properties in core, heights in construction, uro under an ADE hook. -->
<core:CityModel xmlns:core="http://www.opengis.net/citygml/3.0" xmlns:bldg="http://www.opengis.net/citygml/building/3.0" xmlns:con="http://www.opengis.net/citygml/construction/3.0" xmlns:gen="http://www.opengis.net/citygml/generics/3.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:uro="https://www.geospatial.jp/iur/uro/4.0" xmlns:urc="https://www.geospatial.jp/iur/urc/4.0">
<core:cityObjectMember><bldg:Building gml:id="a">
<core:creationDate>2025-03-21T00:00:00</core:creationDate>
<core:genericAttribute><gen:StringAttribute><gen:name>建物ID</gen:name><gen:value>13101-bldg-1</gen:value></gen:StringAttribute></core:genericAttribute>
<bldg:usage>411</bldg:usage>
<core:boundary><con:RoofSurface><core:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 99 35.68000 139.76020 99 35.68010 139.76020 99 35.68010 139.76000 99 35.68000 139.76000 99</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></core:lod2MultiSurface>
</con:RoofSurface></core:boundary>
<core:lod0MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 0 35.68000 139.76020 0 35.68010 139.76020 0 35.68010 139.76000 0 35.68000 139.76000 0</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></core:lod0MultiSurface>
<core:lod1Solid><gml:Solid><gml:exterior><gml:Shell>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68010 139.76020 2 35.68000 139.76020 2 35.68000 139.76000 2 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 2 35.68000 139.76020 2 35.68000 139.76020 12 35.68000 139.76000 12 35.68000 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 2 35.68010 139.76020 2 35.68010 139.76020 12 35.68000 139.76020 12 35.68000 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 2 35.68010 139.76000 2 35.68010 139.76000 12 35.68010 139.76020 12 35.68010 139.76020 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 2 35.68000 139.76000 2 35.68000 139.76000 12 35.68010 139.76000 12 35.68010 139.76000 2</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 12 35.68000 139.76020 12 35.68010 139.76020 12 35.68010 139.76000 12 35.68000 139.76000 12</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:Shell></gml:exterior></gml:Solid></core:lod1Solid>
<con:height><con:Height><con:highReference>lowestEaves</con:highReference><con:value uom="m">7</con:value></con:Height></con:height>
<con:height><con:Height><con:highReference>highestRoofEdge</con:highReference><con:value uom="m">9.5</con:value></con:Height></con:height>
<bldg:storeysAboveGround>3</bldg:storeysAboveGround>
<core:adeOfAbstractCityObject><urc:DataQualityAttribute><urc:geometrySrcDescLod1>000</urc:geometrySrcDescLod1><urc:lod1HeightType>2</urc:lod1HeightType></urc:DataQualityAttribute></core:adeOfAbstractCityObject>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="b">
<con:height><con:Height><con:value uom="m">-9999</con:value></con:Height></con:height>
<core:boundary><con:GroundSurface><core:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 3 35.68000 139.76020 3 35.68010 139.76020 3 35.68010 139.76000 3 35.68000 139.76000 3</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></core:lod2MultiSurface>
</con:GroundSurface></core:boundary><core:boundary><con:RoofSurface><core:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 9 35.68000 139.76020 9 35.68010 139.76020 9 35.68010 139.76000 9 35.68000 139.76000 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></core:lod2MultiSurface>
</con:RoofSurface></core:boundary>
<bldg:adeOfAbstractBuilding><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-2</uro:buildingID></uro:BuildingIDAttribute></bldg:adeOfAbstractBuilding>
<bldg:adeOfAbstractBuilding><uro:BuildingDetailAttribute><uro:surveyYear>2020-04-01</uro:surveyYear></uro:BuildingDetailAttribute></bldg:adeOfAbstractBuilding>
</bldg:Building></core:cityObjectMember>
<core:cityObjectMember><bldg:Building gml:id="c">
<bldg:buildingPart><bldg:BuildingPart gml:id="c1">
<core:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 1 35.68010 139.76020 1 35.68000 139.76020 1 35.68000 139.76000 1 35.68010 139.76000 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 1 35.68000 139.76020 1 35.68000 139.76020 5 35.68000 139.76000 5 35.68000 139.76000 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76020 1 35.68010 139.76020 1 35.68010 139.76020 5 35.68000 139.76020 5 35.68000 139.76020 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76020 1 35.68010 139.76000 1 35.68010 139.76000 5 35.68010 139.76020 5 35.68010 139.76020 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68010 139.76000 1 35.68000 139.76000 1 35.68000 139.76000 5 35.68010 139.76000 5 35.68010 139.76000 1</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 5 35.68000 139.76020 5 35.68010 139.76020 5 35.68010 139.76000 5 35.68000 139.76000 5</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:CompositeSurface></gml:exterior></gml:Solid></core:lod1Solid>
</bldg:BuildingPart></bldg:buildingPart>
</bldg:Building></core:cityObjectMember>
</core:CityModel>
