// Changes of MCAP records, also within compressed chunks; lengths and checksums are right afterwards.
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  fileOf,
  joined,
  mcapMagic,
  type McapRecord,
  opcodes,
  recordBytes,
  recordsOf,
} from '#test/recordings/mcapRecords.ts';
import type { Random } from '../random.ts';
import { mutatedBytes, setInteger } from './bytes.ts';
import { mutatedJson } from './json.ts';

/** The data of a file with one to three records changed. Its end has no summary; now and then there is none. */
export function mutatedMcap(bytes: Uint8Array, random: Random): Uint8Array {
  const records = recordsOf(bytes.subarray(mcapMagic.length)).filter(
    ({ opcode }) => opcode < opcodes.dataEnd && opcode !== opcodes.footer,
  );
  for (let change = 0; change <= random.below(3); change += 1) {
    const index = random.below(records.length);
    const record = records[index];
    if (record === undefined) break;
    const kind = random.below(12);
    if (kind === 0) records.splice(index, 1);
    else if (kind === 1) records.splice(random.below(records.length), 0, record);
    else records[index] = changedRecord(record, random);
  }
  if (random.oneIn(8)) return joined(mcapMagic, ...records.map(recordBytes));
  return fileOf(records);
}

function changedRecord({ opcode, content }: McapRecord, random: Random): McapRecord {
  if (opcode === opcodes.chunk) return { opcode, content: changedChunk(content, random) };
  if (opcode === opcodes.attachment) return { opcode, content: changedAttachment(content, random) };
  return { opcode, content: changedValues(content, random) };
}

/** JSON changes as JSON, other values in place or as bytes. */
function changedValues(bytes: Uint8Array, random: Random): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8');
  const json = /\{.*\}/s.exec(text);
  if (json !== null && !random.oneIn(4)) {
    const at = Buffer.byteLength(text.slice(0, json.index));
    const changed = Buffer.from(mutatedJson(json[0], random));
    const part = joined(
      bytes.subarray(0, at),
      changed,
      bytes.subarray(at + Buffer.byteLength(json[0])),
    );
    // A string of CDR and one of MCAP state their length before them.
    if (at >= 4) new DataView(part.buffer).setUint32(at - 4, changed.length, true);
    return part;
  }
  if (random.oneIn(3)) return mutatedBytes(bytes, random);
  const changed = bytes.slice();
  for (let change = 0; change <= random.below(3); change += 1) {
    const reach = random.oneIn(2) ? Math.min(160, changed.length) : changed.length;
    if (reach > 0) setInteger(changed, random.below(reach), random);
  }
  return changed;
}

/** Log and create time, name, media type, data, CRC-32 of all before. */
function changedAttachment(content: Uint8Array, random: Random): Uint8Array {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const typeAt = 20 + view.getUint32(16, true);
  const dataAt = typeAt + 4 + view.getUint32(typeAt, true) + 8;
  const data = content.slice(dataAt, content.length - 4);
  const text = Buffer.from(data).toString('utf8');
  const changed =
    text.startsWith('{') && !random.oneIn(8)
      ? Buffer.from(mutatedJson(text, random))
      : changedValues(data, random);
  const head = content.slice(0, dataAt);
  new DataView(head.buffer).setBigUint64(dataAt - 8, BigInt(changed.length), true);
  if (random.oneIn(8)) setInteger(head, random.below(head.length), random);
  const sum = new DataView(new ArrayBuffer(4));
  const whole = joined(head, changed);
  sum.setUint32(0, crc32(whole), true);
  return joined(whole, new Uint8Array(sum.buffer));
}

/** Null: the bytes are damaged. */
function unpacked(bytes: Uint8Array): Uint8Array | null {
  try {
    return new Uint8Array(zstdDecompressSync(bytes));
  } catch {
    return null;
  }
}

/** Times, sizes, CRC-32, compression, length, records. */
function changedChunk(content: Uint8Array, random: Random): Uint8Array {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const nameBytes = view.getUint32(28, true);
  const recordsAt = 32 + nameBytes + 8;
  const packed = content.subarray(recordsAt);
  const isPacked = nameBytes > 0;
  const whole = isPacked ? unpacked(packed) : new Uint8Array(packed);
  // An earlier change damaged it.
  if (whole === null) return changedValues(content, random);
  const inner = recordsOf(whole);
  const index = random.below(Math.max(1, inner.length));
  const record = inner[index];
  if (record !== undefined) {
    const kind = random.below(8);
    if (kind === 0) inner.splice(index, 1);
    else if (kind === 1)
      inner.splice(index, 0, ...new Array<McapRecord>(random.of([1, 300])).fill(record));
    else inner[index] = { ...record, content: changedValues(record.content, random) };
  }
  const records = joined(...inner.map(recordBytes));
  const written = isPacked ? new Uint8Array(zstdCompressSync(records)) : records;
  const head = content.slice(0, recordsAt);
  const headView = new DataView(head.buffer);
  headView.setBigUint64(16, BigInt(records.length), true);
  headView.setUint32(24, crc32(records), true);
  headView.setBigUint64(recordsAt - 8, BigInt(written.length), true);
  if (random.oneIn(6)) setInteger(head, random.below(recordsAt), random);
  return joined(head, written);
}
