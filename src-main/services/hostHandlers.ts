// host.*: what a host reports of itself.
import type { Handlers } from './handlers.ts';
import type { RunFolders } from './ports/files.ts';
import type { Machine } from './ports/system.ts';

/** The handlers of `host.*` (contract/host/methods.ts). */
export function hostHandlers(ports: {
  machine: Machine;
  folders: RunFolders;
  version: string;
}): Handlers<'host'> {
  const { machine, folders, version } = ports;
  return {
    'host.info': () => ({
      reply: {
        version,
        dataFolder: folders.dataFolder,
        cores: machine.cores,
        availableMemoryBytes: machine.availableMemoryBytes(),
      },
    }),
  };
}
