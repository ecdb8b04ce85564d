// Network captures: pcap (microseconds or nanoseconds, of either byte order) and pcapng. Guarantees: no record is larger
// than maxRecordBytes, whatever it states; a capture that ends within a record is refused.
import { UnderstoryError } from '#contract/errors.ts';
import type { RegularFile } from '#files/regularFile.ts';

/** A frame as it was captured. */
export interface CapturedFrame {
  /** Since 1970. */
  timeNs: bigint;
  linkType: number;
  data: Uint8Array;
  /** Bytes that it had before it was cut to the capture's limit. */
  length: number;
}

/** The limit of libpcap (MAXIMUM_SNAPLEN). */
const maxRecordBytes = 262_144;
/** Blocks of pcapng may hold more than one frame's bytes. */
const maxBlockBytes = 2 ** 24;

const magics: Readonly<Record<number, { isLittle: boolean; unitNs: bigint }>> = {
  0xd4c3b2a1: { isLittle: true, unitNs: 1000n },
  0xa1b2c3d4: { isLittle: false, unitNs: 1000n },
  0x4d3cb2a1: { isLittle: true, unitNs: 1n },
  0xa1b23c4d: { isLittle: false, unitNs: 1n },
};
const sectionBlock = 0x0a0d0d0a;

/** The frames of a capture in turn. @throws UnderstoryError 'corrupt', 'cancelled' */
export async function* capturedFrames(
  file: RegularFile,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): AsyncGenerator<CapturedFrame> {
  const bytes = byteQueue(file, signal, progress);
  const head = await bytes.take(4);
  const magic = head === null ? 0 : viewOf(head).getUint32(0);
  const classic = magics[magic];
  if (classic !== undefined) yield* classicFrames(file, bytes, classic);
  else if (magic === sectionBlock) yield* blockFrames(file, bytes);
  else throw damaged(file, 'expected a capture (pcap or pcapng)');
}

async function* classicFrames(
  file: RegularFile,
  bytes: ByteQueue,
  { isLittle, unitNs }: { isLittle: boolean; unitNs: bigint },
): AsyncGenerator<CapturedFrame> {
  const rest = await bytes.take(20);
  if (rest === null) throw cutOff(file);
  const linkType = viewOf(rest).getUint32(16, isLittle) & 0xffff;
  for (;;) {
    const head = await bytes.take(16, true);
    if (head === null) return;
    const view = viewOf(head);
    const [seconds, part, captured, length] = [0, 4, 8, 12].map((at) =>
      view.getUint32(at, isLittle),
    );
    const data = await record(file, bytes, captured ?? 0);
    const timeNs = BigInt(seconds ?? 0) * 1_000_000_000n + BigInt(part ?? 0) * unitNs;
    yield { timeNs, linkType, data, length: length ?? 0 };
  }
}

interface Interface {
  linkType: number;
  /** Units of times in a second. */
  perSecond: bigint;
}

async function* blockFrames(file: RegularFile, bytes: ByteQueue): AsyncGenerator<CapturedFrame> {
  let isLittle = true;
  let interfaces: Interface[] = [];
  let type = sectionBlock;
  for (;;) {
    const size = await bytes.take(type === sectionBlock ? 8 : 4);
    if (size === null) throw cutOff(file);
    if (type === sectionBlock) {
      isLittle = viewOf(size).getUint32(4, true) === 0x1a2b3c4d;
      interfaces = [];
    }
    const total = viewOf(size).getUint32(0, isLittle);
    if (total < 12 + (size.length - 4) || total > maxBlockBytes) {
      throw damaged(file, `found a block of ${total} bytes`);
    }
    const body = await bytes.take(total - 4 - size.length);
    if (body === null) throw cutOff(file);
    const content = body.subarray(0, body.length - 4);
    if (type === 1) interfaces.push(interfaceOf(file, content, isLittle));
    if (type === 6) yield enhancedPacket(file, content, interfaces, isLittle);
    const next = await bytes.take(4, true);
    if (next === null) return;
    type = viewOf(next).getUint32(0, isLittle);
  }
}

function interfaceOf(file: RegularFile, content: Uint8Array, isLittle: boolean): Interface {
  if (content.length < 8) throw damaged(file, 'found an interface without its fields');
  const view = viewOf(content);
  let perSecond = 1_000_000n;
  for (let at = 8; at + 4 <= content.length;) {
    const [code, length] = [view.getUint16(at, isLittle), view.getUint16(at + 2, isLittle)];
    if (code === 0 || at + 4 + length > content.length) break;
    if (code === 9 && length >= 1) {
      const value = view.getUint8(at + 4);
      const power = BigInt(value & 0x7f);
      if (power > 60n) throw damaged(file, `found a resolution of times of ${value}`);
      perSecond = (value & 0x80) === 0 ? 10n ** power : 2n ** power;
    }
    at += 4 + 4 * Math.ceil(length / 4);
  }
  return { linkType: view.getUint16(0, isLittle), perSecond };
}

function enhancedPacket(
  file: RegularFile,
  content: Uint8Array,
  interfaces: readonly Interface[],
  isLittle: boolean,
): CapturedFrame {
  const view = viewOf(content);
  const captured = content.length < 20 ? Infinity : view.getUint32(12, isLittle);
  if (20 + captured > content.length) throw damaged(file, 'found a frame longer than its block');
  const known = interfaces[view.getUint32(0, isLittle)];
  if (known === undefined) throw damaged(file, 'found a frame of an unknown interface');
  const units = (BigInt(view.getUint32(4, isLittle)) << 32n) | BigInt(view.getUint32(8, isLittle));
  return {
    timeNs: (units * 1_000_000_000n) / known.perSecond,
    linkType: known.linkType,
    data: content.subarray(20, 20 + captured),
    length: view.getUint32(16, isLittle),
  };
}

async function record(file: RegularFile, bytes: ByteQueue, length: number): Promise<Uint8Array> {
  if (length > maxRecordBytes) throw damaged(file, `found a frame of ${length} bytes`);
  const data = await bytes.take(length);
  if (data === null) throw cutOff(file);
  return data;
}

interface ByteQueue {
  /** The next bytes. Null: the file ends before them; with `mayEnd` an end in front of them is none within a record. */
  take(length: number, mayEnd?: boolean): Promise<Uint8Array | null>;
}

function byteQueue(
  file: RegularFile,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): ByteQueue {
  const pieces = file.pieces({ signal });
  let held: Uint8Array = new Uint8Array(0);
  let read = 0;
  return {
    async take(length, mayEnd = false) {
      while (held.length < length) {
        const next = await pieces.next();
        if (next.done === true) {
          if (held.length > 0 && mayEnd) throw cutOff(file);
          return null;
        }
        read += next.value.length;
        progress(read);
        held = held.length === 0 ? next.value : joined(held, next.value);
      }
      const taken = held.subarray(0, length);
      held = held.subarray(length);
      return taken;
    },
  };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function cutOff({ path }: RegularFile): UnderstoryError {
  return new UnderstoryError('corrupt', `${path} was cut off`, { file: path });
}

function damaged({ path }: RegularFile, found: string): UnderstoryError {
  return new UnderstoryError('corrupt', `${path} is damaged: ${found}`, { file: path });
}
