import { XmlAttributes } from './attributes.ts';
import { BANG, GT, isNameStart, isSpace, LT, QUESTION, SLASH, SPACE } from './characters.ts';
import { readStart, Utf8Check } from './encoding.ts';
import { type Content, SKIP, TEXT, XmlError, type XmlHandler } from './handler.ts';
import { hashByte, MOST_NAMES, type Namespace, standsAt, type XmlName, XmlNames } from './names.ts';
import { LONG_TEXT, skipTags, TOO_LONG, XmlText, XmlWindow } from './window.ts';

const COMMENT_START = Buffer.from('<!--');
const COMMENT_END = Buffer.from('-->');
const CDATA_START = Buffer.from('<![CDATA[');
const CDATA_END = Buffer.from(']]>');
const DOCTYPE_START = Buffer.from('<!DOCTYPE');
const PI_END = Buffer.from('?>');
/** `[` begins the definitions of a document type. */
const BRACKET = 0x5b;

/** Longer chunks are read in pieces of this size, bytes. */
const LARGEST_FEED = 1 << 18;
/** Bytes of a tag that a message quotes. */
const MOST_QUOTED = 60;
/** Limit of nested elements. */
export const DEEPEST = 1000;

/**
 * Reads XML 1.0 in UTF-8 with namespaces, from chunks of bytes split anywhere, and passes elements to a handler. Checks
 * nesting, attributes and encoding; inside skipped elements it only checks that tags balance. Memory does not grow with
 * the stream: only an incomplete tag or text is kept.
 */
export class XmlTokenizer {
  #handler: XmlHandler;
  #names: XmlNames;
  #window = new XmlWindow();
  #utf8 = new Utf8Check();
  #started = false;
  #rootSeen = false;

  /** The number of open elements; `#open` and `#openedAt` have their names and byte offsets. */
  #depth = 0;
  #open: XmlName[] = [];
  #openedAt = new Float64Array(DEEPEST);
  /** The name of the previous start tag; its `follower` is tried first for the next one. */
  #previousName: XmlName | null = null;
  /** True while the text of an element is collected for the handler. */
  #collecting = false;
  /** Depth inside a skipped element (1: the element itself); 0 outside. */
  #skippedDepth = 0;
  /** The end mark of the current comment, CDATA section or instruction; null outside. */
  #endMark: Buffer | null = null;
  #text = new XmlText(this.#window);
  #attributes = new XmlAttributes(this.#window);
  /** Byte offset of the current tag. */
  byte = 0;

  constructor(handler: XmlHandler, namespaceOf: (uri: string) => Namespace, codeOf: (qualified: string) => number) {
    this.#handler = handler;
    this.#names = new XmlNames(namespaceOf, codeOf);
  }

  /**
   * Reads the next chunk. The caller may reuse its buffer. Errors of the handler pass through.
   * @throws XmlError when the XML is malformed
   */
  feed(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; from += LARGEST_FEED) {
      const piece = chunk.subarray(from, from + LARGEST_FEED);
      if (this.#started) this.#readPiece(piece);
      else {
        this.#append(piece);
        if (readStart(this.#window, { isLast: false })) this.#afterStart();
      }
    }
  }

  /**
   * Adds bytes to the window.
   * @throws XmlError when an unfinished tag or text exceeds the limit of the window
   */
  #append(piece: Uint8Array): void {
    const window = this.#window;
    if (window.append(piece)) return;
    throw new XmlError(window.origin + window.pos, TOO_LONG);
  }

  /** Reads a piece after the start of the file: its tags up to the first byte that is not UTF-8. */
  #readPiece(piece: Uint8Array): void {
    const badAt = this.#utf8.next(piece);
    this.#append(badAt === -1 ? piece : piece.subarray(0, badAt));
    // Positions in the window that the text keeps are no longer right.
    this.#text.windowChanged();
    this.#run();
    if (badAt !== -1) this.#notUtf8();
  }

  /**
   * Called once, when the start of the file is recognised: checks the bytes so far for UTF-8, and reads their tags. Tags
   * before a byte that is not UTF-8 are read, because an error in them comes first.
   */
  #afterStart(): void {
    const window = this.#window;
    this.#started = true;
    const badAt = this.#utf8.next(window.bytes.subarray(window.pos, window.end));
    if (badAt !== -1) window.end = window.pos + badAt;
    this.#run();
    if (badAt !== -1) this.#notUtf8();
  }

  /** Reports the byte at the end of the window: all before it is UTF-8, this byte is not. */
  #notUtf8(): never {
    const { origin, end } = this.#window;
    throw new XmlError(origin + end, 'the bytes are not UTF-8 (Shift_JIS?); convert the file to UTF-8');
  }

  /**
   * Ends the stream.
   * @throws XmlError when the file is cut off
   */
  end(): void {
    // A short file ends before its start (byte order mark, declaration of the encoding) was sure to be complete.
    if (!this.#started && readStart(this.#window, { isLast: true })) this.#afterStart();
    const { origin, end } = this.#window;
    if (this.#depth > 0) {
      const innermost = this.#depth - 1;
      const where = `inside <${this.#open[innermost].text}>, which begins at byte ${this.#openedAt[innermost]}`;
      throw new XmlError(origin + end, `the file ends ${where}; it is cut off: get it again`);
    }
    if (this.#endMark !== null || this.#window.pos < end) {
      throw new XmlError(origin + end, 'the file ends inside a tag or comment; it is cut off: get it again');
    }
    if (!this.#rootSeen) throw new XmlError(0, 'no element in the file; expected a core:CityModel');
  }

  /** The number of attributes of the current start tag. */
  get attributeCount(): number {
    return this.#attributes.count;
  }

  /** The value of an attribute without prefix of the current start tag, or null. */
  attribute(local: string): string | null {
    return this.#attributes.find(local, (prefix) => prefix === '');
  }

  /** The value of the attribute `space:local` of the current start tag, whatever its prefix, or null. */
  qualifiedAttribute(space: string, local: string): string | null {
    return this.#attributes.find(local, (prefix) => prefix !== '' && this.#names.namespace(prefix)?.space === space);
  }

  /** The namespace of a name; undefined when its prefix is not bound. */
  namespace(name: XmlName): Namespace | undefined {
    return this.#names.namespace(name.prefix);
  }

  /** Reads the window until its end, or until a tag or text whose rest is not there yet. */
  #run(): void {
    const window = this.#window;
    while (window.pos < window.end) {
      if (this.#endMark !== null) {
        if (!this.#readToEndMark(this.#endMark)) return;
      } else if (this.#skippedDepth > 0) {
        if (!this.#continueSkipping()) return;
      } else if (!this.#readTextAndTag()) return;
    }
  }

  /** Reads text up to the next tag, and the tag. False: more bytes are needed. */
  #readTextAndTag(): boolean {
    const window = this.#window;
    const { bytes, pos: start, end } = window;
    const lt = window.find(LT, start);
    if (this.#depth === 0) this.#refuseTextOutside(start, lt === -1 ? end : lt);
    if (lt === -1) {
      // Collected text stays in the window until its end is there, unless it is so long that the handler drops it.
      if (this.#collecting && end - start > LONG_TEXT && this.#handler.dropText()) {
        this.#collecting = false;
        // What has been collected is dropped, too.
        this.#text.take();
      }
      if (!this.#collecting) window.pos = end;
      return false;
    }
    if (!this.#collecting) window.pos = lt;
    if (lt + 1 >= end) return false;
    // Where the tag is, for messages.
    this.byte = window.origin + lt;
    switch (bytes[lt + 1]) {
      case SLASH:
        return this.#endTag(start, lt);
      case BANG:
      case QUESTION:
        return this.#special(start, lt);
      default:
        return this.#startTag(start, lt);
    }
  }

  /** Refuses text outside the outermost element. */
  #refuseTextOutside(from: number, to: number): void {
    const { bytes, origin } = this.#window;
    for (let i = from; i < to; i++) {
      if (!isSpace(bytes[i])) throw new XmlError(origin + i, 'text outside the outermost element; this is not XML');
    }
  }

  /**
   * Reads the end tag at `lt`, and gives the text before it, which begins at `textFrom`, to the handler. False: more
   * bytes are needed.
   */
  #endTag(textFrom: number, lt: number): boolean {
    const window = this.#window;
    const { bytes, end } = window;
    const innermost = this.#depth - 1;
    const name = this.#open[innermost];
    const nameFrom = lt + '</'.length;
    let i = nameFrom + (name?.bytes.length ?? 0);
    if (name === undefined || i >= end || !standsAt(name, window.view, bytes, nameFrom))
      return this.#mismatchOrWait(lt);
    while (i < end && isSpace(bytes[i])) i++;
    if (i >= end) return false;
    if (bytes[i] !== GT) return this.#mismatchOrWait(lt);
    if (this.#collecting) {
      this.#collecting = false;
      // The text of the element is in one piece unless it has references, comments or CDATA sections.
      if (this.#text.isWhole(textFrom, lt)) this.#handler.text(bytes, textFrom, lt);
      else {
        this.#text.add(textFrom, lt);
        const collected = this.#text.take();
        this.#handler.text(collected, 0, collected.length);
      }
    }
    window.pos = i + 1;
    this.#leaveElement();
    return true;
  }

  /** Ends an element that the handler has opened. */
  #leaveElement(): void {
    this.#handler.close();
    this.#names.leave(this.#depth--);
  }

  /** Refuses a wrong end tag once it is complete. False: more bytes are needed. */
  #mismatchOrWait(lt: number): false {
    return this.#window.find(GT, lt) === -1 ? false : this.#mismatch(lt);
  }

  /** Refuses the end tag at `lt`. */
  #mismatch(lt: number): never {
    const innermost = this.#depth - 1;
    if (innermost < 0) throw new XmlError(this.byte, `found ${this.#tagAt(lt)} where nothing is open`);
    const name = this.#open[innermost].text;
    const where = `the <${name}> that begins at byte ${this.#openedAt[innermost]}`;
    throw new XmlError(this.#window.origin + lt, `found ${this.#tagAt(lt)}, expected </${name}> to end ${where}`);
  }

  /** The beginning of the tag at `lt`, for messages. */
  #tagAt(lt: number): string {
    const text = this.#window.bytes.toString('utf8', lt, Math.min(this.#window.end, lt + MOST_QUOTED));
    return text.replace(/^(<\/?[^\s>]*>?).*/s, '$1');
  }

  /**
   * Enters the comment, CDATA section, document type or processing instruction at `lt`. Returns false when more bytes
   * are needed to know which it is.
   * @param textFrom where the text before it begins
   */
  #special(textFrom: number, lt: number): boolean {
    const window = this.#window;
    const begins = (what: Buffer) =>
      window.bytes.compare(what, 0, what.length, lt, Math.min(window.end, lt + what.length)) === 0;
    const isInstruction = window.bytes[lt + 1] === QUESTION;
    // "<?" and "<!--" are known from their first bytes; "<![CDATA[" and "<!DOCTYPE" have nine each.
    if (!isInstruction && window.end - lt < CDATA_START.length && !begins(COMMENT_START)) return false;
    if (this.#collecting) this.#text.add(textFrom, lt);
    if (isInstruction) {
      this.#endMark = PI_END;
      window.pos = lt + 2;
    } else if (begins(COMMENT_START)) {
      this.#endMark = COMMENT_END;
      window.pos = lt + COMMENT_START.length;
    } else if (begins(CDATA_START)) {
      if (this.#depth === 0) throw new XmlError(this.byte, 'CDATA outside the outermost element');
      this.#endMark = CDATA_END;
      window.pos = lt + CDATA_START.length;
    } else if (begins(DOCTYPE_START)) return this.#doctype(lt);
    else throw new XmlError(this.byte, `found ${this.#tagAt(lt)}, which is no tag of XML`);
    return true;
  }

  /**
   * Skips the document type at `lt`. Refuses one with definitions: its entities could change the text. Returns false
   * when it needs more bytes.
   */
  #doctype(lt: number): boolean {
    const window = this.#window;
    if (this.#rootSeen) throw new XmlError(this.byte, 'a document type inside the document');
    for (let i = lt; i < window.end; i++) {
      const byte = window.bytes[i];
      if (byte === BRACKET)
        throw new XmlError(this.byte, 'a document type with definitions; remove it and its entities');
      if (byte === GT) {
        window.pos = i + 1;
        return true;
      }
    }
    return false;
  }

  /**
   * Moves past the end of a comment, CDATA section or instruction; collects the text of a CDATA section. Returns false
   * when it needs more bytes.
   */
  #readToEndMark(endMark: Buffer): boolean {
    const window = this.#window;
    const markAt = window.findSequence(endMark, window.pos);
    // Without the mark, the last bytes stay: they may be its beginning.
    const to = markAt === -1 ? Math.max(window.pos, window.end - endMark.length + 1) : markAt;
    if (endMark === CDATA_END && this.#collecting && this.#skippedDepth === 0 && to > window.pos) {
      this.#text.addLiteral(window.pos, to);
    }
    window.pos = to;
    if (markAt === -1) return false;
    window.pos += endMark.length;
    this.#endMark = null;
    return true;
  }

  /**
   * Reads the start tag at `lt` with its attributes, and opens its element. False: more bytes are needed.
   * @param textFrom where the text before the tag begins
   */
  #startTag(textFrom: number, lt: number): boolean {
    const window = this.#window;
    const { bytes } = window;
    const name = this.#nameAt(lt + 1);
    if (name === null) return false;
    let i = lt + 1 + name.bytes.length;
    this.#attributes.count = 0;
    if (bytes[i] !== GT) {
      i = this.#attributes.scan(i);
      if (i === -1) return false;
    }
    const selfClosing = bytes[i] === SLASH;
    if (this.#depth === 0) {
      if (this.#rootSeen)
        throw new XmlError(this.byte, `found ${this.#tagAt(lt)} after the end of the outermost element`);
      this.#rootSeen = true;
    }
    if (this.#collecting) this.#text.add(textFrom, lt);
    window.pos = i + (selfClosing ? 2 : 1);
    this.#previousName = name;
    this.#openElement(name, selfClosing);
    return true;
  }

  /** The name of the start tag at this position; null when the window ends inside it. */
  #nameAt(at: number): XmlName | null {
    const { bytes, end, view } = this.#window;
    // Usually the same name follows as last time. Then it need not be hashed.
    const expected = this.#previousName?.follower ?? null;
    if (expected !== null && at + expected.bytes.length < end) {
      const next = bytes[at + expected.bytes.length];
      if ((next === GT || next === SPACE || next === SLASH) && standsAt(expected, view, bytes, at)) return expected;
    }
    let i = at;
    let hash = 0;
    for (; i < end; i++) {
      const byte = bytes[i];
      if (byte === GT || byte === SLASH || byte <= SPACE) break;
      hash = hashByte(hash, byte);
    }
    if (i >= end) return null;
    if (i === at || !isNameStart(bytes[at])) {
      throw new XmlError(this.byte, '"<" that begins no tag; write &lt; for the sign');
    }
    const name = this.#names.find(bytes, at, i, hash);
    if (name === null) {
      throw new XmlError(this.byte, `more than ${MOST_NAMES} different names of elements; the file is damaged`);
    }
    if (this.#previousName !== null) this.#previousName.follower = name;
    return name;
  }

  /** Opens an element. The handler decides whether its children are read, its text is collected, or it is skipped. */
  #openElement(name: XmlName, selfClosing: boolean): void {
    if (this.#depth === DEEPEST) throw new XmlError(this.byte, `elements nested more than ${DEEPEST} deep`);
    this.#open[this.#depth] = name;
    this.#openedAt[this.#depth++] = this.byte;
    // An element inside collected text is skipped.
    let content: Content = SKIP;
    if (!this.#collecting) {
      if (this.#attributes.count > 0) {
        this.#attributes.declarations((prefix, uri) => this.#names.bind(this.#depth, prefix, uri));
      }
      const code = this.#names.codeOf(name);
      if (code === null) {
        throw new XmlError(
          this.byte,
          `the prefix of <${name.text}> is not bound to a namespace (no xmlns:${name.prefix})`,
        );
      }
      content = this.#handler.open(code, name);
    }
    if (content === SKIP) {
      this.#skippedDepth = 1;
      if (selfClosing) this.#leaveSkipped();
    } else if (selfClosing) {
      if (content === TEXT) this.#handler.text(this.#window.bytes, 0, 0);
      this.#leaveElement();
    } else this.#collecting = content === TEXT;
  }

  /** Ends a skipped element. */
  #leaveSkipped(): void {
    this.#skippedDepth = 0;
    this.#names.leave(this.#depth--);
  }

  /**
   * Continues in a skipped element: reads its end tag, or enters a comment, CDATA section or instruction in it. False:
   * more bytes are needed.
   */
  #continueSkipping(): boolean {
    const window = this.#window;
    this.#skippedDepth = skipTags(window, this.#skippedDepth);
    // At the end tag of the skipped element, a comment or the like, or an incomplete tag.
    const lt = window.pos;
    if (lt + 1 >= window.end) return false;
    const byte = window.bytes[lt + 1];
    if (byte === BANG || byte === QUESTION) {
      this.byte = window.origin + lt;
      // Of a skipped element no text is kept: none begins before `lt`.
      const textFrom = lt;
      return this.#special(textFrom, lt);
    }
    // Any other tag is incomplete.
    const isEndOfSkipped = byte === SLASH && this.#skippedDepth === 1;
    if (!isEndOfSkipped || !this.#endSkipped(lt)) return false;
    this.#leaveSkipped();
    return true;
  }

  /** Reads the end tag of the skipped element and checks its name. Returns false when it needs more bytes. */
  #endSkipped(lt: number): boolean {
    const window = this.#window;
    const name = this.#open[this.#depth - 1];
    const gt = window.find(GT, lt);
    if (gt === -1) return false;
    let i = lt + 2 + name.bytes.length;
    if (i > gt || !standsAt(name, window.view, window.bytes, lt + 2)) this.#mismatch(lt);
    while (isSpace(window.bytes[i])) i++;
    if (i !== gt) this.#mismatch(lt);
    window.pos = gt + 1;
    return true;
  }
}
