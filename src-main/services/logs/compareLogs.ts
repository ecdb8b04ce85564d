// log.compare: two logs against each other. Sources that are no logs are imported into scratch files first.
import { logRequests, type LogReplies } from '#contract/host/logMethods.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { differentSystems, systemName } from '#domain/shared/coordinateSystem.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { ScratchFiles } from '#services/ports/files.ts';
import type { Machine } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { systemsOfLogs } from './systemsOfLogs.ts';
import { importLog, type ImportLogPorts } from './importLog.ts';

export interface CompareLogsPorts extends ImportLogPorts {
  launcher: WorkerLauncher;
  machine: Pick<Machine, 'availableMemoryBytes'>;
  scratch: ScratchFiles;
}

/** @throws UnderstoryError 'bad-input', 'not-found', 'corrupt' for sources; 'scene-too-large', 'cancelled' */
export async function compareSources(
  ports: CompareLogsPorts,
  { one, other, threads }: RequestOf<'log.compare'>,
  context: HandlerContext,
): Promise<LogReplies['log.compare']> {
  const { launcher, machine } = ports;
  const { signal, progress: onProgress } = context;
  return withLog(ports, one, context, (log, notes) =>
    withLog(ports, other, context, async (otherLog, otherNotes) => {
      const worker = await launcher.open({ isa: null, threads: threads ?? null });
      try {
        const limit = memoryLimitBytes(machine.availableMemoryBytes());
        const request = { logs: [log, otherLog], memoryLimitBytes: limit };
        const options = { signal, onProgress };
        const { body } = await worker.call('log.compare', request, {}, options);
        const ofSystems = await systemNotes(ports, request.logs);
        const all = new Set([...notes, ...otherNotes, ...ofSystems]);
        return { ...body, one, other, notes: [...all] };
      } finally {
        await worker.dispose();
      }
    }),
  );
}

/** A note where the logs state different coordinate reference systems. */
async function systemNotes(
  { logs }: Pick<CompareLogsPorts, 'logs'>,
  files: readonly string[],
): Promise<string[]> {
  const systems = differentSystems(await systemsOfLogs(logs, files)).map(systemName);
  return systems.length < 2
    ? []
    : [`the logs are in ${systems.join(' and in ')}, and nothing is projected`];
}

/** Works on a log: the source itself, or one of it that is gone afterwards. */
async function withLog<T>(
  ports: CompareLogsPorts,
  source: string,
  context: HandlerContext,
  work: (log: string, notes: string[]) => Promise<T>,
): Promise<T> {
  if (ports.files.isAbsolute(source) && /\.log$/i.test(source)) return work(source, []);
  return ports.scratch.use('log', async (out) => {
    const request = logRequests['log.import'].parse({ source, out, isReplacing: true });
    const { notes } = await importLog(ports, request, context);
    return work(out, notes);
  });
}
