import { PUBLISHED, type PublishedRow } from '../building/attributes.ts';
import { beyond, MOST } from './bounds.ts';
import type { BuildingSink, FileSummary } from './building.ts';
import { CityGmlError, type IssueKind } from './building.ts';
import { clearDraft, newDraft, noValues, type PublishedText, type PublishedValues } from './building-draft.ts';
import { LAYER, type Layer } from './faces.ts';
import { ATTRIBUTE, CONTENT, codeOfElement, LAYERS, LODS, nextState, STATE } from './grammar.ts';
import { toBuilding } from './to-building.ts';
import { CITYGML_VERSIONS, namespaceOf, readableCrs } from './vocabulary.ts';
import { type Content, SKIP, XmlError, type XmlHandler } from './xml/handler.ts';
import type { XmlName } from './xml/names.ts';
import { DEEPEST, XmlTokenizer } from './xml/tokenizer.ts';

/** From uro 3.0 on the roof edges of LOD0 lie on the ground or at 0; before, at the roof. */
const ROOF_EDGES_ON_GROUND = 3;

/** Generic attribute that holds the building ID up to uro 1.x. */
const ID_ATTRIBUTE = '建物ID';

/** `!`: the table has this row. */
const MEASURED_HEIGHT = PUBLISHED.find(({ key }) => key === 'measuredHeightM')!;

/** The attributes that i-UR 1.x publishes in `uro:extendedAttribute`, by their key. */
const EXTENDED = new Map(
  PUBLISHED.flatMap((row) => (row.from.extendedKey === undefined ? [] : [[row.from.extendedKey, row]])),
);

/** The states that the reader acts on. */
const {
  document: DOCUMENT,
  model: MODEL,
  other_object: OTHER_OBJECT,
  building: BUILDING,
  building_part: BUILDING_PART,
  height_property: HEIGHT_PROPERTY,
  height_value: HEIGHT_VALUE,
  generic_2: GENERIC_2,
  generic_3: GENERIC_3,
  key_and_code: KEY_AND_CODE,
  surfaces: SURFACES,
  face: FACE,
  ring: RING,
  hole: HOLE,
  bad_ring: BAD_RING,
  linear_ring: LINEAR_RING,
  positions: POSITIONS,
} = STATE;

/**
 * Reads one CityGML file of buildings from chunks of bytes, split anywhere. Passes each building to the sink at its end
 * tag, so memory holds one building. When `feed` or `end` throws, the file cannot be trusted: the caller discards the
 * buildings of this file that it has already received.
 */
export class BuildingReader implements XmlHandler {
  #file: string;
  #sink: BuildingSink;
  #xml: XmlTokenizer;
  #draft = newDraft();
  /** The values of the building or part being read. */
  #values: PublishedValues = this.#draft.own;
  #summary: FileSummary;

  /** The number of open elements that the grammar has. At each depth: the state, and how many numbers a position has. */
  #depth = 0;
  #states = new Uint8Array(DEEPEST + 1);
  #dimensions = new Uint8Array(DEEPEST + 1);
  /** The building part being read: 1, 2, …; 0 for the building itself. */
  #part = 0;
  #layer: Layer = LAYER.footprint;
  /** The `gml:id`s of the enclosing geometries, with their depth; `#idList` has the IDs alone. */
  #ids: { depth: number; id: string }[] = [];
  #idList: readonly string[] = [];
  /** XML attributes and sibling elements that are needed to interpret the text of a value. */
  #uom: string | null = null;
  #genericName: string | null = null;
  #highReference: string | null = null;
  #extendedKey = '';

  constructor(file: string, sink: BuildingSink) {
    this.#file = file;
    this.#sink = sink;
    this.#summary = {
      file,
      bytes: 0,
      cityGmlVersion: '',
      uroVersions: [],
      epsg: [],
      buildings: 0,
      leftOut: 0,
      lods: { lod0: 0, lod1: 0, lod2: 0, lod3: 0 },
      otherObjects: {},
    };
    this.#states[0] = DOCUMENT;
    this.#dimensions[0] = 3;
    this.#xml = new XmlTokenizer(this, (uri) => this.#namespace(uri), codeOfElement);
  }

  /**
   * Reads the next chunk. The caller may reuse its buffer afterwards.
   * @throws CityGmlError when the file cannot be trusted
   */
  feed(chunk: Uint8Array): void {
    this.#summary.bytes += chunk.length;
    this.#namingFile(() => this.#xml.feed(chunk));
  }

  /**
   * Ends the file and returns its summary.
   * @throws CityGmlError when the file is cut off or has no building
   */
  end(): FileSummary {
    this.#namingFile(() => this.#xml.end());
    const summary = this.#summary;
    if (summary.buildings + summary.leftOut === 0) {
      const others = Object.entries(summary.otherObjects).map(([name, count]) => `${count} ${name}`);
      const contents = others.length > 0 ? others.join(', ') : 'nothing';
      throw new CityGmlError(this.#file, null, `CityGML without a bldg:Building; found ${contents}`);
    }
    return summary;
  }

  /** Runs a step. An error of the XML becomes an error that names the file. */
  #namingFile(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof XmlError) throw new CityGmlError(this.#file, error.byte, error.message);
      throw error;
    }
  }

  /**
   * Interprets a namespace URI, and records the version of uro. On the version depends at which height the edges of
   * roofs in LOD0 are published.
   */
  #namespace(uri: string) {
    const namespace = namespaceOf(uri);
    const { uroVersions } = this.#summary;
    if (namespace.space === 'uro' && namespace.version !== null && !uroVersions.includes(namespace.version)) {
      uroVersions.push(namespace.version);
      uroVersions.sort();
      this.#draft.roofEdgesOnGround = uroVersions.some((version) => Number(version) >= ROOF_EDGES_ON_GROUND);
    }
    return namespace;
  }

  /**
   * Called at a start tag: finds the state of the element by that of its parent, and says what of the element is read:
   * its children, its text or nothing.
   */
  open(code: number, name: XmlName): Content {
    const state = nextState(this.#states[this.#depth], code);
    // No state: nothing is read of such an element in this parent.
    if (state === 0) {
      if (this.#depth === 0) this.#wrongRoot(name);
      return SKIP;
    }
    if (this.#xml.attributeCount > 0) this.#checkCrs(name);
    if (!this.#enter(state, name)) return SKIP;
    // Of some elements only the start tag is of use: `#enter` has read it, and `close` is not called for them.
    const content = CONTENT[state] as Content;
    if (content === SKIP) return SKIP;
    // The number of coordinates of a position (srsDimension) holds for everything in an element.
    const inherited = this.#dimensions[this.#depth];
    this.#states[++this.#depth] = state;
    this.#dimensions[this.#depth] = this.#xml.attributeCount > 0 ? this.#dimension(inherited) : inherited;
    return content;
  }

  /**
   * Starts what an element describes: a face, a ring, a value or a building. False when its content is not needed.
   * Over 60 lines: one case for each element.
   */
  #enter(state: number, name: XmlName): boolean {
    // Most elements belong to faces, so their cases come first.
    switch (state) {
      case RING:
        return true;
      case POSITIONS:
        return this.#within('coordinates of faces', this.#draft.faces.coordinates.length);
      case HOLE:
        // A face whose outer ring was dropped has no holes either.
        return this.#draft.faces.hasOuterRing;
      case LINEAR_RING:
        this.#draft.faces.beginRing();
        return true;
      case FACE:
        this.#beginGeometry();
        if (!this.#within('faces', this.#draft.faces.list.length + 1)) return false;
        this.#draft.faces.beginFace(this.#layer, this.#part, this.#idList);
        return true;
      case SURFACES:
        this.#beginGeometry();
        return true;
      case BAD_RING:
        this.#note('bad_ring', `a ring that is no gml:LinearRing but <${name.text}>`);
        return true;
    }
    // Then the elements of values, of levels of detail and of layers of faces.
    const attribute = ATTRIBUTE[state];
    if (attribute !== null) {
      this.#uom = attribute.kind === 'number' ? this.#xml.attribute('uom') : null;
      return true;
    }
    if (LODS[state] !== -1) this.#draft.lods.add(LODS[state] as 0 | 1 | 2 | 3);
    if (LAYERS[state] !== -1) {
      this.#layer = LAYERS[state] as Layer;
      this.#beginGeometry();
      return true;
    }
    // Last the buildings, and the elements that name the value in a sibling.
    switch (state) {
      case MODEL:
        this.#summary.cityGmlVersion = this.#xml.namespace(name)?.version ?? '';
        break;
      case OTHER_OBJECT:
        this.#countOther(name.text);
        break;
      case BUILDING:
        clearDraft(this.#draft, this.#xml.qualifiedAttribute('gml', 'id'), this.#xml.byte);
        this.#values = this.#draft.own;
        this.#part = 0;
        break;
      case BUILDING_PART:
        if (!this.#within('parts', this.#draft.parts.length + 1)) return false;
        this.#values = noValues();
        this.#draft.parts.push(this.#values);
        this.#part = this.#draft.parts.length;
        break;
      case HEIGHT_VALUE:
        this.#uom = this.#xml.attribute('uom');
        break;
      case HEIGHT_PROPERTY:
        // That of the property before does not count.
        this.#highReference = null;
        break;
      // A generic attribute: CityGML 2 has its name in the start tag, CityGML 3 in an element.
      case GENERIC_2:
        this.#genericName = this.#xml.attribute('name');
        return this.#genericName === ID_ATTRIBUTE;
      case GENERIC_3:
        this.#genericName = null;
        break;
      case KEY_AND_CODE:
        this.#extendedKey = '';
        break;
    }
    return true;
  }

  /** Counts a city object that is not a building. */
  #countOther(name: string): void {
    const { otherObjects } = this.#summary;
    // `hasOwn`: a file may name an element `constructor`.
    const countBefore = Object.hasOwn(otherObjects, name) ? (otherObjects[name] ?? 0) : 0;
    otherObjects[name] = countBefore + 1;
  }

  /** Called with the text of an element whose text is read. */
  text(bytes: Buffer, start: number, end: number): void {
    const state = this.#states[this.#depth];
    if (state === POSITIONS) {
      this.#draft.faces.positions(bytes, start, end, this.#dimensions[this.#depth]);
      return;
    }
    const text = bytes.toString('utf8', start, end).trim();
    if (text !== '') this.#value(state, text);
  }

  /** Adds the text of an element to the values of its building or part, or keeps it until its sibling is read. */
  #value(state: number, text: string): void {
    const values = this.#values;
    const row = ATTRIBUTE[state];
    if (row !== null) {
      this.#attribute(row, text, this.#uom);
      return;
    }
    switch (state) {
      case STATE.extended_key:
        this.#extendedKey = text;
        break;
      case STATE.extended_code: {
        const row = EXTENDED.get(this.#extendedKey);
        if (row !== undefined) this.#attribute(row, text, null);
        break;
      }
      case STATE.high_reference:
        this.#highReference = text;
        break;
      case STATE.height_value:
        this.#height(values.texts, text);
        break;
      case STATE.building_id:
        if (!values.ids.includes(text) && this.#within('IDs', values.ids.length + 1)) values.ids.push(text);
        break;
      case STATE.branch_id:
        values.branchId ??= text;
        break;
      case STATE.part_id:
        values.partId ??= text;
        break;
      case STATE.generic_name:
        this.#genericName = text;
        break;
      case STATE.generic_value:
        if (this.#genericName === ID_ATTRIBUTE) values.genericId ??= text;
        break;
    }
  }

  /** Adds a value of an attribute to the building or part being read. */
  #attribute(row: PublishedRow, text: string, uom: string | null): void {
    const { texts } = this.#values;
    if (this.#within('values of attributes', texts.length + 1)) texts.push({ row, text, uom });
  }

  /**
   * Keeps one published height. Of several (CityGML 3.0), it is the one to the highest roof point, which is the height
   * of CityGML 2.0; without such a one, the first.
   */
  #height(texts: PublishedText[], text: string): void {
    const row = MEASURED_HEIGHT;
    const index = texts.findIndex((published) => published.row === row);
    if (index === -1) texts.push({ row, text, uom: this.#uom });
    else if (this.#highReference?.startsWith('highest')) texts[index] = { row, text, uom: this.#uom };
  }

  /** Called at an end tag: returns to the state around the element, and ends what the element described. */
  close(): void {
    const depth = this.#depth--;
    const state = this.#states[depth];
    // The `gml:id` of a geometry ends with its element.
    if (this.#ids.length > 0 && this.#ids[this.#ids.length - 1].depth === depth) {
      this.#ids.pop();
      this.#idList = this.#ids.map(({ id }) => id);
    }
    if (state === LINEAR_RING) {
      const problem = this.#draft.faces.endRing();
      if (problem !== null) this.#note(problem.kind, problem.detail);
    } else if (state === FACE) this.#draft.faces.endFace();
    else if (state === BUILDING_PART) {
      this.#part = 0;
      this.#values = this.#draft.own;
    } else if (state === BUILDING) this.#finish();
  }

  /** Makes a building of the draft, and passes it and its issues to the sink. */
  #finish(): void {
    const summary = this.#summary;
    for (const lod of this.#draft.lods) summary.lods[`lod${lod}`]++;
    const { building, issues } = toBuilding(this.#draft, this.#file);
    for (const issue of issues) this.#sink.issue(issue);
    if (building === null) summary.leftOut++;
    else {
      summary.buildings++;
      this.#sink.building(building);
    }
  }

  /**
   * Records the two XML attributes of a geometry that references need: its `gml:id`, by which other geometries refer to
   * it, and its `xlink:href`, by which it refers to a geometry elsewhere in the building.
   */
  #beginGeometry(): void {
    if (this.#xml.attributeCount === 0) return;
    const id = this.#xml.qualifiedAttribute('gml', 'id');
    // The ID holds until its element ends. This element is not counted in `#depth` yet.
    if (id !== null && this.#within('IDs around a face', this.#ids.length + 1)) {
      this.#ids.push({ depth: this.#depth + 1, id });
      this.#idList = this.#ids.map(({ id }) => id);
    }
    const href = this.#xml.qualifiedAttribute('xlink', 'href');
    if (href !== null && this.#within('references to faces', this.#draft.faces.references.length + 1)) {
      const reference = { layer: this.#layer, part: this.#part, id: href.slice(href.indexOf('#') + 1) };
      this.#draft.faces.references.push(reference);
    }
  }

  /**
   * True when a count is within its limit. Else the excess is recorded: the building keeps no more data, and is left out
   * at its end tag.
   */
  #within(what: keyof typeof MOST, count: number): boolean {
    if (count <= MOST[what]) return true;
    this.#draft.excess ??= beyond(what);
    return false;
  }

  /**
   * Called for a text beyond the limit.
   * @returns true inside a building: the text is dropped, and the building is left out; false elsewhere: the file is
   * damaged
   */
  dropText(): boolean {
    for (let depth = this.#depth; depth > 0; depth--) {
      if (this.#states[depth] !== BUILDING) continue;
      this.#draft.excess ??= 'a text of more than 8 MiB';
      return true;
    }
    return false;
  }

  /**
   * How many numbers a position has (2 or 3) in the current element: its `srsDimension`, else that of the element
   * around it.
   */
  #dimension(inherited: number): number {
    const stated = this.#xml.attribute('srsDimension');
    if (stated === null) return inherited;
    return Number(stated) === 2 ? 2 : 3;
  }

  /** Records the coordinate reference system of the current element; an unsupported one makes the file an error. */
  #checkCrs(name: XmlName): void {
    const srsName = this.#xml.attribute('srsName');
    if (srsName === null) return;
    const epsg = readableCrs(srsName);
    if (epsg === null) {
      const problem = `<${name.text}> is in the coordinate reference system "${srsName}"`;
      throw new XmlError(
        this.#xml.byte,
        `${problem}; expected EPSG:6697 (JGD2011, latitude and longitude): convert it`,
      );
    }
    if (!this.#summary.epsg.includes(epsg)) this.#summary.epsg.push(epsg);
  }

  /** Refuses a file whose outermost element is not that of a supported CityGML. */
  #wrongRoot(name: XmlName): never {
    const version = this.#xml.namespace(name)?.version;
    const versions = CITYGML_VERSIONS.join(' or ');
    const problem =
      name.local === 'CityModel' && version
        ? `CityGML ${version} is not read; expected CityGML ${versions}`
        : `the outermost element is <${name.text}>; expected core:CityModel of CityGML ${versions}`;
    throw new XmlError(this.#xml.byte, problem);
  }

  /**
   * Records the first issue of each kind. Once a limit is exceeded the geometry is incomplete, so no more are recorded.
   */
  #note(kind: IssueKind, detail: string): void {
    const { issues, excess } = this.#draft;
    if (excess === null && !issues.some((issue) => issue.kind === kind)) issues.push({ kind, detail });
  }
}

/**
 * Reads one file: its buildings go to the sink; resolves to its summary. Rejects with the errors of the source too.
 * @throws CityGmlError when the file cannot be trusted
 */
export async function readBuildings(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  sink: BuildingSink,
): Promise<FileSummary> {
  const reader = new BuildingReader(file, sink);
  for await (const chunk of chunks) reader.feed(chunk);
  return reader.end();
}
