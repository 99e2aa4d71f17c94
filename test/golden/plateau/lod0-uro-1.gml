<?xml version="1.0" encoding="UTF-8"?>
<!-- uro 1.4: the ID is a generic attribute, roof edges lie at the roof. -->
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gen="http://www.opengis.net/citygml/generics/2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:uro="http://www.kantei.go.jp/jp/singi/tiiki/toshisaisei/itoshisaisei/iur/uro/1.4">
<gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3"><gml:lowerCorner>35.6 139.7 0</gml:lowerCorner><gml:upperCorner>35.7 139.8 50</gml:upperCorner></gml:Envelope></gml:boundedBy>
<core:cityObjectMember><bldg:Building gml:id="roof-edge-at-roof">
<gen:stringAttribute name="大字・町コード"><gen:value>42</gen:value></gen:stringAttribute>
<gen:stringAttribute name="建物ID"><gen:value>13111-bldg-726</gen:value></gen:stringAttribute>
<gen:genericAttributeSet name="浸水"><gen:stringAttribute name="建物ID"><gen:value>no</gen:value></gen:stringAttribute></gen:genericAttributeSet>
<bldg:measuredHeight uom="m">11.5</bldg:measuredHeight>
<bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>35.68000 139.76000 14 35.68000 139.76020 14 35.68010 139.76020 14 35.68010 139.76000 14 35.68000 139.76000 14</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></bldg:lod0RoofEdge>
<uro:buildingDetails><uro:BuildingDetails><uro:surveyYear>2016</uro:surveyYear></uro:BuildingDetails></uro:buildingDetails>
<uro:extendedAttribute><uro:KeyValuePair><uro:key>106</uro:key><uro:codeValue>20</uro:codeValue></uro:KeyValuePair></uro:extendedAttribute>
<uro:extendedAttribute><uro:KeyValuePair><uro:key codeSpace="../../codelists/extendedAttribute_key.xml">2</uro:key><uro:codeValue codeSpace="../../codelists/extendedAttribute_key2.xml">1</uro:codeValue></uro:KeyValuePair></uro:extendedAttribute>
<uro:extendedAttribute><uro:KeyValuePair><uro:codeValue>7</uro:codeValue></uro:KeyValuePair></uro:extendedAttribute>
</bldg:Building></core:cityObjectMember>
</core:CityModel>
