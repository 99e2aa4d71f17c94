/**
 * What the GeoParquet 1.1 specification asks of the `geo` metadata (https://geoparquet.org/releases/v1.1.0/), as far
 * as a file with WKB uses it: a line for each rule that is broken. `columns`: the names in the file's schema.
 */
export function geoParquetComplaints(geo: unknown, columns: readonly string[]): string[] {
  const complaints: string[] = [];
  const must = (holds: boolean, rule: string): void => {
    if (!holds) complaints.push(rule);
  };
  const object = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!object(geo)) return ['geo is a JSON object'];
  must(geo.version === '1.1.0', 'version is 1.1.0');
  must(typeof geo.primary_column === 'string' && geo.primary_column !== '', 'primary_column names a column');
  if (!object(geo.columns) || Object.keys(geo.columns).length === 0) return [...complaints, 'columns is not empty'];
  must(String(geo.primary_column) in geo.columns, 'the primary column is described');
  for (const [name, column] of Object.entries(geo.columns)) {
    must(columns.includes(name), `${name} is a column of the file`);
    if (!object(column)) return [...complaints, `${name} is an object`];
    must(column.encoding === 'WKB', 'encoding is WKB');
    const types = column.geometry_types;
    must(Array.isArray(types) && new Set(types).size === types.length, 'geometry_types is a list without repeats');
    must(
      Array.isArray(types) &&
        types.every((type) => /^(GeometryCollection|(Multi)?(Point|LineString|Polygon))( Z)?$/.test(type)),
      'geometry_types are names of types',
    );
    must(column.crs === undefined || column.crs === null || isProjJson(column.crs), 'crs is PROJJSON');
    must(
      [undefined, 'planar', 'spherical'].includes(column.edges as string | undefined),
      'edges is planar or spherical',
    );
    must(
      [undefined, 'counterclockwise'].includes(column.orientation as string | undefined),
      'orientation is a known one',
    );
    const { bbox } = column;
    must(
      bbox === undefined || (Array.isArray(bbox) && [4, 6].includes(bbox.length) && bbox.every(Number.isFinite)),
      'bbox is four or six numbers',
    );
    if (column.covering === undefined) continue;
    const cover = object(column.covering) ? column.covering.bbox : null;
    if (!object(cover)) return [...complaints, 'covering has a bbox'];
    const paths = ['xmin', 'ymin', 'xmax', 'ymax'].map((side) => cover[side]);
    must(
      paths.every(
        (path) => Array.isArray(path) && path.length === 2 && columns.includes(path[0]) && columns.includes(path[1]),
      ),
      'covering names a column and its member for each side',
    );
    must(new Set(paths.map((path) => (path as string[])[0])).size === 1, 'covering is one column');
  }
  return complaints;

  function isProjJson(crs: unknown): boolean {
    if (!object(crs) || !object(crs.coordinate_system) || !object(crs.datum)) return false;
    const { axis } = crs.coordinate_system;
    return crs.type === 'GeographicCRS' && typeof crs.name === 'string' && Array.isArray(axis) && axis.length === 2;
  }
}
