// A web host with a made-up drive behind it, for tests of the page rather than of the simulation.
import { serve, type WebHost } from '#hosts/web/serve.ts';
import { createSyntheticHost, type SyntheticOptions } from '#test/hosts/syntheticHost.ts';

export interface MadeUpHost {
  web: WebHost;
  /** The host opens again at the same port, with the same runs behind it, after `web.close()`. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

const log = { debug() {}, info() {}, warn() {}, error() {} };

export function madeUpHost(options: SyntheticOptions) {
  return async (rendererFolder: string): Promise<MadeUpHost> => {
    const { handlers, events } = createSyntheticHost(options);
    const host: MadeUpHost = {
      web: await serve({ handlers, events, rendererFolder, log }),
      async reopen() {
        const port = Number(new URL(host.web.address).port);
        host.web = await serve({ handlers, events, rendererFolder, log, port });
      },
      close: () => host.web.close(),
    };
    return host;
  };
}
