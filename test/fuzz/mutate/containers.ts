// Changes inside containers that are whole again afterwards, with right lengths and checksums, so that a reader gets to
// what they hold: GLB, ZIP, PNG, logs, and headers of text before binary rows.
import { createHash } from 'node:crypto';
import { crc32, deflateSync, inflateSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { decodeFrame, encodeFrame, type Frame } from '#contract/wire/frame.ts';
import { endMagic, sectionHeadBytes, startMagic, trailerBytes } from '#recordings/log/logLayout.ts';
import { offsetBytes } from '#recordings/octree/indexedFile.ts';
import { octreeEnd } from '#recordings/octree/octreeLayout.ts';
import { glbOf } from '#test/domain/import/glb.ts';
import { joined } from '#test/recordings/mcapRecords.ts';
import type { Random } from '../random.ts';
import { mutatedBytes, setInteger } from './bytes.ts';
import { mutatedJson } from './json.ts';
import { mutatedText } from './text.ts';

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/** Changes of a file, by its name. */
export type Mutate = (name: string, bytes: Uint8Array, random: Random) => Uint8Array;

export function mutatedGlb(bytes: Uint8Array, random: Random): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const textEnd = 20 + view.getUint32(12, true);
  const text = decoder.decode(bytes.subarray(20, textEnd));
  const bin = bytes.slice(textEnd + 8);
  const isText = !random.oneIn(5);
  const json: unknown = JSON.parse(text);
  const whole = glbOf(json as object, isText ? bin : mutatedBytes(bin, random));
  if (!isText) return whole;
  const changed = encoder.encode(mutatedJson(text, random));
  const padded = new Uint8Array(4 * Math.ceil(changed.length / 4)).fill(0x20);
  padded.set(changed);
  const head = new Uint8Array(20);
  const headView = new DataView(head.buffer);
  const length = 20 + padded.length + 8 + bin.length;
  const words = [0x46546c67, 2, length, padded.length, 0x4e4f534a];
  for (const [at, word] of words.entries()) headView.setUint32(4 * at, word, true);
  return joined(head, padded, bytes.subarray(textEnd, textEnd + 8), bin);
}

/** One entry changes, is removed, or comes twice under another name; a manifest of ours then agrees, mostly. */
export function mutatedZip(bytes: Uint8Array, random: Random, mutate: Mutate): Uint8Array {
  const entries = new Map<string, Uint8Array>(Object.entries(unzipSync(bytes)));
  const manifestName = 'manifest.json';
  const names = [...entries.keys()];
  const name = random.of(names);
  const entry = entries.get(name) ?? new Uint8Array();
  const kind = random.below(12);
  if (kind === 0) entries.delete(name);
  else if (kind === 1) entries.set(mutatedText(name, random) || 'x', entry);
  else if (kind === 2) entries.set(random.of(['../x', '/x', 'a/../../x', 'x\\y', '\u0000']), entry);
  else entries.set(name, mutate(name, entry, random));
  const manifest = entries.get(manifestName);
  if (manifest !== undefined && name !== manifestName && !random.oneIn(10)) {
    entries.delete(manifestName);
    const listed = [...entries].map(([own, content]) => {
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { name: own, bytes: content.length, sha256 };
    });
    const document = JSON.parse(decoder.decode(manifest)) as object;
    const text = JSON.stringify({ ...document, entries: listed });
    entries.set(manifestName, encoder.encode(text));
  }
  const mtime = new Date(2000, 1, 1);
  return zipSync(Object.fromEntries(entries), { level: random.oneIn(2) ? 0 : 6, mtime });
}

/** Chunks of a PNG change; their checksums, and the compression of the samples, are right. */
export function mutatedPng(bytes: Uint8Array, random: Random): Uint8Array {
  const parts: Uint8Array[] = [bytes.subarray(0, 8)];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const type = decoder.decode(bytes.subarray(at + 4, at + 8));
    let content: Uint8Array = bytes.slice(at + 8, at + 8 + length);
    at += 12 + length;
    if (type === 'IHDR' && random.oneIn(2)) setInteger(content, random.below(13), random);
    if (type === 'IDAT' && random.oneIn(2)) {
      const samples = inflateSync(content);
      const many = joined(...Array.from({ length: random.of([1, 1, 50]) }, () => samples));
      content = new Uint8Array(deflateSync(mutatedBytes(many, random)));
    }
    if (random.oneIn(12)) content = mutatedBytes(content, random);
    const times = random.oneIn(12) ? random.below(3) : 1;
    for (let time = 0; time < times; time += 1) parts.push(pngChunk(type, content));
  }
  return joined(...parts);
}

function pngChunk(type: string, content: Uint8Array): Uint8Array {
  const body = joined(encoder.encode(type), content);
  const [length, sum] = [new DataView(new ArrayBuffer(4)), new DataView(new ArrayBuffer(4))];
  length.setUint32(0, content.length);
  sum.setUint32(0, crc32(body));
  return joined(new Uint8Array(length.buffer), body, new Uint8Array(sum.buffer));
}

/** A log of ours (LOG.md) whose frames change; lengths, offsets and SHA-256 are right. */
export function mutatedLog(bytes: Uint8Array, random: Random): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Frame[] = [];
  const end = bytes.length - trailerBytes;
  for (let at = startMagic.length; at < end;) {
    const next = at + sectionHeadBytes + Number(view.getBigUint64(at, true));
    frames.push(
      decodeFrame(new Uint8Array(zstdDecompressSync(bytes.subarray(at + sectionHeadBytes, next)))),
    );
    at = next;
  }
  const target = random.below(frames.length);
  const parts: Uint8Array[] = [startMagic];
  const offsets: number[] = [];
  const hash = createHash('sha256');
  let at = startMagic.length;
  for (const [index, frame] of frames.entries()) {
    const isSummary = index === frames.length - 1;
    const offsetColumn = frame.columns['offset'];
    if (isSummary && offsetColumn !== undefined) {
      for (const [row, offset] of offsets.slice(1).entries()) {
        if (offsetColumn instanceof BigUint64Array) offsetColumn[row] = BigInt(offset);
      }
    }
    offsets.push(at);
    const whole = encodeFrame(frame);
    const content = index === target ? mutatedFrame(whole, random) : whole;
    hash.update(content);
    const section = sectionOf(content);
    parts.push(section);
    at += section.length;
  }
  const summaryOffset = new DataView(new ArrayBuffer(8));
  summaryOffset.setBigUint64(0, BigInt(offsets.at(-1) ?? 0), true);
  return joined(...parts, new Uint8Array(summaryOffset.buffer), hash.digest(), endMagic);
}

/** A content as a section of LOG.md. */
function sectionOf(content: Uint8Array): Uint8Array {
  const packed = zstdCompressSync(content);
  const lengths = new DataView(new ArrayBuffer(sectionHeadBytes));
  lengths.setBigUint64(0, BigInt(packed.length), true);
  lengths.setBigUint64(8, BigInt(content.length), true);
  return joined(new Uint8Array(lengths.buffer), packed);
}

/** An octree (OCTREE.md) whose index changes; its lengths are right. */
export function mutatedOctree(bytes: Uint8Array, random: Random): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - offsetBytes - octreeEnd.length;
  const indexAt = Number(view.getBigUint64(end, true));
  const packed = bytes.subarray(indexAt + sectionHeadBytes, end);
  const index = mutatedFrame(new Uint8Array(zstdDecompressSync(packed)), random);
  return joined(bytes.subarray(0, indexAt), sectionOf(index), bytes.subarray(end));
}

/** The header or the columns of a frame of the wire change; its lengths are right. */
export function mutatedFrame(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length < 16) return mutatedBytes(bytes, random);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerEnd = 16 + view.getUint32(4, true);
  const payload = bytes.slice(headerEnd);
  if (payload.length > 0 && random.oneIn(3)) {
    return joined(bytes.subarray(0, headerEnd), mutatedRows(payload, random));
  }
  const text = mutatedJson(decoder.decode(bytes.subarray(16, headerEnd)), random);
  const header = encoder.encode(text);
  const padded = new Uint8Array(8 * Math.ceil(header.length / 8)).fill(0x20);
  padded.set(header);
  const preamble = bytes.slice(0, 16);
  new DataView(preamble.buffer).setUint32(4, padded.length, true);
  return joined(preamble, padded, payload);
}

/** Values change in place: the length stays. */
function mutatedRows(bytes: Uint8Array, random: Random): Uint8Array {
  for (let change = 0; change <= random.below(6); change += 1) {
    setInteger(bytes, 4 * random.below(Math.ceil(bytes.length / 4)), random);
  }
  return bytes;
}

/** A header of text, as of PLY and PCD, or the rows after it. @param lastLine how the header ends */
export function mutatedHeaded(bytes: Uint8Array, lastLine: RegExp, random: Random): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const match = lastLine.exec(text);
  if (match === null) return mutatedBytes(bytes, random);
  const end = match.index + match[0].length;
  if (random.oneIn(4))
    return joined(bytes.subarray(0, end), mutatedBytes(bytes.subarray(end), random));
  const json = /(?<=comment json )\{.*\}/.exec(text.slice(0, end));
  const header = text.slice(0, end);
  const changed =
    json !== null && random.oneIn(2)
      ? header.replace(json[0], () => mutatedJson(json[0], random))
      : mutatedText(header, random);
  return joined(Buffer.from(changed, 'latin1'), bytes.subarray(end));
}
