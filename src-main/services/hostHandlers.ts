// host.*: what a caller may know of the host it talks to.
import type { Handlers } from './handlers.ts';
import type { Machine, RunFolders } from './ports.ts';

/** The handlers of `host.*` (contract/methods.ts). */
export function hostHandlers(ports: {
  machine: Machine;
  folders: RunFolders;
  version: string;
}): Handlers<'host'> {
  const { machine, folders, version } = ports;
  return {
    'host.info': () => ({
      reply: { version, dataFolder: folders.dataFolder, cores: machine.cores },
    }),
  };
}
