/**
 * The kind of a published file, by its name alone. Names of PLATEAU, e-Stat, Japan Post and the ministry's office lists
 * follow fixed patterns. A folder or zip contains many other files.
 */
export type InputKind =
  | 'buildings' // CityGML with buildings
  | 'terrain' // CityGML relief
  | 'city_objects' // CityGML of another theme: roads, land use, …
  | 'code_list'
  | 'shapefile' // .shp and the files that belong to it
  | 'office_list'
  | 'postal_names'
  | 'address_blocks' // of the address base registry: names or positions
  | 'table' // any other CSV, or a workbook
  | 'weather' // EPW: weather by the hour
  | 'mesh_normals' // GML of 国土数値情報 G02: normals of the climate by grid square
  | 'zip'
  | 'packed' // by another program than zip
  | 'other';

/** `<grid square>_<theme>_<EPSG>…gml`, by the naming rule of PLATEAU files. A prefix before the square is accepted. */
const THEME_IN_NAME = /(?:^|_)\d{6,11}_([a-z]+)_\d{4}(?:_|\.|$)/;
/** `G02-22_5339-jgd.xml`: edition and square of the first order. */
const MESH_NORMALS = /^G02-\d\d_\d{4}[^/]*\.(xml|gml)$/i;
const THEME_IN_PATH = /(?:^|\/)udx\/([a-z]+)\//;

/**
 * The kind of a path with `/` separators. GML without a theme in its name counts as buildings; the reader reports it if
 * that is wrong.
 */
export function kindOfName(path: string): InputKind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^\._|^\.DS_Store$/.test(name) || /(^|\/)__MACOSX\//.test(path)) return 'other';
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (MESH_NORMALS.test(name)) return 'mesh_normals';
  switch (extension) {
    case 'gml':
    case 'citygml':
      return kindOfTheme(THEME_IN_NAME.exec(name.toLowerCase())?.[1] ?? THEME_IN_PATH.exec(path)?.[1]);
    case 'xml':
      return /(^|\/)codelists\//.test(path) || /^[A-Z][A-Za-z]*_[A-Za-z]+\.xml$/.test(name) ? 'code_list' : 'other';
    case 'shp':
    case 'dbf':
    case 'shx':
    case 'prj':
    case 'cpg':
      return 'shapefile';
    case 'csv':
      if (/^jigyosho_\d{3}(_|\.)/i.test(name)) return 'office_list';
      if (/^mt_rsdtdsp_blk_/i.test(name)) return 'address_blocks';
      return /^(\d{2}[A-Z]+|(utf_)?ken_all(_rome)?)\.csv$/i.test(name) ? 'postal_names' : 'table';
    case 'xls':
    case 'xlsm':
    case 'xlsx':
      return 'table';
    case 'epw':
      return 'weather';
    case 'zip':
      return 'zip';
    case '7z':
    case 'bz2':
    case 'gz':
    case 'lzh':
    case 'rar':
    case 'tar':
    case 'tgz':
    case 'xz':
    case 'zst':
      return 'packed';
    default:
      return 'other';
  }
}

function kindOfTheme(theme: string | undefined): InputKind {
  if (theme === undefined || theme === 'bldg') return 'buildings';
  return theme === 'dem' ? 'terrain' : 'city_objects';
}
