// The records of MCAP files, byte by byte (mcap.dev/spec): split, changed and put together again.
import { crc32 } from 'node:zlib';

export const mcapMagic = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);
export const opcodes = {
  footer: 0x02,
  schema: 0x03,
  channel: 0x04,
  chunk: 0x06,
  attachment: 0x09,
  dataEnd: 0x0f,
};
const headBytes = 9;

export interface McapRecord {
  opcode: number;
  content: Uint8Array;
}

/** The whole records after the start of a file, or in a chunk. @param bytes without magic */
export function recordsOf(bytes: Uint8Array): McapRecord[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: McapRecord[] = [];
  for (let at = 0; at + headBytes <= bytes.length;) {
    const end = at + headBytes + Number(view.getBigUint64(at + 1, true));
    if (end > bytes.length) break;
    records.push({ opcode: bytes[at] ?? 0, content: bytes.slice(at + headBytes, end) });
    at = end;
  }
  return records;
}

export function recordBytes({ opcode, content }: McapRecord): Uint8Array {
  const head = new DataView(new ArrayBuffer(headBytes));
  head.setUint8(0, opcode);
  head.setBigUint64(1, BigInt(content.length), true);
  return joined(new Uint8Array(head.buffer), content);
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** The data section of a file without what ends it. */
export function dataOf(file: Uint8Array): McapRecord[] {
  const isEnd = ({ opcode }: McapRecord): boolean => opcode === opcodes.dataEnd;
  const records = recordsOf(file.subarray(mcapMagic.length));
  return records.slice(0, records.findIndex(isEnd));
}

/** A file of these records and an end without summary. @param dataCrc default: none */
export function fileOf(records: readonly McapRecord[], dataCrc = 0): Uint8Array {
  const end = new Uint8Array(4);
  new DataView(end.buffer).setUint32(0, dataCrc, true);
  return joined(
    mcapMagic,
    ...records.map(recordBytes),
    recordBytes({ opcode: opcodes.dataEnd, content: end }),
    recordBytes({ opcode: opcodes.footer, content: new Uint8Array(20) }),
    mcapMagic,
  );
}

/** CRC-32 as the DataEnd of a file of these records states it. */
export function dataCrcOf(records: readonly McapRecord[]): number {
  return crc32(joined(mcapMagic, ...records.map(recordBytes)));
}
