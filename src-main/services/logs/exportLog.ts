// log.export: the beams of a log for other programs. CSV has every column and can be imported again; the other formats
// have returns with the beams that they came from.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { badInput, throwIfCancelled } from '#contract/errors.ts';
import {
  endingsText,
  type ExportFormat,
  exportFormats,
  formatOfName,
} from '#contract/host/exportFormats.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import {
  beamStates,
  type LogColumnName,
  type LogHead,
  logOriginColumns,
  type LogTable,
} from '#contract/log/log.ts';
import { selectBeams } from '#domain/log/beamTable.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import type { LogReader, Logs } from '#services/ports/logs.ts';
import { filled, rowNumbers } from '#domain/shared/filledArrays.ts';

type Request = RequestOf<'log.export'>;

/** Takes beams, a chunk at a time. */
interface Target {
  write(table: LogTable, beams: number): Promise<void>;
  close(): Promise<Replies['log.export']>;
  abort(): Promise<void>;
}

/** Rows of a CSV that become text at once: others get their turn between them. */
const textRows = 512;

/** Writes a file. @throws as the ports do; nothing is left then */
export async function exportLog(
  { logs, exporters }: { logs: Logs; exporters: Exporters },
  request: Request,
  { signal, progress }: HandlerContext,
): Promise<Replies['log.export']> {
  const format = request.format ?? formatOf(request.out);
  const reader = await logs.open(request.log);
  try {
    const target =
      format === 'csv'
        ? await openTable(exporters, request, reader)
        : await openReturns(exporters, request, format, reader);
    try {
      let done = 0;
      for await (const { table, beams } of reader.tables()) {
        throwIfCancelled(signal);
        const rows = wantedRows(table, beams, request.misses);
        await target.write(rows.length === beams ? table : selectBeams(table, rows), rows.length);
        done += beams;
        progress({ phase: 'exporting', done, total: reader.counts.beams });
      }
      return await target.close();
    } catch (error) {
      await target.abort();
      throw error;
    }
  } finally {
    await reader.close();
  }
}

function formatOf(out: string): ExportFormat {
  const format = formatOfName(out, exportFormats);
  if (format !== null) return format;
  const endings = endingsText(exportFormats);
  throw badInput('out', `expected a file that ends in one of ${endings}, found '${out}'`);
}

function wantedRows({ state }: LogTable, beams: number, misses: boolean): Uint32Array {
  const rows = rowNumbers(beams);
  return misses ? rows : rows.filter((row) => state[row] === beamStates.returned);
}

/** Every column of the log; origins are world coordinates. */
async function openTable(
  exporters: Exporters,
  { out, isReplacing, log }: Request,
  { head }: LogReader,
): Promise<Target> {
  const target = { isReplacing, inputs: [log] };
  const table = await exporters.createTable(out, head.columns, target);
  let points = 0;
  return {
    async write(beams, count) {
      for (let from = 0; from < count; from += textRows) {
        const to = Math.min(count, from + textRows);
        await table.write(
          Array.from({ length: to - from }, (_, at) =>
            head.columns.map((name) => cellOf(beams, name, from + at, head)),
          ),
        );
      }
      points += count;
    },
    async close() {
      await table.close();
      return { files: [out], points, leftOut: [] };
    },
    abort: () => table.abort(),
  };
}

function cellOf(
  table: LogTable,
  name: LogColumnName,
  row: number,
  { originM }: LogHead,
): string | number {
  const value = table[name]?.[row] ?? NaN;
  if (typeof value === 'bigint') return String(value);
  if (Number.isNaN(value)) return '';
  const axis = logOriginColumns.findIndex((origin) => origin === name);
  return axis < 0 ? value : value + (originM[axis] ?? 0);
}

const returnedColumns = [
  ...(['time_ns', 'ring', 'azimuth_rad', 'return_no', 'n_returns', 'range_m'] as const),
  ...(['intensity', 'x_m', 'y_m', 'z_m'] as const),
  ...(['beam_origin_x_m', 'beam_origin_y_m', 'beam_origin_z_m'] as const),
  ...(['beam_direction_x', 'beam_direction_y', 'beam_direction_z'] as const),
] as const satisfies readonly ReturnColumnName[];

async function openReturns(
  exporters: Exporters,
  { out, isReplacing, log }: Request,
  format: ExportFormat,
  { head }: LogReader,
): Promise<Target> {
  const truth = (['class_id', 'object_id', 'true_range_m', 'beam_share'] as const).filter((name) =>
    head.columns.includes(name),
  );
  const exporter = await exporters.create(out, {
    format,
    columns: [...returnedColumns, ...truth],
    classes: head.classes,
    originM: head.originM,
    ...(head.crs !== null && { crs: head.crs }),
    ...(head.sensor.maxM !== null && { missRangeM: head.sensor.maxM }),
    isReplacing,
    inputs: [log],
  });
  const leftOut = head.columns.filter((name) => name === 'label' || name === 'sweep');
  return {
    write: (table, beams) => exporter.write(returnsOf(table, beams), beams),
    async close() {
      const written = await exporter.close();
      return { ...written, leftOut: [...leftOut, ...written.leftOut] };
    },
    abort: () => exporter.abort(),
  };
}

/** Beams as returns; those without a return have return_no 0. */
function returnsOf(table: LogTable, beams: number): ReturnTable {
  const isReturn = (row: number): boolean => table.state[row] === beamStates.returned;
  const counts = filled(new Uint8Array(beams), (row) => (isReturn(row) ? 1 : 0));
  const end = (origin: Float64Array, direction: Float32Array): Float32Array<ArrayBuffer> =>
    filled(new Float32Array(beams), (row) => {
      return (origin[row] ?? NaN) + (table.range_m[row] ?? NaN) * (direction[row] ?? NaN);
    });
  return {
    time_ns: table.time_ns,
    ring: table.laser,
    azimuth_rad: table.azimuth_rad,
    return_no: counts,
    n_returns: counts,
    range_m: table.range_m,
    intensity: table.intensity,
    x_m: end(table.origin_x_m, table.direction_x),
    y_m: end(table.origin_y_m, table.direction_y),
    z_m: end(table.origin_z_m, table.direction_z),
    beam_origin_x_m: Float32Array.from(table.origin_x_m),
    beam_origin_y_m: Float32Array.from(table.origin_y_m),
    beam_origin_z_m: Float32Array.from(table.origin_z_m),
    beam_direction_x: table.direction_x,
    beam_direction_y: table.direction_y,
    beam_direction_z: table.direction_z,
    ...(table.class_id && { class_id: table.class_id }),
    ...(table.object_id && { object_id: table.object_id }),
    ...(table.true_range_m && { true_range_m: table.true_range_m }),
    ...(table.beam_share && { beam_share: table.beam_share }),
  };
}
