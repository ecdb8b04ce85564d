// log.*: logs of real and simulated sensors (contract/log/log.ts).
import { badInput, throwIfCancelled } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { beamStates, type LogTable } from '#contract/log/log.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import type { LogReader, Logs } from '#services/ports/logs.ts';
import { compareSources, type CompareLogsPorts } from './compareLogs.ts';
import { estimateLeafArea, type EstimatePorts } from './estimateLeafArea.ts';
import { exportLog } from './exportLog.ts';
import { importLog } from './importLog.ts';
import { logStatistics } from './logStatistics.ts';

export interface LogPorts extends CompareLogsPorts, Omit<EstimatePorts, 'logs'> {
  logs: Logs;
  exporters: Exporters;
  files: CompareLogsPorts['files'];
}

/** The handlers of contract/host/logMethods.ts. */
export function logHandlers(
  ports: LogPorts,
): Pick<
  Handlers<'log'>,
  'log.import' | 'log.show' | 'log.export' | 'log.compare' | 'log.estimate'
> {
  return {
    'log.import': async (request, context) => {
      expectEnding(request.out);
      return { reply: await importLog(ports, request, context) };
    },
    'log.show': async ({ log, maxPoints }, context) => {
      const reader = await ports.logs.open(log);
      try {
        await sendPoints(reader, maxPoints, context);
        return { reply: { ...logStatistics(reader), originM: reader.head.originM } };
      } finally {
        await reader.close();
      }
    },
    'log.export': async (request, context) => ({
      reply: await exportLog(ports, request, context),
    }),
    'log.compare': async (request, context) => ({
      reply: await compareSources(ports, request, context),
    }),
    'log.estimate': async (request, context) => ({
      reply: await estimateLeafArea(ports, request, context),
    }),
  };
}

/** @throws 'bad-input' */
function expectEnding(out: RequestOf<'log.import'>['out']): void {
  if (/\.log$/i.test(out)) return;
  throw badInput('out', `expected a file that ends in .log, found '${out}'`);
}

/** Reads the whole log, so that a damaged one is refused; sends every n-th of its returns. */
async function sendPoints(
  reader: LogReader,
  maxPoints: number,
  { signal, progress, chunk }: HandlerContext,
): Promise<void> {
  const { beams: total, returns } = reader.counts;
  const stride = maxPoints === 0 ? Infinity : Math.max(1, Math.ceil(returns / maxPoints));
  let done = 0;
  let next = 0;
  let seen = 0;
  for await (const { table, beams } of reader.tables()) {
    throwIfCancelled(signal);
    const rows: number[] = [];
    for (let row = 0; row < beams; row++) {
      if (table.state[row] !== beamStates.returned) continue;
      if (seen++ < next) continue;
      next += stride;
      rows.push(row);
    }
    if (rows.length > 0) await chunk({}, pointColumns(table, rows));
    done += beams;
    progress({ phase: 'reading the log', done, total });
  }
}

function pointColumns(table: LogTable, rows: readonly number[]): Record<string, Float32Array> {
  const ends = (origin: Float64Array, direction: Float32Array): Float32Array =>
    Float32Array.from(rows, (row) => {
      return (origin[row] ?? NaN) + (table.range_m[row] ?? NaN) * (direction[row] ?? NaN);
    });
  return {
    x_m: ends(table.origin_x_m, table.direction_x),
    y_m: ends(table.origin_y_m, table.direction_y),
    z_m: ends(table.origin_z_m, table.direction_z),
    intensity: Float32Array.from(rows, (row) => table.intensity[row] ?? NaN),
    origin_x_m: Float32Array.from(rows, (row) => table.origin_x_m[row] ?? NaN),
    origin_y_m: Float32Array.from(rows, (row) => table.origin_y_m[row] ?? NaN),
    origin_z_m: Float32Array.from(rows, (row) => table.origin_z_m[row] ?? NaN),
  };
}
