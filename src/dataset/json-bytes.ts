/**
 * An answer as the bytes of its JSON (UTF-8): it can be sent as it stands, without being parsed and put together again.
 * `JSON.stringify` gives the same. The bytes belong to whoever is given them.
 */
export class JsonBytes<Value = unknown> {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  toJSON(): Value {
    return JSON.parse(this.bytes.toString()) as Value;
  }
}
