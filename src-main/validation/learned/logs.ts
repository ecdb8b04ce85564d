// Logs of the validation: recorded by the simulator, as reality, or written beam by beam for closed forms.
import type { ReturnTable } from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import {
  beamStates,
  logFormatVersion,
  type LogHead,
  type LogReturns,
  type LogSensor,
  type LogTable,
  requiredLogColumns,
} from '#contract/log/log.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { beamsOfReturns, loggedColumns, loggedOptional } from '#domain/log/beamsOfReturns.ts';
import { beamTable } from '#domain/log/beamTable.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { withPoseNoise, type PoseNoise } from '#domain/trajectory/poseNoise.ts';
import {
  reportedTrajectory,
  sensorPoseAt,
  type Trajectory,
} from '#domain/trajectory/trajectory.ts';
import type { ValidationBench } from '../bench.ts';

/** The part of a scan to record, and its file. */
export interface LogOrder {
  file: string;
  sensor: SensorRecipe;
  trajectory: Trajectory;
  toNs: number;
  /** Seed of the sensor's errors. */
  seed: number;
  /** Errors of the poses that are written; left out: they are exact. */
  poseNoise?: PoseNoise;
  /** Seed of these errors; left out: that of the sensor's. */
  poseSeed?: number;
  /** Names by class id, of the scene that is built. */
  classes: string[];
  /** Ids of the classes whose objects are volumes. */
  volumes: ReadonlySet<number>;
  /** Left out: the strongest. */
  returns?: LogReturns;
}

/** Scanned at a time: what is in memory is bounded. */
const blockNs = 1e9;

export interface LogCounts {
  beams: number;
  returns: number;
  misses: number;
}

/** Scans the scene that is built and writes its log, misses included. */
export async function recordLog(bench: ValidationBench, order: LogOrder): Promise<LogCounts> {
  const { file, sensor, toNs, seed, poseNoise = {}, poseSeed = seed, classes, volumes } = order;
  const leg = { name: '', fromNs: 0, toNs, trajectory: order.trajectory };
  const trajectory = withPoseNoise(leg, poseNoise, poseSeed, 0);
  const reported = reportedTrajectory(trajectory);
  const { returns = 'strongest' } = order;
  const columns = [...requiredLogColumns, ...loggedOptional(returns)];
  const head = headOf(sensorOf(sensor), classes, columns, returns);
  const writer = await bench.logs.create(file, head, { isReplacing: true });
  const sweepNs = 1e9 / sensor.scan.rateHz;
  const poseAt = (timeNs: number): Pose => sensorPoseAt(reported, timeNs);
  try {
    for (let fromNs = 0; fromNs < toNs; fromNs += blockNs) {
      const tables: { table: ReturnTable; rows: number }[] = [];
      await bench.scanEach(
        {
          sensor,
          trajectory,
          seed,
          columns: loggedColumns,
          misses: true,
          fromNs,
          toNs: Math.min(toNs, fromNs + blockNs),
        },
        (table, rows) => void tables.push({ table, rows }),
      );
      for (const { table, rows } of tables) {
        const found = beamsOfReturns({
          table,
          rows,
          sweep: 0,
          poseAt,
          returns,
          isVolume: (classId) => volumes.has(classId),
        });
        for (let beam = 0; beam < found.beams; beam++) {
          const timeNs = Number(found.table.time_ns[beam] ?? 0n);
          found.table.sweep[beam] = Math.floor(timeNs / sweepNs);
        }
        await writer.write(found.table, found.beams);
      }
    }
    const { counts } = await writer.close();
    return counts;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** One beam of a log that is written by hand. */
export interface PlainBeam {
  originM: Vector3;
  /** A vector of any length. */
  direction: Vector3;
  /** NaN: known to have no return. */
  rangeM: number;
  sweep?: number;
  laser?: number;
  azimuthRad?: number;
}

/** Longest range of such logs. */
export const plainMaxM = 100;

/** Writes beams of a sensor that sees up to `maxM`; times count up. */
export async function writeBeams(
  bench: ValidationBench,
  file: string,
  beams: readonly PlainBeam[],
  maxM = plainMaxM,
): Promise<void> {
  const head = headOf({ ...plainSensor, maxM }, [], [...requiredLogColumns]);
  const writer = await bench.logs.create(file, head, { isReplacing: true });
  await writer.write(tableOf(beams), beams.length);
  await writer.close();
}

function tableOf(beams: readonly PlainBeam[]): LogTable {
  const table = beamTable(beams.length);
  for (const [row, beam] of beams.entries()) {
    const { originM, direction, rangeM, sweep = 0, laser = 0, azimuthRad = 0 } = beam;
    const [x, y, z] = direction;
    const length = Math.hypot(x, y, z);
    table.time_ns[row] = BigInt(row) * 1000n;
    table.sweep[row] = sweep;
    table.laser[row] = laser;
    table.azimuth_rad[row] = azimuthRad;
    table.state[row] = Number.isNaN(rangeM) ? beamStates.miss : beamStates.returned;
    table.range_m[row] = rangeM;
    table.intensity[row] = NaN;
    [table.origin_x_m[row], table.origin_y_m[row], table.origin_z_m[row]] = originM;
    table.direction_x[row] = x / length;
    table.direction_y[row] = y / length;
    table.direction_z[row] = z / length;
  }
  return table;
}

const plainSensor: LogSensor = {
  name: null,
  lasers: 0,
  elevationsRad: [],
  minM: 0,
  maxM: plainMaxM,
  rangeStepM: null,
  azimuthStepRad: null,
  firingsPerTurn: null,
  turnsPerS: null,
  recipe: null,
};

function sensorOf(recipe: SensorRecipe): LogSensor {
  const elevationsRad: number[] = [];
  for (const bank of recipe.banks) {
    for (const [laser, ring] of bank.rings.entries()) {
      elevationsRad[ring] = bank.elevationsRad[laser] ?? 0;
    }
  }
  return {
    ...plainSensor,
    name: recipe.id,
    lasers: elevationsRad.length,
    elevationsRad,
    minM: recipe.minRangeM,
    maxM: recipe.maxRangeM,
    rangeStepM: recipe.quantisation?.rangeM ?? null,
    azimuthStepRad: recipe.quantisation?.azimuthRad ?? null,
    turnsPerS: recipe.scan.rateHz,
    recipe: { ...recipe },
  };
}

function headOf(
  sensor: LogSensor,
  classes: string[],
  columns: LogHead['columns'],
  returns: LogReturns = 'strongest',
): LogHead {
  return {
    format: logFormatVersion,
    understoryVersion: 'validation',
    source: 'scan',
    derived: [],
    originM: [0, 0, 0],
    crs: null,
    columns,
    classes,
    sensor,
    intensityOfWhite: 1,
    misses: 'recorded',
    returns,
    cuts: { azimuthDeg: null, rangeM: null, bodyM: null },
  };
}
