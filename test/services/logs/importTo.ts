// Imports of foreign recordings without a catalogue.
import { dirname, join } from 'node:path';
import type { Pose } from '#contract/host/run.ts';
import { requests, type Replies } from '#contract/host/methods.ts';
import { bagMessages } from '#catalogue/bagMessages.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogSources } from '#recordings/foreign/logSources.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { importLog, type ImportLogPorts } from '#services/logs/importLog.ts';
import type { HandlerContext } from '#services/handlers.ts';
import { projectRoot } from '#test/stages.ts';
import { callContext } from '#test/support/context.ts';

export const logs = createLogs(createExporters({ dataFolder: null }));
// Why the cast: of the catalogue only the look-up of runs is used, and there are none.
const files = createNodeFiles({ assetsFolder: join(projectRoot, 'assets') });
const ports = {
  documents: createDocuments({ files }),
  logs,
  files,
  catalogue: { run: () => null },
  folders: { recordingFile: () => '' },
  recordings: createRecordings({}),
  version: 'test',
} as unknown as Omit<ImportLogPorts, 'sources'>;

/** Imports a source into a file; what is packed is unpacked beside that. */
export function importTo(
  out: string,
  source: string,
  options: Record<string, unknown> = {},
  hooks: Partial<Pick<HandlerContext, 'signal' | 'progress'>> = {},
): Promise<Replies['log.import']> {
  const request = requests['log.import'].parse({ source, out, ...options });
  const sources = createLogSources(bagMessages, join(dirname(out), 'unpacked'));
  return importLog({ ...ports, sources }, request, { ...callContext, ...hooks });
}

export const identity: Pose = { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] };
