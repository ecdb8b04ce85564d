// One tick of all sensors: each scanned along its true path, its returns joined into one table.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { CompiledSensor } from '#contract/host/run.ts';
import { sampledColumns } from '#contract/host/shownPoints.ts';
import type { ScanRequest } from '#contract/worker/worker.ts';
import { loggedColumns } from '#domain/log/beamsOfReturns.ts';
import type { CarriedBy } from '#domain/scene/vehicleBody.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { RowPacking, ScanWorker, WorkerCallOptions } from '#services/ports/workers.ts';
import type { PlannerColumn, SensorTable, Sightings } from '#domain/autonomy/signals.ts';
import type { MapGround, MappedTick, MapRequest } from './driveMapping.ts';
import { sensorTrajectory, type TickMotion } from './motion.ts';
import { scanPacked, type PackedScan } from './packedScan.ts';

export interface SensedScan {
  /** Index of the sensor. */
  sensor: number;
  /** With the packed rows where the drive is recorded, and a sample where it is shown. */
  result: PackedScan;
  /** The table for an external planner; null: there is none. */
  table: SensorTable | null;
  /** Columns of beams with a row for each pulse without a return; left out: they were not asked for. */
  beams?: { table: ReturnTable; rows: number };
}

/** The scans of a tick, and what they say of the map; null: it was not mapped. */
export interface SensedTick {
  scans: SensedScan[];
  sightings: Sightings | null;
}

export interface SensingOptions {
  seed: number;
  /** Columns of the tables; null: there are none. */
  columns: readonly PlannerColumn[] | null;
  /** Columns of the hash of each scan. */
  hashColumns: ReturnColumnName[];
  /** How a scan is packed for the recording; null: it is not recorded. */
  packingsOf: ((scan: { sensor: number; fromNs: number; toNs: number }) => RowPacking[]) | null;
  /** How the vehicle carries a sensor, where it has a body; left out: it has none. */
  carriedByOf?: (sensor: number) => CarriedBy | undefined;
  /** Dust that the wheels have raised by the end of a tick; left out: none. */
  raisedDust?: (motion: TickMotion) => readonly number[];
  /** Each sensor is scanned again for its beams; left out: no. Why again: autonomy gets no rows without a return. */
  hasBeams?: boolean;
  /** Most points to be shown of all sensors together; 0: none. */
  viewPoints: number;
  signal: AbortSignal;
}

/**
 * Why so many: with a tick in one chunk the worker never waits for this process in the middle of a tick,
 * while it maps and plans. A chunk of 2^18 pulses with autonomy's columns takes some 6 MB.
 */
const chunkPulses = 2 ** 18;

/**
 * Scans every sensor. All scans are asked for at once: each takes all cores of the worker, which begins the next one as soon
 * as a core has nothing left to do. `mapped`: null where nothing is mapped.
 */
export async function senseTick(
  worker: ScanWorker,
  sensors: CompiledSensor[],
  motion: TickMotion,
  mapped: MappedTick | null,
  options: SensingOptions,
): Promise<SensedTick> {
  const { fromNs, toNs } = motion;
  const prepared = sensors.map((compiled, sensor) => ({
    compiled,
    packings: options.packingsOf?.({ sensor, fromNs, toNs }) ?? [],
  }));
  const raisedDust = options.raisedDust?.(motion);
  const all = async (ground: MapGround | null): Promise<SensedTick> => {
    const underWay = prepared.map(({ compiled, packings }, sensor) => {
      const map = mapped?.requestOf(sensor, sensors.length, ground) ?? null;
      const order = { compiled, packings, map, ...(raisedDust && { raisedDust }) };
      return senseOne(worker, sensor, sensors.length, motion, order, options);
    });
    // Why settled: where one fails, the others are not to be asked again while they are under way.
    const settled = await Promise.allSettled(underWay);
    const scans = settled.map((scan) => {
      if (scan.status === 'rejected') throw scan.reason;
      return scan.value;
    });
    return { scans, sightings: mapped?.take(scans.at(-1)?.result.mapped ?? null) ?? null };
  };
  return mapped === null ? all(null) : mapped.withGround(all);
}

interface SensorOrder {
  compiled: CompiledSensor;
  packings: RowPacking[];
  map: MapRequest | null;
  raisedDust?: readonly number[];
}

async function senseOne(
  worker: ScanWorker,
  sensor: number,
  sensors: number,
  motion: TickMotion,
  { compiled: { recipe, mount }, packings, map, raisedDust }: SensorOrder,
  options: SensingOptions,
): Promise<SensedScan> {
  const { seed, columns, hashColumns, carriedByOf, viewPoints, signal } = options;
  const { fromNs, toNs } = motion;
  const maxRows = Math.floor(viewPoints / sensors);
  const sample = maxRows > 0 ? { sample: { columns: sampledColumns, maxRows } } : {};
  const tables: ReturnTable[] = [];
  const carriedBy = carriedByOf?.(sensor);
  const interval = { sensor: recipe, fromNs, toNs, seed, chunkPulses };
  const trajectory = sensorTrajectory(motion, mount);
  const call = { signal, ...(carriedBy && { carriedBy }), ...(raisedDust && { raisedDust }) };
  const result = await scanPacked(
    worker,
    { ...interval, columns: [...(columns ?? [])], hashColumns, misses: false, ...sample },
    trajectory,
    packings,
    { ...call, ...(map && { map }), onChunk: ({ columns: table }) => void tables.push(table) },
  );
  const beams =
    options.hasBeams === true ? await beamsOf(worker, interval, trajectory, call) : null;
  const table = columns && joinReturns(tables, columns);
  return { sensor, result, table, ...(beams && { beams }) };
}

/** The rows of a scan from which its beams are made. */
async function beamsOf(
  worker: ScanWorker,
  interval: Omit<ScanRequest, 'columns' | 'misses'>,
  trajectory: Trajectory,
  options: WorkerCallOptions,
): Promise<{ table: ReturnTable; rows: number }> {
  const tables: ReturnTable[] = [];
  let rows = 0;
  await worker.call(
    'scan',
    { ...interval, columns: [...loggedColumns], misses: true },
    trajectory,
    {
      ...options,
      onChunk: ({ columns, body }) => {
        tables.push(columns);
        rows += body.rows;
      },
    },
  );
  return { table: joinReturns(tables, loggedColumns), rows };
}
