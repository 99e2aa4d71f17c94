import { writeFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  /** Text is written as UTF-8 with its flag; bytes are written as they are, without it. */
  name: string | Uint8Array;
  data: Uint8Array | string;
  /** True: stored without compression. */
  stored?: boolean;
  /** Bit 0 of the general purpose flags. */
  encrypted?: boolean;
}

/** Writes a zip by the specification (APPNOTE 6.3). With `zip64` all sizes and offsets are in zip64 fields. */
export function writeZip(path: string, members: ZipMember[], { zip64 = false } = {}): void {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  const push = (bytes: Uint8Array) => {
    parts.push(bytes);
    offset += bytes.length;
  };
  for (const { name, data, stored = false, encrypted = false } of members) {
    const nameBytes = typeof name === 'string' ? Buffer.from(name) : name;
    const raw = typeof data === 'string' ? Buffer.from(data) : data;
    const packed = stored ? raw : deflateRawSync(raw);
    const common = fields([
      [zip64 ? 45 : 20, 2],
      [(typeof name === 'string' ? 0x800 : 0) | (encrypted ? 1 : 0), 2],
      [stored ? 0 : 8, 2],
      [0, 2],
      [0x21, 2],
      [crc32(raw), 4],
    ]);
    const start = offset;
    const sizes = zip64
      ? fields([
          [0xffffffff, 4],
          [0xffffffff, 4],
        ])
      : fields([
          [packed.length, 4],
          [raw.length, 4],
        ]);
    const extra = zip64
      ? fields([
          [1, 2],
          [24, 2],
          [raw.length, 8],
          [packed.length, 8],
          [start, 8],
        ])
      : Buffer.alloc(0);
    const lengths = fields([
      [nameBytes.length, 2],
      [extra.length, 2],
    ]);
    push(Buffer.concat([fields([[0x04034b50, 4]]), common, sizes, lengths, nameBytes, extra]));
    push(packed);
    directory.push(
      Buffer.concat([
        fields([
          [0x02014b50, 4],
          [zip64 ? 45 : 20, 2],
        ]),
        common,
        sizes,
        lengths,
        fields([
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 4],
          [zip64 ? 0xffffffff : start, 4],
        ]),
        nameBytes,
        extra,
      ]),
    );
  }
  const directoryAt = offset;
  for (const entry of directory) push(entry);
  const size = offset - directoryAt;
  const count = members.length;
  if (zip64) {
    const recordAt = offset;
    push(
      fields([
        [0x06064b50, 4],
        [44, 8],
        [45, 2],
        [45, 2],
        [0, 4],
        [0, 4],
        [count, 8],
        [count, 8],
        [size, 8],
        [directoryAt, 8],
      ]),
    );
    push(
      fields([
        [0x07064b50, 4],
        [0, 4],
        [recordAt, 8],
        [1, 4],
      ]),
    );
    push(
      fields([
        [0x06054b50, 4],
        [0, 2],
        [0, 2],
        [0xffff, 2],
        [0xffff, 2],
        [0xffffffff, 4],
        [0xffffffff, 4],
        [0, 2],
      ]),
    );
  } else {
    push(
      fields([
        [0x06054b50, 4],
        [0, 2],
        [0, 2],
        [count, 2],
        [count, 2],
        [size, 4],
        [directoryAt, 4],
        [0, 2],
      ]),
    );
  }
  writeFileSync(path, Buffer.concat(parts));
}

/** Numbers in little-endian fields, each with its width in bytes. */
function fields(list: [value: number, bytes: 2 | 4 | 8][]): Buffer {
  return Buffer.concat(
    list.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      if (bytes === 8) field.writeBigUInt64LE(BigInt(value));
      else field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}
