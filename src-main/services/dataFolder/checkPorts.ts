// The ports of a check of a data folder.
import type { HostEvents } from '#services/events.ts';
import type { CatalogueReport } from '#services/ports/catalogue.ts';
import type { DataFiles } from '#services/ports/dataFiles.ts';
import type { DataFolder } from '#services/ports/dataFolder.ts';
import type { Files } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { AdoptPorts } from '#services/runs/adoptRuns.ts';

export interface CheckPorts extends AdoptPorts {
  dataFolder: DataFolder;
  dataFiles: Pick<DataFiles, 'readStart'>;
  files: Pick<Files, 'freshHash' | 'hashOf' | 'readText'>;
  logs: Pick<Logs, 'open'>;
  events: HostEvents;
  /** Checks the file of the catalogue in a process of its own. @throws 'locked' where it cannot be read twice */
  checkCatalogue(file: string, isQuick: boolean, signal: AbortSignal): Promise<CatalogueReport>;
}
