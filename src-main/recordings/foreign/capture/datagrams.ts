// Payloads of UDP over IPv4 in captured frames: Ethernet (with tags of VLANs), Linux "cooked" captures, raw IP, loopback.
import type { CapturedFrame } from './pcapFile.ts';

const ethernet = 1;
const rawIp = [12, 14, 101, 228];
const cooked = 113;
const cooked2 = 276;
const loopback = [0, 108];
const ipv4 = 0x0800;
const tags = [0x8100, 0x88a8];
const udp = 17;

export interface Datagram {
  payload: Uint8Array;
  /** The capture kept a part of it alone. */
  isCut: boolean;
  /** Address of the sender and port of the receiver: '192.168.1.201:2368'. */
  stream: string;
}

/** Null: the frame is no datagram. */
export function datagramOf(frame: CapturedFrame): Datagram | null {
  const { data, length } = frame;
  const at = ipHeaderAt(frame);
  if (at === null || data.length < at + 28) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const version = view.getUint8(at);
  const headerBytes = 4 * (version & 0x0f);
  const isFragment = (view.getUint16(at + 6) & 0x3fff) !== 0;
  if (version >> 4 !== 4 || headerBytes < 20 || isFragment || view.getUint8(at + 9) !== udp) {
    return null;
  }
  const udpAt = at + headerBytes;
  if (udpAt + 8 > data.length) return null;
  const end = udpAt + view.getUint16(udpAt + 4);
  if (end < udpAt + 8) return null;
  const payload = data.subarray(udpAt + 8, Math.min(end, data.length));
  const address = data.subarray(at + 12, at + 16).join('.');
  const stream = `${address}:${view.getUint16(udpAt + 2)}`;
  return { payload, isCut: end > data.length && length > data.length, stream };
}

function ipHeaderAt({ linkType, data }: CapturedFrame): number | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (rawIp.includes(linkType)) return 0;
  if (loopback.includes(linkType)) return 4;
  if (linkType === cooked) return data.length >= 16 && view.getUint16(14) === ipv4 ? 16 : null;
  if (linkType === cooked2) return data.length >= 20 && view.getUint16(0) === ipv4 ? 20 : null;
  if (linkType !== ethernet) return null;
  let at = 12;
  while (data.length >= at + 2 && tags.includes(view.getUint16(at))) at += 4;
  return data.length >= at + 2 && view.getUint16(at) === ipv4 ? at + 2 : null;
}
