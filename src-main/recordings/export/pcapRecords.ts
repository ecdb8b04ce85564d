// Records of a capture (pcap, microseconds) with Velodyne's datagrams in Ethernet and IPv4 as the sensors send them:
// from 192.168.1.201 to everyone, port 2368.

const etherBytes = 14;
const ipBytes = 20;
const udpBytes = 8;
const recordHeadBytes = 16;
const ethernet = 1;
const snapBytes = 65_535;
const port = 2368;
const sensorAddress = [192, 168, 1, 201];
const sensorMac = [0x60, 0x76, 0x88, 0, 0, 0];

/** The head of a capture. */
export function pcapHead(): Uint8Array {
  const view = new DataView(new ArrayBuffer(24));
  view.setUint32(0, 0xa1b2c3d4, true);
  view.setUint16(4, 2, true);
  view.setUint16(6, 4, true);
  view.setUint32(16, snapBytes, true);
  view.setUint32(20, ethernet, true);
  return new Uint8Array(view.buffer);
}

/** A datagram with the time of its capture, in microseconds since 1970. */
export function pcapRecord(timeUs: bigint, payload: Uint8Array): Uint8Array {
  const frameBytes = etherBytes + ipBytes + udpBytes + payload.length;
  const record = new Uint8Array(recordHeadBytes + frameBytes);
  const view = new DataView(record.buffer);
  view.setUint32(0, Number(timeUs / 1_000_000n), true);
  view.setUint32(4, Number(timeUs % 1_000_000n), true);
  view.setUint32(8, frameBytes, true);
  view.setUint32(12, frameBytes, true);
  record.fill(0xff, recordHeadBytes, recordHeadBytes + 6);
  record.set(sensorMac, recordHeadBytes + 6);
  view.setUint16(recordHeadBytes + 12, 0x0800);
  const ipAt = recordHeadBytes + etherBytes;
  view.setUint8(ipAt, 0x45);
  view.setUint16(ipAt + 2, ipBytes + udpBytes + payload.length);
  view.setUint16(ipAt + 6, 0x4000);
  view.setUint8(ipAt + 8, 255);
  view.setUint8(ipAt + 9, 17);
  record.set(sensorAddress, ipAt + 12);
  record.fill(0xff, ipAt + 16, ipAt + 20);
  view.setUint16(ipAt + 10, checksum(view, ipAt));
  const udpAt = ipAt + ipBytes;
  view.setUint16(udpAt, port);
  view.setUint16(udpAt + 2, port);
  view.setUint16(udpAt + 4, udpBytes + payload.length);
  record.set(payload, udpAt + udpBytes);
  return record;
}

/** The sum of a header of IPv4 (RFC 791). */
function checksum(view: DataView, at: number): number {
  let sum = 0;
  for (let word = 0; word < ipBytes; word += 2) sum += view.getUint16(at + word);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}
