// Bytes <-> frames, for stdio, WebSocket and MessagePort alike. PROTOCOL.md gives the layout and why.
// Typed arrays are viewed, not copied, wherever their bytes already lie 8-aligned in one piece.
import { columnTypes, type ColumnArray, type Columns, type ColumnType } from '../columns.ts';
import { UnderstoryError } from '../errors.ts';
import { checkedHeader, type FrameHeader } from './frameHeader.ts';
import { JsonText } from './jsonText.ts';

/** 'USF1', little-endian. */
export const frameMagic = 0x31465355;
/** Magic and the two lengths. */
export const preambleBytes = 16;
/** Longer headers and payloads are refused before anything is allocated. */
export const maxHeaderBytes = 64 * 1024 * 1024;
export const maxPayloadBytes = 1024 * 1024 * 1024;

/** Chunks that are sent and not yet acknowledged, at most. */
export const chunkWindow = 4;

export interface Frame {
  header: Omit<FrameHeader, 'columns'>;
  columns: Columns;
}

/**
 * Lays a frame out in one new buffer.
 * @throws UnderstoryError 'bad-input' for more than a frame may hold: the caller can ask for less
 */
export function encodeFrame(frame: Frame): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(frame.columns);
  const header: FrameHeader = { ...frame.header };
  if (entries.length > 0) {
    header.columns = entries.map(([name, array]) => ({
      name,
      type: columnTypeOf(array),
      count: array.length,
    }));
  }
  const headerJson = new TextEncoder().encode(jsonOf(header));
  const headerBytes = pad8(headerJson.length);
  const payloadBytes = entries.reduce((sum, [, array]) => sum + pad8(array.byteLength), 0);
  if (headerBytes > maxHeaderBytes || payloadBytes > maxPayloadBytes) {
    throw tooLarge(headerBytes, payloadBytes);
  }
  const bytes = new Uint8Array(preambleBytes + headerBytes + payloadBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, frameMagic, true);
  view.setUint32(4, headerBytes, true);
  view.setBigUint64(8, BigInt(payloadBytes), true);
  bytes.fill(0x20, preambleBytes, preambleBytes + headerBytes);
  bytes.set(headerJson, preambleBytes);
  let offset = preambleBytes + headerBytes;
  for (const [, array] of entries) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
    offset += pad8(array.byteLength);
  }
  return bytes;
}

/**
 * Reads frames from a stream that may be cut anywhere, even at every byte.
 * @throws UnderstoryError 'protocol' on bytes that are no frame; the reader is then of no further use.
 */
export class FrameReader {
  #preamble = new Uint8Array(preambleBytes);
  #body: Uint8Array<ArrayBuffer> | null = null;
  #filled = 0;
  #headerBytes = 0;

  /** Takes the next bytes and returns the frames that they complete. */
  push(bytes: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let offset = 0;
    while (offset < bytes.length || (this.#body !== null && this.#filled === this.#body.length)) {
      const target: Uint8Array = this.#body ?? this.#preamble;
      const take = Math.min(target.length - this.#filled, bytes.length - offset);
      target.set(bytes.subarray(offset, offset + take), this.#filled);
      offset += take;
      this.#filled += take;
      if (this.#filled < target.length) break;
      if (this.#body === null) {
        this.#startBody();
      } else {
        frames.push(decodeBody(this.#body, this.#headerBytes));
        this.#body = null;
        this.#filled = 0;
      }
    }
    return frames;
  }

  /** True between frames: a stream that ends elsewhere was cut off. */
  get isIdle(): boolean {
    return this.#body === null && this.#filled === 0;
  }

  #startBody(): void {
    const { headerBytes, payloadBytes } = readPreamble(this.#preamble);
    this.#headerBytes = headerBytes;
    this.#body = new Uint8Array(headerBytes + payloadBytes);
    this.#filled = 0;
  }
}

/**
 * Decodes exactly one frame, as a WebSocket message or MessagePort post carries it. The columns of a message that has
 * its buffer to itself are views of that buffer: nothing is copied.
 * @throws UnderstoryError 'protocol', before anything is allocated where the lengths do not agree.
 */
export function decodeFrame(bytes: Uint8Array): Frame {
  if (bytes.length < preambleBytes) throw notOneFrame();
  const { headerBytes, payloadBytes } = readPreamble(bytes);
  if (bytes.length !== preambleBytes + headerBytes + payloadBytes) throw notOneFrame();
  const { buffer } = bytes;
  // Why a copy otherwise: columns must not share a buffer with other messages, and begin at multiples of 8.
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length;
  const body = isAlone
    ? new Uint8Array(buffer, preambleBytes)
    : new Uint8Array(bytes.subarray(preambleBytes));
  return decodeBody(body, headerBytes);
}

function jsonOf(header: FrameHeader): string {
  if (!(header.body instanceof JsonText)) return JSON.stringify(header);
  const others = JSON.stringify({ ...header, body: undefined });
  return `${others.slice(0, -1)},"body":${header.body.json}}`;
}

function tooLarge(headerBytes: number, payloadBytes: number): UnderstoryError {
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;
  const [found, most] =
    headerBytes > maxHeaderBytes ? [headerBytes, maxHeaderBytes] : [payloadBytes, maxPayloadBytes];
  const message = `the answer takes ${megabytes(found)}, a message holds at most ${megabytes(most)}: ask for less at a time`;
  return new UnderstoryError('bad-input', message, { headerBytes, payloadBytes });
}

function notOneFrame(): UnderstoryError {
  return new UnderstoryError('protocol', 'a message must hold exactly one whole frame');
}

/** @throws UnderstoryError 'protocol' */
function readPreamble(bytes: Uint8Array): { headerBytes: number; payloadBytes: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== frameMagic) {
    const message = 'the stream does not hold a frame where one was expected';
    throw new UnderstoryError('protocol', message);
  }
  const headerBytes = view.getUint32(4, true);
  const payloadBytes = Number(view.getBigUint64(8, true));
  if (headerBytes > maxHeaderBytes || payloadBytes > maxPayloadBytes) {
    throw new UnderstoryError('protocol', 'a frame is larger than the protocol allows', {
      headerBytes,
      payloadBytes,
    });
  }
  if (headerBytes % 8 !== 0 || payloadBytes % 8 !== 0) {
    throw new UnderstoryError('protocol', 'a frame is not padded to 8 bytes');
  }
  return { headerBytes, payloadBytes };
}

function decodeBody(body: Uint8Array<ArrayBuffer>, headerBytes: number): Frame {
  const { columns: columnHeaders = [], ...header } = parseHeader(body.subarray(0, headerBytes));
  const columns: Columns = {};
  let offset = headerBytes;
  for (const { name, type, count } of columnHeaders) {
    const ArrayOf = columnTypes[type];
    const byteLength = count * ArrayOf.BYTES_PER_ELEMENT;
    if (offset + byteLength > body.length) {
      throw new UnderstoryError('protocol', `column '${name}' does not fit in its frame`);
    }
    columns[name] = new ArrayOf(body.buffer, body.byteOffset + offset, count);
    offset += pad8(byteLength);
  }
  return { header, columns };
}

/** @throws UnderstoryError 'protocol' */
function parseHeader(bytes: Uint8Array): FrameHeader {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UnderstoryError('protocol', 'the header of a frame is not JSON');
  }
  return checkedHeader(value);
}

function columnTypeOf(array: ColumnArray): ColumnType {
  const found = Object.entries(columnTypes).find(([, ArrayOf]) => array instanceof ArrayOf);
  if (found === undefined) throw new TypeError('a column must be one of the typed arrays');
  return found[0] as ColumnType;
}

function pad8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
