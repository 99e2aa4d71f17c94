import type { BuildingProperties, MultiPolygon } from '../contract/geojson.ts';
import type { BuildingSummary } from '../contract/sunlight-shapes.ts';
import { isCounterClockwise } from '../geo/polygon.ts';
import type { Footprint } from '../plateau/building.ts';
import { degrees7 } from '../record/units.ts';

/** Buildings as GeoJSON (RFC 7946). */

/** Footprints as a geometry: longitude first, rings closed, outer ones counter-clockwise and holes clockwise (3.1.6). */
export function multiPolygonOf(footprints: readonly Footprint[]): MultiPolygon {
  const coordinates = footprints.map(({ rings }) =>
    rings.map((ring, index) => {
      const places = Array.from({ length: ring.length / 2 }, (_, i): [lon: number, lat: number] => [
        degrees7(ring[2 * i + 1]),
        degrees7(ring[2 * i]),
      ]);
      places.push([...places[0]]);
      return isCounterClockwise(ring) === (index === 0) ? places : places.reverse();
    }),
  );
  return { type: 'MultiPolygon', coordinates };
}

/** A building in short without nesting. */
export function propertiesOf(summary: BuildingSummary): BuildingProperties {
  const { december_top_best: top, december_first_south: south, quality, annual_mean_hours, ...plain } = summary;
  return {
    ...plain,
    december_top_best_face: top?.face ?? null,
    december_top_best_azimuth_deg: top?.azimuth_deg ?? null,
    december_top_best_direct_sun_hours: top?.direct_sun_hours ?? null,
    december_first_south_face: south?.face ?? null,
    december_first_south_azimuth_deg: south?.azimuth_deg ?? null,
    december_first_south_direct_sun_hours: south?.direct_sun_hours ?? null,
    annual_mean_hours,
    quality_lod: quality.lod,
    quality_height_source: quality.height_source,
    quality_base_source: quality.base_source,
    quality_surroundings: quality.surroundings,
    quality_surveyed_on: quality.surveyed_on,
  };
}

/** A feature of a building; `properties` hold its ID. */
export function featureOf<P extends BuildingProperties>(geometry: MultiPolygon, properties: P) {
  return { type: 'Feature' as const, id: properties.building_id, geometry, properties };
}
