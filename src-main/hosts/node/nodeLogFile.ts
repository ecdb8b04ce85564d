// The LogFile port: the lines of DATA/understory.log and understory.log.1 (nodeLog.ts) from a stretch of time.
import { join } from 'node:path';
import { toWire } from '#contract/errors.ts';
import type { LogLine } from '#contract/host/runMethods.ts';
import { anySize, withRegularFile } from '#files/regularFile.ts';
import type { LogFile } from '#services/ports/system.ts';

/** Only the last part of a larger log is read. */
const maxBytes = 8 * 1024 * 1024;

export function createNodeLogFile({ dataFolder }: { dataFolder: string }): LogFile {
  const file = join(dataFolder, 'understory.log');
  return {
    file,
    async between(fromMs, toMs) {
      // The one before first: a run may have begun in it (nodeLog.ts).
      const text = [await endOf(`${file}.1`), await endOf(file)].join('\n');
      const lines = text.split('\n').flatMap((line) => parsedLine(line) ?? []);
      return lines.filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs);
    },
  };
}

async function endOf(file: string): Promise<string> {
  try {
    return await withRegularFile(file, { maxBytes: anySize }, async (log) => {
      const bytes = await log.read(Math.max(0, log.stats.size - maxBytes), maxBytes);
      return new TextDecoder().decode(bytes);
    });
  } catch (error) {
    if (toWire(error).code === 'not-found') return '';
    throw error;
  }
}

/** Null for what is no line of pino: the first one of a part of the file, or one that was cut off. */
function parsedLine(line: string): LogLine | null {
  try {
    const { level, time, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const details = Object.fromEntries(Object.entries(rest).filter(([name]) => name !== 'pid'));
    const timeMs = Date.parse(String(time));
    if (typeof level !== 'number' || Number.isNaN(timeMs)) return null;
    return {
      timeMs,
      level: level >= 50 ? 'error' : level >= 40 ? 'warning' : level >= 30 ? 'info' : 'debug',
      message: String(msg),
      details: Object.keys(details).length === 0 ? '' : JSON.stringify(details),
    };
  } catch {
    return null;
  }
}
