// Data packets of Velodyne's sensors: 1206 bytes, twelve blocks of 32 measurements, a stamp in microseconds since the
// hour, the return mode and the model. Guarantees: what is encoded is decoded to the same numbers.
import type { ReturnColumnName } from '#contract/columns.ts';
import type { VelodyneModel } from './models.ts';

/** Columns of returns from which packets are made. */
export const packetColumns = [
  'pulse',
  'azimuth_rad',
  'return_no',
  'range_m',
  'intensity',
] as const satisfies readonly ReturnColumnName[];

export const packetBytes = 1206;
const blocks = 12;
const blockBytes = 100;
const channels = 32;
const stampAt = blocks * blockBytes;

/** Steps of a turn: hundredths of a degree. */
export const turnSteps = 36_000;

/** Byte of the return mode. */
export const returnModeBytes = { strongest: 0x37, last: 0x38, dual: 0x39 } as const;

/** A measurement: steps of range, 0 without a return, and the byte of its intensity. */
export interface Measurement {
  steps: number;
  intensity: number;
}

/** Firing sequences of a packet. */
export function sequencesPerPacket({ lasers }: VelodyneModel, isDual: boolean): number {
  return Math.floor((blocks * channels) / lasers / (isDual ? 2 : 1));
}

/** Time of a firing since the first one of its packet. */
export function firingTimeUs(model: VelodyneModel, sequence: number, laser: number): number {
  return model.sequenceUs * sequence + (model.firingUs[laser] ?? 0);
}

/** A place in a packet. */
export interface Place {
  block: number;
  channel: number;
}

/** Places of a firing; `second`: of the strongest of two returns, null where packets have one. */
export function placesOf(
  model: VelodyneModel,
  isDual: boolean,
  sequence: number,
  laser: number,
): { first: Place; second: Place | null } {
  const index = sequence * model.lasers + laser;
  const [single, channel] = [Math.floor(index / channels), index % channels];
  if (!isDual) return { first: { block: single, channel }, second: null };
  if (model.factoryByte !== null) {
    return { first: { block: 2 * single, channel }, second: { block: 2 * single + 1, channel } };
  }
  // The HDL-64E has both blocks of the strongest returns before those of the last.
  const block = 4 * (single >> 1) + (single & 1);
  return { first: { block: block + 2, channel }, second: { block, channel } };
}

/** First sequence of a block: its azimuth is that of this sequence's beginning. */
export function firstSequenceOf(model: VelodyneModel, sequence: number): number {
  return model.lasers >= channels ? sequence : sequence - (sequence % (channels / model.lasers));
}

/** Reads values of a packet. `payload` has packetBytes bytes. */
export interface PacketReader {
  /** Hundredths of a degree, clockwise from the sensor's x axis. */
  azimuthSteps(block: number): number;
  flag(block: number): number;
  measurement(place: Place): Measurement;
  /** Microseconds since the hour. */
  readonly stampUs: number;
  readonly modeByte: number;
  readonly modelByte: number;
}

export function packetReader(payload: Uint8Array): PacketReader {
  const view = new DataView(payload.buffer, payload.byteOffset, packetBytes);
  return {
    flag: (block) =>
      view.getUint8(block * blockBytes) === 0xff ? view.getUint8(block * blockBytes + 1) : 0,
    azimuthSteps: (block) => view.getUint16(block * blockBytes + 2, true),
    measurement: ({ block, channel }) => {
      const at = block * blockBytes + 4 + 3 * channel;
      return { steps: view.getUint16(at, true), intensity: view.getUint8(at + 2) };
    },
    stampUs: view.getUint32(stampAt, true),
    modeByte: view.getUint8(stampAt + 4),
    modelByte: view.getUint8(stampAt + 5),
  };
}

/** A packet under construction: without returns at first. */
export interface PacketWriter {
  readonly bytes: Uint8Array;
  setAzimuthSteps(block: number, steps: number): void;
  setMeasurement(place: Place, measurement: Measurement): void;
}

export function packetWriter(
  model: VelodyneModel,
  { isDual, modeByte, stampUs }: { isDual: boolean; modeByte: number; stampUs: number },
): PacketWriter {
  const bytes = new Uint8Array(packetBytes);
  const view = new DataView(bytes.buffer);
  for (let sequence = 0; sequence < sequencesPerPacket(model, isDual); sequence++) {
    for (let laser = 0; laser < model.lasers; laser++) {
      const { first, second } = placesOf(model, isDual, sequence, laser);
      const flag = model.flags[Math.floor(laser / channels)] ?? 0;
      for (const place of [first, second ?? first]) {
        view.setUint16(place.block * blockBytes, 0xff | (flag << 8), true);
      }
    }
  }
  view.setUint32(stampAt, stampUs, true);
  // The last two bytes of the HDL-64E are a status, which is none here.
  if (model.factoryByte !== null) {
    view.setUint8(stampAt + 4, modeByte);
    view.setUint8(stampAt + 5, model.factoryByte);
  }
  return {
    bytes,
    setAzimuthSteps: (block, steps) => view.setUint16(block * blockBytes + 2, steps, true),
    setMeasurement({ block, channel }, { steps, intensity }) {
      const at = block * blockBytes + 4 + 3 * channel;
      view.setUint16(at, steps, true);
      view.setUint8(at + 2, intensity);
    },
  };
}
