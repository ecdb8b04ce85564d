// A capture of the packets that a sensor of Velodyne's would have sent: UDP over Ethernet, 1206 bytes each. Guarantees:
// every firing from the first row to the last is in it, without a return where no row has one; the last packet is whole.
import type { ReturnTable } from '#contract/columns.ts';
import { countText } from '#domain/shared/formats.ts';
import { packetColumns, sequencesPerPacket } from '#domain/shared/velodyne/packets.ts';
import type { VelodyneSensor } from '#domain/shared/velodyne/sensor.ts';
import type { FormatWriter } from './format.ts';
import type { PartFile } from './partFile.ts';
import { pcapHead, pcapRecord } from './pcapRecords.ts';
import { createPacketBuilder, type Firing } from './velodynePacket.ts';

const maxSteps = 0xffff;
/** Packets that are collected before they are written. */
const bufferedPackets = 256;

/** @param epochS instant of time 0, seconds since 1970 */
export async function velodynePcap(
  file: PartFile,
  { sensor, epochS }: { sensor: VelodyneSensor; epochS: number },
): Promise<FormatWriter> {
  const perPacket = sequencesPerPacket(sensor.model, sensor.isDual);
  const builder = createPacketBuilder(sensor, epochS);
  const counts: Counts = { held: 0, tooFar: 0, unused: 0 };
  const leftOut: string[] = [];
  await file.append(pcapHead());
  let records: Uint8Array[] = [];
  /** First firing sequence of the packet under way. */
  let begin: number | null = null;

  async function endPacket(first: number): Promise<void> {
    const { timeUs, bytes } = builder.end(first);
    records.push(pcapRecord(timeUs, bytes));
    if (records.length >= bufferedPackets) await flush();
  }

  async function flush(): Promise<void> {
    if (records.length > 0) await file.append(new Uint8Array(Buffer.concat(records)));
    records = [];
  }

  return {
    leftOut,
    async write(table, rows) {
      const columns = expectColumns(table);
      for (let row = 0; row < rows;) {
        let end = row + 1;
        while (end < rows && columns.pulse[end] === columns.pulse[row]) end += 1;
        const pulse = Number(columns.pulse[row] ?? 0n);
        const sequence = Math.floor(pulse / sensor.lasers.length);
        begin ??= sequence;
        for (; sequence >= begin + perPacket; begin += perPacket) await endPacket(begin);
        const returns = returnsOf(sensor, columns, row, end, counts);
        builder.add(pulse, sequence - begin, columns.azimuth_rad[row] ?? 0, returns);
        row = end;
      }
    },
    async finish() {
      if (begin !== null) await endPacket(begin);
      await flush();
      leftOut.push(...lossesOf(sensor, counts, builder.worstDeg()));
      return counts.held;
    },
  };
}

interface Counts {
  held: number;
  /** Beyond the longest range of a packet. */
  tooFar: number;
  /** Returns for which a packet has no place. */
  unused: number;
}

function lossesOf(
  { model, isDual, returns }: VelodyneSensor,
  { tooFar, unused }: Counts,
  worstDeg: number,
): string[] {
  const farM = maxSteps * model.rangeStepM;
  const which = isDual ? 'the last and the strongest' : `the ${returns}`;
  const losses: [boolean, string][] = [
    [tooFar > 0, `${countText(tooFar)} returns beyond ${farM.toFixed(1)} m`],
    [unused > 0, `${countText(unused)} returns beside ${which}`],
    [worstDeg > 0.01, `azimuths within a block: up to ${worstDeg.toFixed(2)}° off`],
  ];
  return losses.filter(([isLost]) => isLost).map(([, text]) => text);
}

/** The measurements of the rows of a pulse. */
function returnsOf(
  { model, isDual, returns, intensityFactor }: VelodyneSensor,
  { return_no, range_m, intensity }: PacketTable,
  from: number,
  to: number,
  counts: Counts,
): Firing['returns'] {
  const found: { steps: number; signal: number; intensity: number }[] = [];
  for (let row = from; row < to; row++) {
    const steps = Math.round((range_m[row] ?? NaN) / model.rangeStepM);
    if ((return_no[row] ?? 0) === 0 || !(steps >= 1)) continue;
    if (steps > maxSteps) {
      counts.tooFar += 1;
      continue;
    }
    const signal = intensity[row] ?? 0;
    const byte = Math.round(signal * intensityFactor) || 0;
    found.push({ steps, signal, intensity: Math.max(0, Math.min(255, byte)) });
  }
  const last = found.toSorted((a, b) => b.steps - a.steps)[0] ?? null;
  const [first = null, second = null] = found.toSorted((a, b) => b.signal - a.signal);
  if (!isDual) {
    const one = returns === 'last' ? last : first;
    counts.held += one === null ? 0 : 1;
    counts.unused += found.length - (one === null ? 0 : 1);
    return { last: one, strongest: null };
  }
  // Where the strongest is the last, too, packets have the second strongest beside it.
  const strongest = first === last ? (second ?? first) : first;
  const kept = Math.min(found.length, 2);
  counts.held += kept;
  counts.unused += found.length - kept;
  return { last, strongest };
}

type PacketTable = Required<Pick<ReturnTable, (typeof packetColumns)[number]>>;

function expectColumns(table: ReturnTable): PacketTable {
  const missing = packetColumns.filter((name) => table[name] === undefined);
  if (missing.length > 0) throw new TypeError(`packets need ${missing.join(', ')}`);
  // Why the cast: every name was just looked at.
  return table as PacketTable;
}
