/**
 * Short names for the namespaces of PLATEAU files. All supported versions share one name, so the grammar exists once:
 * `core:CityModel` is the element of CityGML 2.0 and 3.0.
 */
type Space = 'core' | 'bldg' | 'con' | 'gen' | 'gml' | 'uro' | 'xlink' | 'other';

const CITYGML =
  /^http:\/\/www\.opengis\.net\/citygml(?:\/(building|construction|generics|profiles\/base))?\/(\d+\.\d+)$/;
/**
 * uro 1.x: www.kantei.go.jp and www.chisou.go.jp; from 2.0: www.geospatial.jp. i-UR 4.0 moves the elements common to
 * all city objects from uro to urc, under the same names.
 */
const URO = /^https?:\/\/[^/]+\/(?:.*\/)?iur\/ur[oc]\/(\d+\.\d+)$/;

const SPACE_OF_MODULE: Record<string, Space> = {
  '': 'core',
  'profiles/base': 'core',
  building: 'bldg',
  construction: 'con',
  generics: 'gen',
};

/** The supported versions of CityGML. */
export const CITYGML_VERSIONS: readonly string[] = ['2.0', '3.0'];

interface Namespace {
  space: Space;
  /** Version in the URI, or null. */
  version: string | null;
}

/** Interprets a namespace URI. An unsupported version of CityGML is `other`, with its version. */
export function namespaceOf(uri: string): Namespace {
  if (uri === 'http://www.opengis.net/gml') return { space: 'gml', version: '3.1' };
  if (uri === 'http://www.opengis.net/gml/3.2') return { space: 'gml', version: '3.2' };
  if (uri === 'http://www.w3.org/1999/xlink') return { space: 'xlink', version: null };
  const cityGml = CITYGML.exec(uri);
  if (cityGml) {
    const [, module = '', version] = cityGml;
    const space = CITYGML_VERSIONS.includes(version) ? SPACE_OF_MODULE[module] : 'other';
    return { space, version };
  }
  // URIs of CityGML 1.0 have a slash in the version.
  if (/citygml\/1\/0/.test(uri)) return { space: 'other', version: '1.0' };
  const uro = URO.exec(uri);
  return uro ? { space: 'uro', version: uro[1] } : { space: 'other', version: null };
}

/**
 * The EPSG codes of JGD2011: geographic 3D with heights above Tokyo Bay (6697), its horizontal part (6668) and vertical
 * part (6695).
 */
const READABLE_CODES = new Set(['6697', '6668', '6695']);

/**
 * The EPSG code of a supported coordinate reference system (6697 or 6668), or null. Accepts all spellings: URL, URN
 * with or without version, `EPSG:n`, `…epsg.xml#n`, and a compound of a horizontal and a vertical system.
 */
export function readableCrs(srsName: string): 6697 | 6668 | null {
  // Between `EPSG` and the code may stand a version, such as `0` or `8.7`.
  const codes = [...srsName.matchAll(/EPSG(?::|\/|\.xml#)+(?:[\d.]*[:/]+)?(\d{4,6})(?!\d)/gi)].map((match) => match[1]);
  if (codes.length === 0 || !codes.every((code) => READABLE_CODES.has(code))) return null;
  if (codes.includes('6697')) return 6697;
  return codes.includes('6668') ? 6668 : null;
}
