// Captures of Velodyne's data packets as pulses in the sensor's frame: each firing of each laser, with its own time and
// azimuth, those without a return included. A first pass finds the model, the turning rate and the clock.
import type { Columns } from '#contract/columns.ts';
import { badInput, throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { countText } from '#domain/shared/formats.ts';
import { median } from '#domain/shared/statistics.ts';
import {
  hdl64eS2,
  hdl64eS3,
  statedModels,
  type VelodyneModel,
  velodyneModelNames,
} from '#domain/shared/velodyne/models.ts';
import {
  packetBytes,
  packetReader,
  type PacketReader,
  returnModeBytes,
  sequencesPerPacket,
  turnSteps,
} from '#domain/shared/velodyne/packets.ts';
import type { PacketOptions, PacketSource } from '#services/ports/logSources.ts';
import { anySize, openRegularFile, type RegularFile } from '#files/regularFile.ts';
import { datagramOf } from './datagrams.ts';
import { capturedFrames } from './pcapFile.ts';
import { type Directions, directionsOf, type Timing, createPulseTable } from './velodynePulses.ts';

export const captureEnding = /\.(pcap|pcapng|cap)$/i;

const hourUs = 3.6e9;
/** Packets from which rates and clocks are found. */
const sampledPackets = 4000;
/** Packets that are farther apart do not follow each other. */
const maxIntervalUs = 10_000;
/** A clock that is set by GPS differs less from that of the capture. */
const maxClockErrorUs = 2e6;
/** Packets of a table. */
const tablePackets = 48;

interface DataPacket {
  /** Since the base. */
  hostUs: number;
  reader: PacketReader;
}

/** @throws UnderstoryError 'corrupt', 'bad-input' for a capture of several sensors or of unknown ones */
export async function openVelodyneCapture(
  file: string,
  { sensor, stream, signal, progress }: PacketOptions,
): Promise<PacketSource> {
  const { packets, ...survey } = await surveyOf(file, stream, signal, progress);
  const [first] = packets;
  if (first === undefined) throw withoutPackets(file, survey.others);
  const { model, intervalUs } = modelOf(file, packets, sensor);
  const directions = directionsOf(model, sensor);
  const clock = clockOf(packets, survey.baseUs);
  const timing = timingOf(model, packets, intervalUs);
  const notes = [
    ...(survey.others > 0
      ? [`${countText(survey.others)} datagrams that are no data packets were left out`]
      : []),
    ...(clock.isOfHour
      ? []
      : ["the packets' clock is not that of the hour: times count from the capture's own"]),
  ];
  const baseNs = BigInt(survey.baseUs) * 1000n;
  return {
    kind: 'pcap',
    model: model.name,
    rows: survey.count * 384,
    notes,
    async *tables(given) {
      yield* tablesOf(file, survey, { model, directions, timing, clock, baseNs }, given);
    },
    close: () => Promise.resolve(),
  };
}

interface Survey {
  stream: string;
  /** Whole seconds of the first packet, since 1970. */
  baseUs: number;
  count: number;
  others: number;
}

async function surveyOf(
  file: string,
  wanted: string | null,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<Survey & { packets: DataPacket[] }> {
  const streams = new Map<string, number>();
  const packets: DataPacket[] = [];
  let [others, baseUs] = [0, NaN];
  for await (const { timeUs, payload, stream } of payloads(file, signal, progress)) {
    if (!isDataPacket(payload)) {
      others += 1;
      continue;
    }
    streams.set(stream, (streams.get(stream) ?? 0) + 1);
    if (stream !== (wanted ?? [...streams.keys()][0])) continue;
    if (Number.isNaN(baseUs)) baseUs = Math.floor(timeUs / 1e6) * 1e6;
    if (packets.length >= sampledPackets) continue;
    packets.push({ hostUs: timeUs - baseUs, reader: packetReader(payload.slice()) });
  }
  const names = [...streams.keys()];
  const chosen = wanted ?? (names.length <= 1 ? (names[0] ?? '') : null);
  if (chosen === null || (wanted !== null && !streams.has(wanted))) {
    const found = wanted === null ? 'none named' : `'${wanted}'`;
    throw badInput('cloud', `expected one of ${names.join(', ') || 'no streams'}, found ${found}`);
  }
  return { stream: chosen, baseUs, count: streams.get(chosen) ?? 0, others, packets };
}

function isDataPacket(payload: Uint8Array): boolean {
  return payload.length === packetBytes && packetReader(payload).flag(0) !== 0;
}

interface Payload {
  timeUs: number;
  payload: Uint8Array;
  stream: string;
}

/** @throws UnderstoryError 'corrupt' where the capture has a part of each packet alone */
async function* payloads(
  file: string,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): AsyncGenerator<Payload> {
  const opened: RegularFile = await openRegularFile(file, { maxBytes: anySize, signal });
  try {
    const { size } = opened.stats;
    const report = (bytes: number): void => progress(bytes, size);
    for await (const frame of capturedFrames(opened, signal, report)) {
      const found = datagramOf(frame);
      if (found === null) continue;
      if (found.isCut) {
        const message = `${file} has the first ${frame.data.length} bytes of its packets: capture whole ones ('tcpdump -s 0')`;
        throw new UnderstoryError('corrupt', message, { file });
      }
      const { payload, stream } = found;
      yield { timeUs: Number(frame.timeNs / 1000n), payload, stream };
    }
  } finally {
    await opened.close();
  }
}

/** The model that the packets state; of the HDL-64E, which states none, by the time of its packets. */
function modelOf(
  file: string,
  packets: readonly DataPacket[],
  sensor: SensorRecipe | null,
): { model: VelodyneModel; intervalUs: number } {
  const [first] = packets;
  const modelByte = first?.reader.modelByte ?? 0;
  const intervalUs = median(stepsOf(packets).map(({ us }) => us));
  const stated = statedModels.find(({ factoryByte }) => factoryByte === modelByte);
  const isHdl64e = [0xee, 0xdd, 0xee, 0xdd].every((flag, at) => first?.reader.flag(at) === flag);
  if (stated !== undefined && !isHdl64e) return { model: stated, intervalUs };
  if (first === undefined || !isHdl64e) {
    const byte = `0x${modelByte.toString(16)}`;
    const message = `expected packets of a ${velodyneModelNames}, found those of model ${byte}`;
    throw new UnderstoryError('unsupported', `${file}: ${message}`, { file });
  }
  if (sensor === null) {
    const message =
      "expected the sensor's calibration (--calibration): each HDL-64E has its own, found none";
    throw badInput('calibration', message);
  }
  const sequences = sequencesPerPacket(hdl64eS2, isDualPacket(hdl64eS2, first.reader));
  const sequenceUs = intervalUs / sequences;
  const isThird = sequenceUs > (hdl64eS2.sequenceUs + hdl64eS3.sequenceUs) / 2;
  return { model: isThird ? hdl64eS3 : hdl64eS2, intervalUs };
}

/** The HDL-64E states no mode: both returns of a firing have its azimuth. */
function isDualPacket({ factoryByte }: VelodyneModel, reader: PacketReader): boolean {
  if (factoryByte !== null) return reader.modeByte === returnModeBytes.dual;
  return reader.azimuthSteps(0) === reader.azimuthSteps(2);
}

/** Between packets that follow each other. */
function stepsOf(packets: readonly DataPacket[]): { us: number; turn: number }[] {
  return packets.slice(1).flatMap(({ reader }, at) => {
    const before = packets[at]?.reader;
    if (before === undefined) return [];
    const us = (reader.stampUs - before.stampUs + hourUs) % hourUs;
    const turn = (reader.azimuthSteps(0) - before.azimuthSteps(0) + turnSteps) % turnSteps;
    return us > 0 && us < maxIntervalUs ? [{ us, turn }] : [];
  });
}

/** Rates, and the time of a sequence, which differs between releases of the VLS-128. */
function timingOf(
  model: VelodyneModel,
  packets: readonly DataPacket[],
  intervalUs: number,
): Timing {
  const steps = stepsOf(packets);
  // Why sums: single steps of azimuth are rounded.
  const turned = steps.reduce((sum, { turn }) => sum + turn, 0);
  const spentUs = steps.reduce((sum, { us }) => sum + us, 0);
  const [first] = packets;
  const isDual = first !== undefined && isDualPacket(model, first.reader);
  const measured = intervalUs / sequencesPerPacket(model, isDual) / model.sequenceUs;
  const varies = model.lasers === 128 && measured > 0.9 && measured < 1.15;
  return { turnPerUs: spentUs > 0 ? turned / spentUs : 0, scale: varies ? measured : 1 };
}

interface Clock {
  isOfHour: boolean;
  /** Microseconds since the base of a stamp of 0 in some hour. */
  zeroUs: number;
}

function clockOf(packets: readonly DataPacket[], baseUs: number): Clock {
  const hourAtUs = -(baseUs % hourUs);
  const errors = packets.map(({ hostUs, reader }) => {
    return inHour(hostUs - hourAtUs - reader.stampUs);
  });
  const errorUs = median(errors);
  if (Math.abs(errorUs) < maxClockErrorUs) return { isOfHour: true, zeroUs: hourAtUs };
  const [first] = packets;
  return { isOfHour: false, zeroUs: (first?.hostUs ?? 0) - (first?.reader.stampUs ?? 0) };
}

/** To within half an hour of 0. */
function inHour(us: number): number {
  return us - hourUs * Math.round(us / hourUs);
}

async function* tablesOf(
  file: string,
  { stream, baseUs }: Survey,
  decoder: {
    model: VelodyneModel;
    directions: Directions;
    timing: Timing;
    clock: Clock;
    baseNs: bigint;
  },
  signal: AbortSignal,
): AsyncGenerator<{ columns: Columns; rows: number }> {
  const { model, clock, baseNs } = decoder;
  const pulses = createPulseTable(decoder, tablePackets);
  let waiting = 0;
  for await (const found of payloads(file, signal, () => undefined)) {
    throwIfCancelled(signal);
    if (found.stream !== stream || !isDataPacket(found.payload)) continue;
    const reader = packetReader(found.payload);
    const guessUs = clock.zeroUs + reader.stampUs;
    const hostUs = found.timeUs - baseUs;
    const stampUs = guessUs + hourUs * Math.round((hostUs - guessUs) / hourUs);
    pulses.add(reader, baseNs, stampUs - model.stampUs, isDualPacket(model, reader));
    waiting += 1;
    if (waiting < tablePackets) continue;
    yield pulses.take();
    waiting = 0;
  }
  if (waiting > 0) yield pulses.take();
}

function withoutPackets(file: string, others: number): UnderstoryError {
  const message = `expected data packets of a ${velodyneModelNames} in '${file}', found ${countText(others)} other datagrams`;
  return badInput('source', message);
}
