<?xml version='1.0' encoding='utf-8' standalone="yes"?>
<!DOCTYPE CityModel>
<?xml-stylesheet href="none.xsl" type="text/xsl"?>
<!-- The same words in other clothes: <bldg:Building> in a comment, default and rebound namespaces, CDATA, entities. -->
<CityModel xmlns="http://www.opengis.net/citygml/2.0" xmlns:g='http://www.opengis.net/gml' xmlns:b="http://www.opengis.net/citygml/building/2.0"
  xmlns:建="https://www.geospatial.jp/iur/uro/3.2" note="1 > 0 / 'quoted'" >
 <g:boundedBy><g:Envelope srsName="urn:ogc:def:crs:EPSG::6697" srsDimension='3'/></g:boundedBy>
 <cityObjectMember>
  <Building xmlns="http://www.opengis.net/citygml/building/2.0" g:id='a&#45;&amp;&#x20000;' other="/>" >
   <usage codeSpace="a>b"><![CDATA[4]]>1<!-- not 2 -->1<?nor this?></usage>
   <measuredHeight uom="m">&#49;0<![CDATA[.]]>5</measuredHeight >
   <storeysAboveGround
   >3</storeysAboveGround>
   <!-- </Building> --><address><![CDATA[</address></Building>]]><x y="</address"/></address>
   <lod1Solid><g:Solid><g:exterior><g:CompositeSurface>
    <g:surfaceMember><g:Polygon g:id="p"><g:exterior><g:LinearRing><g:posList>35.68 139.76 2 35.6801 139.76 2<!-- in --> 35.6801 139.7602&#32;2
      35.68 139.7602 2<![CDATA[ 35.68 139.76 ]]>2</g:posList></g:LinearRing></g:exterior></g:Polygon></g:surfaceMember>
    <g:surfaceMember><g:Polygon><g:exterior><g:LinearRing><g:pos>35.68 139.76 12</g:pos><g:pos>35.68 139.7602 12</g:pos><g:pos>35.6801 139.7602 12</g:pos><g:pos>35.6801 139.76 12</g:pos><g:pos>35.68 139.76 12</g:pos></g:LinearRing></g:exterior></g:Polygon></g:surfaceMember>
   </g:CompositeSurface></g:exterior></g:Solid></lod1Solid>
   <建:buildingIDAttribute><建:BuildingIDAttribute><建:buildingID>13101-bldg-<b:partOfNoWord/>7</建:buildingID></建:BuildingIDAttribute></建:buildingIDAttribute>
  </Building>
 </cityObjectMember>
 <cityObjectMember><b:Building g:id="empty"/></cityObjectMember>
 <cityObjectMember><grp:CityObjectGroup xmlns:grp="http://www.opengis.net/citygml/cityobjectgroup/2.0"><grp:b/></grp:CityObjectGroup></cityObjectMember>
</CityModel>
<!-- the end -->
