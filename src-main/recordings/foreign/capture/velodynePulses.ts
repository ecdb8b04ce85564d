// The pulses of a packet: directions by the calibration, azimuths between those of the blocks, times by the model's table.
import type { Columns } from '#contract/columns.ts';
import { badInput } from '#contract/errors.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { radians, wrapAngle } from '#domain/shared/numbers.ts';
import { mean } from '#domain/shared/statistics.ts';
import type { VelodyneModel } from '#domain/shared/velodyne/models.ts';
import {
  firingTimeUs,
  firstSequenceOf,
  type Measurement,
  type PacketReader,
  placesOf,
  sequencesPerPacket,
  turnSteps,
} from '#domain/shared/velodyne/packets.ts';

const stepRad = (2 * Math.PI) / turnSteps;

/** Azimuths of blocks are rounded: over less than this their difference says too little of the rate. */
const shortSpanUs = 500;

/** By laser of a packet. */
export interface Directions {
  elevationsRad: number[];
  azimuthOffsetsRad: number[];
  /** Rank by elevation, from the lowest. */
  rings: number[];
}

/** @throws 'bad-input' for a sensor with other lasers than the model */
export function directionsOf(model: VelodyneModel, sensor: SensorRecipe | null): Directions {
  const { elevationsRad, azimuthOffsetsRad } =
    sensor === null ? factoryDirections(model) : statedDirections(model, sensor);
  const order = elevationsRad.map((_, laser) => laser);
  order.sort((a, b) => (elevationsRad[a] ?? 0) - (elevationsRad[b] ?? 0) || a - b);
  const rings = new Array<number>(model.lasers).fill(0);
  for (const [ring, laser] of order.entries()) rings[laser] = ring;
  return { elevationsRad, azimuthOffsetsRad, rings };
}

type Angles = Pick<Directions, 'elevationsRad' | 'azimuthOffsetsRad'>;

function factoryDirections({ name, directions }: VelodyneModel): Angles {
  if (directions === null)
    throw badInput('calibration', `expected that of the ${name}, found none`);
  return {
    elevationsRad: directions.elevationsDeg.map(radians),
    azimuthOffsetsRad: directions.azimuthOffsetsDeg.map(radians),
  };
}

/** Lasers in the order of their bank; of two banks those of the upper one first. */
function statedDirections({ name, lasers }: VelodyneModel, { id, banks }: SensorRecipe): Angles {
  const ordered = banks.toSorted((a, b) => mean(b.elevationsRad) - mean(a.elevationsRad));
  const isSplit = lasers === 64;
  const areSame = ordered.every(({ rings }) => rings.length === (isSplit ? 32 : lasers));
  if (ordered.length !== (isSplit ? 2 : 1) || !areSame) {
    const expected = isSplit ? 'two banks of 32 lasers' : `one bank of ${lasers} lasers`;
    const message = `expected ${expected} in the order of its packets (${name}), found '${id}'`;
    throw badInput('calibration', message);
  }
  return {
    elevationsRad: ordered.flatMap(({ elevationsRad }) => elevationsRad),
    azimuthOffsetsRad: ordered.flatMap(
      ({ rings, azimuthOffsetsRad }) => azimuthOffsetsRad ?? rings.map(() => 0),
    ),
  };
}

export interface Timing {
  /** Steps of azimuth, where a packet does not show it itself. */
  turnPerUs: number;
  /** Times of firings are those of the model, times this. */
  scale: number;
}

/** Columns of pulses in the sensor's frame, packet by packet. */
export interface PulseTable {
  /** @param firstUs time of its first firing since the base */
  add(packet: PacketReader, baseNs: bigint, firstUs: number, isDual: boolean): void;
  /** The rows since the last call. */
  take(): { columns: Columns; rows: number };
}

/** @param packets that are added between two calls of `take`, at most */
export function createPulseTable(
  { model, directions, timing }: { model: VelodyneModel; directions: Directions; timing: Timing },
  packets: number,
): PulseTable {
  let table = emptyTable(packets);
  let row = 0;
  let pulse = 0n;

  function addRow(
    laser: number,
    timeNs: bigint,
    azimuthRad: number,
    returnNo: number,
    { steps, intensity }: Measurement,
  ): void {
    const elevationRad = directions.elevationsRad[laser] ?? 0;
    const level = Math.cos(elevationRad);
    table.time_ns[row] = timeNs;
    table.pulse[row] = pulse;
    table.ring[row] = directions.rings[laser] ?? 0;
    table.azimuth_rad[row] = wrapAngle(azimuthRad);
    table.return_no[row] = returnNo;
    table.range_m[row] = returnNo === 0 ? NaN : steps * model.rangeStepM;
    table.intensity[row] = returnNo === 0 ? NaN : intensity;
    table.direction_x[row] = level * Math.cos(azimuthRad);
    table.direction_y[row] = level * Math.sin(azimuthRad);
    table.direction_z[row] = Math.sin(elevationRad);
    row += 1;
  }

  return {
    add(packet, baseNs, firstUs, isDual) {
      const turnPerUs = turnRateOf(model, packet, isDual, timing);
      for (let sequence = 0; sequence < sequencesPerPacket(model, isDual); sequence++) {
        const blockUs = model.sequenceUs * firstSequenceOf(model, sequence);
        for (let laser = 0; laser < model.lasers; laser++) {
          const { first, second } = placesOf(model, isDual, sequence, laser);
          if (packet.flag(first.block) === 0) continue;
          const sinceUs = firingTimeUs(model, sequence, laser) * timing.scale;
          const turned = turnPerUs * (sinceUs - blockUs * timing.scale);
          const azimuthRad =
            (directions.azimuthOffsetsRad[laser] ?? 0) -
            stepRad * (packet.azimuthSteps(first.block) + turned);
          const timeNs = baseNs + BigInt(Math.round((firstUs + sinceUs) * 1000));
          const found = returnsOf(
            packet.measurement(first),
            second === null ? null : packet.measurement(second),
          );
          for (const [at, one] of found.entries()) {
            addRow(laser, timeNs, azimuthRad, one.steps === 0 ? 0 : at + 1, one);
          }
          pulse += 1n;
        }
      }
    },
    take() {
      const columns = Object.fromEntries(
        Object.entries(table).map(([name, values]) => [name, values.subarray(0, row)]),
      ) as Columns;
      const taken = { columns, rows: row };
      table = emptyTable(packets);
      row = 0;
      return taken;
    },
  };
}

/** The returns of a firing from the nearest; one without range where there is none. */
function returnsOf(last: Measurement, strongest: Measurement | null): Measurement[] {
  if (strongest === null || strongest.steps === last.steps) return [last];
  const both = [last, strongest].filter(({ steps }) => steps > 0);
  return both.sort((a, b) => a.steps - b.steps);
}

/** Steps a microsecond, by the first and the last block; as all packets turn, where they say nothing of it. */
function turnRateOf(
  model: VelodyneModel,
  packet: PacketReader,
  isDual: boolean,
  { turnPerUs, scale }: Timing,
): number {
  const last = firstSequenceOf(model, sequencesPerPacket(model, isDual) - 1);
  const spanUs = last * model.sequenceUs * scale;
  if (last === 0 || (turnPerUs > 0 && spanUs < shortSpanUs)) return turnPerUs;
  const [from, to] = [0, last].map((sequence) => {
    return packet.azimuthSteps(placesOf(model, isDual, sequence, 0).first.block);
  });
  const turn = ((to ?? 0) - (from ?? 0) + turnSteps) % turnSteps;
  const rate = turn / spanUs;
  const isPlausible = turnPerUs === 0 || (rate > 0.5 * turnPerUs && rate < 2 * turnPerUs);
  return isPlausible ? rate : turnPerUs;
}

function emptyTable(packets: number) {
  const rows = packets * 384;
  return {
    time_ns: new BigInt64Array(rows),
    pulse: new BigUint64Array(rows),
    ring: new Uint16Array(rows),
    azimuth_rad: new Float32Array(rows),
    return_no: new Uint8Array(rows),
    range_m: new Float32Array(rows),
    intensity: new Float32Array(rows),
    direction_x: new Float32Array(rows),
    direction_y: new Float32Array(rows),
    direction_z: new Float32Array(rows),
  };
}
