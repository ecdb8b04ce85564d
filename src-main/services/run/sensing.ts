// One tick of all sensors: each scanned along its true way, its returns brought into one table.
import {
  columnTypes,
  returnColumns,
  type ReturnColumnName,
  type ReturnTable,
} from '#contract/columns.ts';
import type { CompiledSensor } from '#contract/run.ts';
import type { ScanResult, ScanWorker } from '#services/ports.ts';
import { driveColumns } from './driveColumns.ts';
import { sensorTrajectory, type TickMotion } from './motion.ts';

export interface SensedScan {
  /** Index of the sensor. */
  sensor: number;
  result: ScanResult;
  table: ReturnTable;
  rows: number;
}

/**
 * Why so many: with a tick in one chunk the worker never waits for this process in the middle of a tick,
 * while it maps and plans. A chunk of 2^18 pulses with these columns takes some 20 MB.
 */
const chunkPulses = 2 ** 18;

/** Scans every sensor, one after another: each takes all cores of the worker. */
export async function senseTick(
  worker: ScanWorker,
  sensors: CompiledSensor[],
  motion: TickMotion,
  seed: number,
  signal: AbortSignal,
): Promise<SensedScan[]> {
  const scans: SensedScan[] = [];
  for (const [sensor, { recipe, mount }] of sensors.entries()) {
    const tables: ReturnTable[] = [];
    let rows = 0;
    const result = await worker.scan(
      {
        sensor: recipe,
        fromNs: motion.fromNs,
        toNs: motion.toNs,
        seed,
        columns: driveColumns,
        misses: false,
        chunkPulses,
      },
      sensorTrajectory(motion, mount),
      {
        signal,
        onChunk: (table, chunkRows) => {
          tables.push(table);
          rows += chunkRows;
        },
      },
    );
    scans.push({ sensor, result, table: joinTables(tables, driveColumns, rows), rows });
  }
  return scans;
}

/** A table with the same columns and no rows: what a blind sensor returns. */
export function emptyTable(columns: ReturnColumnName[]): ReturnTable {
  return joinTables([], columns, 0);
}

/** One table from consecutive parts, each with all of `columns`. A single part is not copied. */
export function joinTables(
  parts: ReturnTable[],
  columns: ReturnColumnName[],
  rows: number,
): ReturnTable {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const joined: Record<string, unknown> = {};
  for (const name of columns) {
    const array = new columnTypes[returnColumns[name].type](rows);
    let at = 0;
    for (const part of parts) {
      const piece = part[name];
      if (piece === undefined) continue;
      // Why the cast: both are of the column's one type, which the compiler cannot follow through a name.
      (array as Float32Array).set(piece as Float32Array, at);
      at += piece.length;
    }
    joined[name] = array;
  }
  return joined;
}
