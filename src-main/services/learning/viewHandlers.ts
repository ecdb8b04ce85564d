// Lists of logs and learned models, and views of them: one worker that stays for a minute reads, chooses and sends, so
// that nothing large is parsed here.
import type { Columns } from '#contract/columns.ts';
import { toWire } from '#contract/errors.ts';
import type { ListedLog, ListedModel } from '#contract/host/learnedViewMethods.ts';
import { maxHeaderBytes, readModelHeader } from '#domain/scene/learnedHeader.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import type { WarmWorker } from '#services/documents/warmWorker.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import { listedFiles } from '#services/listedFiles.ts';
import { logStatistics } from '#services/logs/logStatistics.ts';
import type { DataFile, DataFiles } from '#services/ports/dataFiles.ts';
import type { Files } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { Machine } from '#services/ports/system.ts';
import { systemOfScenes } from './statedSystems.ts';

export interface LearnedViewPorts {
  /** With all cores: views are short, and wait for each other. */
  worker: WarmWorker;
  machine: Pick<Machine, 'availableMemoryBytes'>;
  files: Pick<Files, 'coordinateSystem'>;
  dataFiles: DataFiles;
  logs: Logs;
}

type LearnViews = Pick<
  Handlers<'learn'>,
  'learn.models' | 'learn.elements' | 'learn.sample' | 'learn.place'
>;
type LogViews = Pick<Handlers<'log'>, 'log.list' | 'log.cloud'>;

/** The handlers of contract/host/learnedViewMethods.ts. */
export function learnedViewHandlers(ports: LearnedViewPorts): {
  learn: LearnViews;
  log: LogViews;
} {
  return { learn: learnViews(ports), log: logViews(ports) };
}

function learnViews(ports: LearnedViewPorts): LearnViews {
  const { worker, machine, dataFiles } = ports;
  const limit = (): { memoryLimitBytes: number } => limitOf(machine);
  return {
    'learn.models': async ({ files }) => {
      const found = await listedFiles(dataFiles, 'models', ['.ply'], files);
      const models = await Promise.all(found.map((one) => listedModel(ports, one)));
      return { reply: { folder: dataFiles.folder('models'), models } };
    },
    'learn.elements': async ({ eyeM, ...request }, context) => {
      const asked = { ...request, ...(eyeM && { eyeM }), ...limit() };
      return answerOf(
        await worker.use((one) => one.call('learn.elements', asked, {}, passingOn(context))),
      );
    },
    'learn.sample': async (request, context) => {
      const asked = { ...request, ...limit() };
      return answerOf(
        await worker.use((one) => one.call('learn.sample', asked, {}, passingOn(context))),
      );
    },
    'learn.place': async (request, context) => {
      const asked = { ...request, ...limit() };
      return answerOf(
        await worker.use((one) => one.call('learn.place', asked, {}, passingOn(context))),
      );
    },
  };
}

function logViews({ worker, machine, dataFiles, logs }: LearnedViewPorts): LogViews {
  return {
    'log.list': async ({ files }) => {
      const found = await listedFiles(dataFiles, 'logs', ['.log'], files);
      const listed = await Promise.all(found.map((one) => listedLog(logs, one)));
      return { reply: { folder: dataFiles.folder('logs'), logs: listed } };
    },
    'log.cloud': async (request, context) => {
      const asked = { ...request, ...limitOf(machine) };
      return answerOf(
        await worker.use((one) => one.call('log.cloud', asked, {}, passingOn(context))),
      );
    },
  };
}

function limitOf(machine: LearnedViewPorts['machine']): { memoryLimitBytes: number } {
  return { memoryLimitBytes: memoryLimitBytes(machine.availableMemoryBytes()) };
}

/** Chunks of the worker go to the caller as they are. */
function passingOn({ signal, progress: onProgress, chunk }: HandlerContext) {
  const onChunk = ({ body, columns }: { body: unknown; columns: Columns }): Promise<void> =>
    chunk(body, columns);
  return { signal, onProgress, onChunk };
}

function answerOf<B, C>({ body, columns }: { body: B; columns: C }): { reply: B; columns: C } {
  return { reply: body, columns };
}

async function listedModel(
  { dataFiles, files }: LearnedViewPorts,
  listed: DataFile & { problem: string | null },
): Promise<ListedModel> {
  if (listed.problem !== null) return { ...listed, header: null, sceneCrs: null };
  try {
    const header = readModelHeader(await dataFiles.readStart(listed.file, maxHeaderBytes));
    return { ...listed, header, sceneCrs: await systemOfScenes(files, header.crs) };
  } catch (error) {
    return { ...listed, header: null, sceneCrs: null, problem: toWire(error).message };
  }
}

async function listedLog(
  logs: Logs,
  listed: DataFile & { problem: string | null },
): Promise<ListedLog> {
  if (listed.problem !== null) return { ...listed, statistics: null };
  try {
    const reader = await logs.open(listed.file);
    try {
      return { ...listed, statistics: logStatistics(reader) };
    } finally {
      await reader.close();
    }
  } catch (error) {
    return { ...listed, statistics: null, problem: toWire(error).message };
  }
}
