/** A place in the stream at which it is not the XML that is read. */
export class XmlError extends Error {
  override name = 'XmlError';
  byte: number;
  constructor(byte: number, problem: string) {
    super(problem);
    this.byte = byte;
  }
}
