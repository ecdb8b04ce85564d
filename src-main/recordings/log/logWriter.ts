// Writes a log (LOG.md): beams gather in one chunk at a time, so that memory does not grow with the log.
import { createHash } from 'node:crypto';
import { columnTypes, type Columns } from '#contract/columns.ts';
import {
  beamLabels,
  beamStates,
  isLogRange,
  logChunkColumns,
  type LogCounts,
  logFrames,
  type LogHead,
  logOriginColumns,
  type LogTable,
  maxLogChunkBeams,
} from '#contract/log/log.ts';
import type { LogWriter } from '#services/ports/logs.ts';
import type { PartFile } from '../export/partFile.ts';
import {
  encodeSection,
  endMagic,
  hashContent,
  startMagic,
  trailerBytes,
  typeInFile,
} from './logLayout.ts';

/** Writes into a file that was opened aside; `finish` gives it its name. */
export async function openLogWriter(
  part: Pick<PartFile, 'append' | 'abort'>,
  head: LogHead,
  finish: () => Promise<void>,
): Promise<LogWriter> {
  const hash = createHash('sha256');
  let offset = 0;
  const append = async (bytes: Uint8Array): Promise<void> => {
    await part.append(bytes);
    offset += bytes.length;
  };
  const section = async (method: string, body: unknown, columns: Columns, seq?: number) => {
    const { content, bytes } = await encodeSection(method, body, columns, seq);
    await hashContent(hash, content);
    const at = offset;
    await append(bytes);
    return at;
  };
  await append(startMagic);
  await section(logFrames.head, head, {});

  const counts: LogCounts = { beams: 0, returns: 0, misses: 0, missesInferred: 0, unknown: 0 };
  const chunks = createChunkRows();
  const pending = createPending(head);

  async function flush(): Promise<void> {
    if (pending.beams === 0) return;
    const { table, beams } = pending;
    const { originM, columns } = pending.take();
    const at = await section(logFrames.beams, { originM }, columns, chunks.rows);
    countBeams(counts, table.state, beams);
    chunks.add(at, table, beams);
    pending.clear();
  }

  return {
    async write(table, beams) {
      checkBeams(table, beams);
      for (let row = 0; row < beams;) {
        row += pending.add(table, row, beams);
        if (pending.beams === maxLogChunkBeams) await flush();
      }
    },
    async close() {
      await flush();
      const at = await section(logFrames.summary, { ...counts }, chunks.columns());
      const digest = hash.digest();
      const trailer = new Uint8Array(trailerBytes);
      new DataView(trailer.buffer).setBigUint64(0, BigInt(at), true);
      trailer.set(digest, 8);
      trailer.set(endMagic, 40);
      await append(trailer);
      await finish();
      return { counts, hash: digest.toString('hex') };
    },
    abort: () => part.abort(),
  };
}

/** The beams of the chunk under way. */
function createPending(head: LogHead): {
  readonly table: LogTable;
  beams: number;
  add(from: LogTable, row: number, rows: number): number;
  take(): { originM: number[]; columns: Columns };
  clear(): void;
} {
  const empty = (name: LogHead['columns'][number]): Columns[string] =>
    isOrigin(name)
      ? new Float64Array(maxLogChunkBeams)
      : new columnTypes[typeInFile(name)](maxLogChunkBeams);
  const arrays: Columns = Object.fromEntries(head.columns.map((name) => [name, empty(name)]));
  // Why the cast: the head names every required column.
  const table = arrays as LogTable;
  return {
    table,
    beams: 0,
    add(from, row, rows) {
      const taken = Math.min(rows - row, maxLogChunkBeams - this.beams);
      for (const [name, array] of Object.entries(arrays)) {
        const source = from[name as keyof LogTable];
        if (source === undefined) throw new RangeError(`the beams lack the column '${name}'`);
        // Why the cast: arrays of one name have one type.
        (array as Float64Array).set(source.subarray(row, row + taken) as Float64Array, this.beams);
      }
      this.beams += taken;
      return taken;
    },
    take() {
      const { beams } = this;
      // Whole metres: exact in both precisions.
      const originM = logOriginColumns.map((name) => Math.round(table[name][0] ?? 0));
      const columns = Object.fromEntries(
        Object.entries(arrays).map(([name, array]) => {
          const axis = logOriginColumns.findIndex((origin) => origin === name);
          const values = array.subarray(0, beams);
          if (axis < 0) return [name, values];
          const fromM = originM[axis] ?? 0;
          return [name, Float32Array.from(values as Float64Array, (m) => m - fromM)];
        }),
      );
      return { originM, columns };
    },
    clear() {
      this.beams = 0;
    },
  };
}

/** The rows of the summary. */
function createChunkRows(): {
  readonly rows: number;
  add(offset: number, table: LogTable, beams: number): void;
  columns(): Columns;
} {
  const rows: (readonly (number | bigint)[])[] = [];
  return {
    get rows() {
      return rows.length;
    },
    add(offset, table, beams) {
      const { time_ns: times } = table;
      const [firstNs = 0n] = times;
      let [fromNs, toNs] = [firstNs, firstNs];
      for (const timeNs of times.subarray(0, beams)) {
        if (timeNs < fromNs) fromNs = timeNs;
        if (timeNs > toNs) toNs = timeNs;
      }
      rows.push([BigInt(offset), beams, fromNs, toNs, ...boxOf(table, beams)]);
    },
    columns: () =>
      Object.fromEntries(
        Object.entries(logChunkColumns).map(([name, type], column) => {
          const values = rows.map((row) => row[column] ?? 0);
          // Why the cast: each row has bigints exactly where the column has them.
          return [name, new (columnTypes[type] as Float64ArrayConstructor)(values as number[])];
        }),
      ),
  };
}

/** Lower and upper corner of the origins and of the ends of returns. */
function boxOf(table: LogTable, beams: number): number[] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const directions = [table.direction_x, table.direction_y, table.direction_z] as const;
  for (const [axis, name] of logOriginColumns.entries()) {
    const origins = table[name];
    const direction = directions[axis];
    for (let beam = 0; beam < beams; beam++) {
      const fromM = origins[beam] ?? 0;
      const rangeM = table.range_m[beam] ?? NaN;
      const endM = Number.isNaN(rangeM) ? fromM : fromM + rangeM * (direction?.[beam] ?? 0);
      low[axis] = Math.min(low[axis] ?? fromM, fromM, endM);
      high[axis] = Math.max(high[axis] ?? fromM, fromM, endM);
    }
  }
  return [...low, ...high];
}

function countBeams(counts: LogCounts, states: Uint8Array, beams: number): void {
  for (const state of states.subarray(0, beams)) {
    counts.beams += 1;
    if (state === beamStates.returned) counts.returns += 1;
    else if (state === beamStates.miss) counts.misses += 1;
    else if (state === beamStates.missInferred) counts.missesInferred += 1;
    else counts.unknown += 1;
  }
}

/** @throws RangeError where a reader would refuse the file */
function checkBeams(table: LogTable, beams: number): void {
  const fault = beamFault(table, beams);
  if (fault !== null) throw new RangeError(`beam ${fault.row}: ${fault.message}`);
}

const maxLabel = Math.max(...Object.values(beamLabels));

/** The first value that no log has; null: there is none. */
export function beamFault(table: LogTable, beams: number): { row: number; message: string } | null {
  for (let row = 0; row < beams; row++) {
    const state = table.state[row] ?? 0;
    if (state > beamStates.missInferred)
      return { row, message: `expected a state, found ${state}` };
    const rangeM = table.range_m[row] ?? NaN;
    const isRange = isLogRange(rangeM);
    const isReturn = state === beamStates.returned;
    if (isReturn ? !isRange : !Number.isNaN(rangeM)) {
      return { row, message: `expected a range exactly where there is a return, found ${rangeM}` };
    }
    const x = table.direction_x[row] ?? NaN;
    const y = table.direction_y[row] ?? NaN;
    const z = table.direction_z[row] ?? NaN;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(Math.abs(length - 1) <= 1e-3)) {
      return { row, message: `expected a direction of length 1, found ${length}` };
    }
    const sumM =
      (table.origin_x_m[row] ?? NaN) +
      (table.origin_y_m[row] ?? NaN) +
      (table.origin_z_m[row] ?? NaN);
    if (!Number.isFinite(sumM)) return { row, message: 'expected a finite origin' };
    const share = table.beam_share?.[row];
    if (share !== undefined && !(share > 0 && share <= 1)) {
      return { row, message: `expected a share above 0 and up to 1, found ${share}` };
    }
    const label = table.label?.[row] ?? 0;
    if (label > maxLabel) return { row, message: `expected a label, found ${label}` };
  }
  return null;
}

function isOrigin(name: string): boolean {
  return logOriginColumns.some((origin) => origin === name);
}
