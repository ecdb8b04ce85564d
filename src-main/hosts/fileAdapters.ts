// Adapters of files for the services: readers and writers of points, logs and scenes, and what pages send.
import { createBundles } from '#recordings/bundle/bundles.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { numberArrays } from '#recordings/foreign/npzArrays.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { createUploads, type UploadPorts, type Uploads } from '#services/bundles/uploads.ts';
import { problemOfSystem, textOfSystem } from '#services/documents/systems.ts';
import type { LogPorts } from '#services/logs/logHandlers.ts';
import type { Bundles } from '#services/ports/bundles.ts';
import type { DataFiles } from '#services/ports/dataFiles.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import type { Files } from '#services/ports/files.ts';
import type { Log } from '#services/ports/system.ts';
import type { ImportPorts } from '#services/scenarios/importScenario.ts';
import { createThreadedImports } from './node/importThread.ts';
import { createNodeDataFiles } from './node/nodeDataFiles.ts';
import { createNodeScratchFiles } from './node/nodeScratchFiles.ts';
import { createThreadedSources } from './node/sourceThread.ts';

/** Readers and writers of files of points, logs and scenes. */
export function filesOf(
  dataFolder: string,
  files: Files,
  log: Log,
): Pick<LogPorts & ImportPorts, 'exporters' | 'logs' | 'sources' | 'imports' | 'arrays'> & {
  dataFiles: DataFiles;
} {
  const exporters = exportersOf(dataFolder, files);
  const imports = createThreadedImports(log);
  const sources = createThreadedSources(log);
  const dataFiles = createNodeDataFiles({ dataFolder });
  const logs = createLogs(exporters);
  return { exporters, logs, sources, imports, arrays: numberArrays, dataFiles };
}

/** Files that are received, until they are used. */
export function uploadsOf(
  dataFolder: string,
  ports: Pick<UploadPorts, 'machine' | 'clock'>,
): Pick<UploadPorts, 'scratch'> & { bundles: Bundles; uploads: Uploads } {
  const scratch = createNodeScratchFiles({ dataFolder });
  const bundles = createBundles({ dataFolder });
  return { scratch, bundles, uploads: createUploads({ ...ports, scratch, bundles, dataFolder }) };
}

/** Exporters that know the coordinate systems of the assets. */
function exportersOf(dataFolder: string, files: Files): Exporters {
  return createExporters({
    dataFolder,
    // Positions are metres: a file must not state another unit.
    wktOf: async (crs) =>
      (await problemOfSystem(files, crs)) === null ? textOfSystem(files, crs) : null,
  });
}
