// The real web host around made-up handlers and a small built page, for the tests of this folder.
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebSocket } from 'ws';
import { serve } from '#hosts/web/serve.ts';
import type { Log } from '#services/ports/system.ts';
import { createSyntheticHost, type SyntheticOptions } from '#test/hosts/syntheticHost.ts';
import { silentLog } from '#test/support/log.ts';
import { openPageSocket, partsOf } from './httpGet.ts';

export interface TestWebHost {
  address: string;
  port: number;
  token: string;
  /** Outside the served folder: `secret.html` lies here. */
  outerFolder: string;
  host: ReturnType<typeof createSyntheticHost>;
  /** As its page does; `wrong` replaces its token or headers. */
  openSocket(wrong?: { token?: string; headers?: Record<string, string> }): WebSocket;
  close(): Promise<void>;
}

export async function startWebHost(
  options: SyntheticOptions = {},
  log: Log = silentLog,
): Promise<TestWebHost> {
  const outerFolder = await mkdtemp(join(tmpdir(), 'understory-web-'));
  const rendererFolder = join(outerFolder, 'renderer');
  await mkdir(join(rendererFolder, 'assets'), { recursive: true });
  await writeFile(join(outerFolder, 'secret.html'), 'secret');
  await writeFile(join(rendererFolder, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(rendererFolder, 'assets', 'index-1a2b.js'), 'export {};');
  await writeFile(join(rendererFolder, 'notes.txt'), 'of no known kind');
  const host = createSyntheticHost(options);
  const { handlers, events } = host;
  const web = await serve({ handlers, events, rendererFolder, log });
  const { port, token } = partsOf(web.address);
  return {
    address: web.address,
    port,
    token,
    outerFolder,
    host,
    openSocket: (wrong) => openPageSocket(web.address, wrong),
    close: async () => {
      await web.close();
      await rm(outerFolder, { recursive: true });
    },
  };
}
