import { type NumberSink, parseNumbers } from '../plateau/position-parser.ts';
import { CHILDREN, type Content, SKIP, TEXT, XmlError, type XmlHandler } from '../plateau/xml/handler.ts';
import { XmlTokenizer } from '../plateau/xml/tokenizer.ts';
import { ElevationFileError } from './elevation.ts';

/**
 * Relief of PLATEAU (theme `dem`): CityGML with triangles (`dem:TINRelief`) whose corners are latitude, longitude and
 * height, as published. Points, break lines and images of relief are skipped and counted.
 */

/** The roles of elements. Those that are passed over are relief without triangles. */
const NONE = 0;
const MODEL = 1;
const FEATURE = 2;
const TIN = 3;
/** Relief of another kind than triangles: it is counted and not read. */
const PASSED_OVER = 4;
const TRIANGLE = 5;
const POSITIONS = 6;
const ENVELOPE = 7;

const CODES: Readonly<Record<string, number>> = {
  'core:CityModel': MODEL,
  'dem:ReliefFeature': FEATURE,
  'dem:TINRelief': TIN,
  'gml:Envelope': ENVELOPE,
  'dem:MassPointRelief': PASSED_OVER,
  'dem:BreaklineRelief': PASSED_OVER,
  'dem:RasterRelief': PASSED_OVER,
  'gml:Triangle': TRIANGLE,
  'gml:Polygon': TRIANGLE,
  'gml:posList': POSITIONS,
  'gml:pos': POSITIONS,
};

/** Coordinate systems of latitude, longitude and height above Tokyo Bay. */
const EPSG = /(?:^|\D)(6697|6668)(?!\d)/;

/** The XML namespace with this URI, named as in `CODES`. */
function namespaceOf(uri: string): { space: string } {
  if (uri.includes('/relief/')) return { space: 'dem' };
  if (/^http:\/\/www\.opengis\.net\/citygml\/\d+\.\d+$/.test(uri)) return { space: 'core' };
  return { space: /\/gml(\/|$)/.test(uri) ? 'gml' : 'other' };
}

/** Receives a triangle: latitude, longitude and height of three corners. The array is reused. */
type TriangleSink = (corners: Float64Array) => void;

/** Reads a file of relief in chunks. */
export class ReliefReader {
  readonly #handler: Handler;
  readonly #tokenizer: XmlTokenizer;

  constructor(sink: TriangleSink) {
    this.#handler = new Handler(sink);
    this.#tokenizer = new XmlTokenizer(this.#handler, namespaceOf, (qualified) => CODES[qualified] ?? NONE);
    this.#handler.xml = this.#tokenizer;
  }

  /** @throws {ElevationFileError} When the XML is damaged or has something unexpected. */
  feed(chunk: Uint8Array): void {
    atByte(() => this.#tokenizer.feed(chunk));
  }

  /**
   * Ends the file.
   * @returns the numbers of triangles and of other elements of relief
   * @throws {ElevationFileError} When the file ends too early, or has no triangles
   */
  end(): { triangles: number; passedOver: number } {
    atByte(() => this.#tokenizer.end());
    const { triangles, passedOver, features } = this.#handler;
    if (triangles > 0) return { triangles, passedOver };
    throw new ElevationFileError(
      features === 0
        ? 'has no dem:ReliefFeature; expected CityGML of the theme dem'
        : `has no triangles (dem:TINRelief) in ${features} dem:ReliefFeature; ${passedOver} other parts`,
    );
  }
}

/** Calls a function. An error of the XML becomes an error of the elevation file that names the byte. */
function atByte(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new ElevationFileError(`byte ${error.byte}: ${error.message}`);
  }
}

/** Collects the corners of triangles from the elements of a file. */
class Handler implements XmlHandler {
  readonly #sink: TriangleSink;
  /** The roles of the elements that are open. */
  readonly #open: number[] = [];
  readonly #numbers: NumberSink = { values: new Float64Array(64), length: 0 };
  #inTin = false;
  /** Set by the reader before the first byte. */
  xml: XmlTokenizer | null = null;
  triangles = 0;
  passedOver = 0;
  features = 0;

  constructor(sink: TriangleSink) {
    this.#sink = sink;
  }

  /** The start of an element: says what of it is read. The end of a skipped element is not announced. */
  open(code: number): Content {
    const content = this.#contentOf(code);
    if (content !== SKIP) this.#open.push(code);
    return content;
  }

  /** What of an element is read: its children, its text or nothing. Counts it, or prepares for what it contains. */
  #contentOf(code: number): Content {
    switch (code) {
      case FEATURE:
        this.features++;
        return CHILDREN;
      case TIN:
        this.#inTin = true;
        return CHILDREN;
      case TRIANGLE:
        this.#numbers.length = 0;
        return CHILDREN;
      case POSITIONS:
        return this.#inTin ? TEXT : SKIP;
      case ENVELOPE:
        this.#checkCoordinateSystem();
        return SKIP;
      case PASSED_OVER:
        this.passedOver++;
        return SKIP;
    }
    return CHILDREN;
  }

  /** @throws {ElevationFileError} When the file names a coordinate system that is not read. */
  #checkCoordinateSystem(): void {
    const system = this.xml?.attribute('srsName') ?? null;
    if (system === null || EPSG.test(system)) return;
    throw new ElevationFileError(
      `is in the coordinate system "${system.slice(0, 80)}"; expected EPSG:6697 (latitude, longitude, height)`,
    );
  }

  /** Called with the text of a list of positions: its numbers are kept until the triangle ends. */
  text(bytes: Buffer, start: number, end: number): void {
    try {
      parseNumbers(bytes, start, end, this.#numbers);
    } catch (error) {
      throw new XmlError(this.xml?.byte ?? 0, (error as Error).message);
    }
  }

  dropText(): boolean {
    return false;
  }

  /** Called at the end of each open element. */
  close(): void {
    const code = this.#open.pop();
    if (code === TIN) this.#inTin = false;
    else if (code === TRIANGLE && this.#inTin) this.#endTriangle();
  }

  /** Passes a triangle on. Its first corner may be repeated at the end. */
  #endTriangle(): void {
    const { values, length } = this.#numbers;
    const closes = length === 12 && [0, 1, 2].every((i) => values[i] === values[i + 9]);
    if (length !== 9 && !closes)
      throw new XmlError(
        this.xml?.byte ?? 0,
        `a triangle of ${length} numbers; expected latitude, longitude and height of three corners, and the first again`,
      );
    this.triangles++;
    this.#sink(values.subarray(0, 9));
  }
}
