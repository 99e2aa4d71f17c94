import { checkInJapan, PublishedFileError } from '../census/published-file.ts';
import { CHILDREN, type Content, SKIP, TEXT, XmlError, type XmlHandler } from '../plateau/xml/handler.ts';
import { XmlTokenizer } from '../plateau/xml/tokenizer.ts';
import type { Landmark } from './landmark.ts';

/** The codes of elements, by what they mean for the reader. `NONE`: an element that it does not know. */
const NONE = 0;
const ROAD = 1;
const RAILWAY = 2;
const WATER = 3;
/** Surfaces of LOD 0 or 1: the outline from above. */
const OUTLINE = 4;
const EXTERIOR = 5;
const INTERIOR = 6;
const POSITIONS = 7;
const GEOMETRY = 8;
const NAME = 9;

/** The codes by qualified names. */
const CODES: Readonly<Record<string, number>> = {
  'tran:Road': ROAD,
  'tran:Track': ROAD,
  'tran:Square': ROAD,
  'tran:Railway': RAILWAY,
  'wtr:WaterBody': WATER,
  'tran:lod0MultiSurface': OUTLINE,
  'tran:lod1MultiSurface': OUTLINE,
  'wtr:lod0MultiSurface': OUTLINE,
  'wtr:lod1MultiSurface': OUTLINE,
  'gml:exterior': EXTERIOR,
  'gml:interior': INTERIOR,
  'gml:posList': POSITIONS,
  'gml:name': NAME,
  'gml:MultiSurface': GEOMETRY,
  'gml:CompositeSurface': GEOMETRY,
  'gml:surfaceMember': GEOMETRY,
  'gml:surfaceMembers': GEOMETRY,
  'gml:Polygon': GEOMETRY,
  'gml:LinearRing': GEOMETRY,
};
/** The layer of the map for each feature. */
const LAYERS = { [ROAD]: 'roads', [RAILWAY]: 'rails', [WATER]: 'water' } as const;

/** The XML namespace with this URI, named as in `CODES`. */
function namespaceOf(uri: string): { space: string } {
  if (uri.includes('/transportation/')) return { space: 'tran' };
  if (uri.includes('/waterbody/')) return { space: 'wtr' };
  return { space: /\/gml(\/|$)/.test(uri) ? 'gml' : 'other' };
}

/**
 * Reads roads, railways and water from a city model of PLATEAU, fed in chunks: latitude, longitude, height, as
 * published.
 */
export class CityLandmarks {
  readonly landmarks: Landmark[] = [];
  readonly #file: string;
  readonly #tokenizer: XmlTokenizer;

  constructor(file: string) {
    this.#file = file;
    const handler = new Handler(this.landmarks, file);
    this.#tokenizer = new XmlTokenizer(handler, namespaceOf, (qualified) => CODES[qualified] ?? NONE);
  }

  /**
   * Reads the next chunk of the file.
   * @throws PublishedFileError when the file is damaged or has a point outside Japan
   */
  feed(chunk: Uint8Array): void {
    this.#withFileInErrors(() => this.#tokenizer.feed(chunk));
  }

  /**
   * Ends the file.
   * @throws PublishedFileError when it ends too early
   */
  end(): void {
    this.#withFileInErrors(() => this.#tokenizer.end());
  }

  /** Does something with the tokenizer. Its errors get the name of the file. */
  #withFileInErrors(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      throw new PublishedFileError(`${this.#file}: byte ${error.byte}: ${error.message}`);
    }
  }
}

/** Collects the outlines and names of features. */
class Handler implements XmlHandler {
  readonly #landmarks: Landmark[];
  readonly #file: string;
  /** The codes of the open elements. */
  readonly #open: number[] = [];
  /** The layer of the open feature; null outside of features. */
  #layer: Landmark['layer'] | null = null;
  #name: string | null = null;
  /** Number of outlines of the feature. It may have one in each level of detail: the first counts. */
  #outlines = 0;
  /** The rings of the area that is being read, the outer one first, and the areas before it. */
  #rings: Float64Array[] = [];
  #areas: Float64Array[][] = [];

  constructor(landmarks: Landmark[], file: string) {
    this.#landmarks = landmarks;
    this.#file = file;
  }

  /**
   * Called at the start of an element. Tells what is read of it; the end of a skipped element is not reported.
   * @param code of the element's name
   */
  open(code: number): Content {
    const content = this.#contentOf(code);
    if (content !== SKIP) this.#open.push(code);
    return content;
  }

  /** What of an element is read: its children, its text or nothing. Notes the layer of a feature that begins. */
  #contentOf(code: number): Content {
    if (code === ROAD || code === RAILWAY || code === WATER) {
      if (this.#layer !== null) return SKIP;
      this.#layer = LAYERS[code];
      return CHILDREN;
    }
    // Outside of features, unknown elements may contain them.
    if (this.#layer === null) return code === NONE ? CHILDREN : SKIP;
    const isInOutline = this.#open.includes(OUTLINE);
    // In an outline, a name is that of a geometry.
    if (code === NAME) return isInOutline ? SKIP : TEXT;
    if (code === OUTLINE) {
      // One for each level of detail: the first is read.
      this.#outlines++;
      return this.#outlines === 1 ? CHILDREN : SKIP;
    }
    if (!isInOutline || code === NONE) return SKIP;
    return code === POSITIONS ? TEXT : CHILDREN;
  }

  /** Takes the name of the feature, or a ring of its outline: latitude, longitude and height of each point. */
  text(bytes: Buffer, start: number, end: number): void {
    const text = bytes.toString('utf8', start, end).trim();
    if (this.#open.at(-1) === NAME) {
      this.#name = text === '' ? null : text;
      return;
    }
    const numbers = text.split(/\s+/).map(Number);
    const where = `${this.#file}: ${this.#layer} ${this.#landmarks.length + 1}`;
    if (numbers.length % 3 !== 0 || !numbers.every(Number.isFinite)) {
      throw new PublishedFileError(
        `${where}: a gml:posList of ${numbers.length} numbers; expected latitude, longitude and height of each point`,
      );
    }
    const ring = new Float64Array((2 * numbers.length) / 3);
    for (let point = 0; point < numbers.length / 3; point++) {
      const [lat, lon] = [numbers[3 * point], numbers[3 * point + 1]];
      ring.set([lon, lat], 2 * point);
    }
    checkInJapan([ring], where);
    if (this.#open.includes(INTERIOR)) this.#rings.push(ring);
    else {
      // The outer ring of the next area.
      if (this.#rings.length > 0) this.#areas.push(this.#rings);
      this.#rings = [ring];
    }
  }

  /** Texts are never dropped. */
  dropText(): boolean {
    return false;
  }

  /** Called at the end of an element. At the end of a feature its areas become landmarks. */
  close(): void {
    const code = this.#open.pop();
    if (code !== ROAD && code !== RAILWAY && code !== WATER) return;
    if (this.#rings.length > 0) this.#areas.push(this.#rings);
    const about = { layer: LAYERS[code], name: this.#name } as const;
    for (const parts of this.#areas) this.#landmarks.push({ ...about, shape: 'area', parts });
    this.#layer = null;
    this.#name = null;
    this.#outlines = 0;
    this.#rings = [];
    this.#areas = [];
  }
}
