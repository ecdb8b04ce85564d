// `npm run dev`: the sources of the page under the host's content policy and token, and /rpc at a real web host.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createPeer } from '#contract/wire/rpc.ts';
import { openDevServer, type DevServer } from '#hosts/dev/devServer.ts';
import { webSocketChannel } from '#hosts/web/webSocketChannel.ts';
import { httpGet, openPageSocket, partsOf } from '#test/hosts/web/httpGet.ts';
import { startWebHost, type TestWebHost } from '#test/hosts/web/webHost.ts';
import { projectRoot } from '#test/stages.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { makeScratchProject, type ScratchProject } from './scratchProject.ts';

let web: TestWebHost;
let project: ScratchProject;
let dev: DevServer;
let port: number;
beforeAll(async () => {
  [web, project] = await Promise.all([startWebHost(), makeScratchProject()]);
  dev = await openDevServer({ projectFolder: project.folder, hostAddress: web.address });
  ({ port } = partsOf(dev.address));
});
afterAll(async () => {
  await dev.close();
  await web.close();
  await project.remove();
});

const own = (): Record<string, string> => ({
  host: `127.0.0.1:${port}`,
  origin: `http://127.0.0.1:${port}`,
});

describe('the page', () => {
  it('comes from the sources, with a policy that allows its own nonce and nothing inline', async () => {
    const { status, headers, body } = await httpGet(port, '/', own());
    expect(status).toBe(200);
    expect(body).toContain('src="/main.ts"');
    const policy = String(headers['content-security-policy']);
    const [, nonce] = /script-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(nonce).toHaveLength(24);
    expect(body).toContain(`nonce="${nonce}"`);
    expect(policy).not.toContain('unsafe');
    const script = await httpGet(port, '/main.ts', own());
    expect(script.body).toContain('startPage');
  });

  it.each([
    ['by a foreign name', { host: 'evil.example' }],
    ['for a foreign page', { origin: 'http://evil.example' }],
  ])('is refused %s', async (_name, wrong) => {
    const headers: Record<string, string> = { ...own(), ...wrong };
    for (const path of ['/', '/main.ts', '/@vite/client', '/?token=guessed']) {
      expect([path, (await httpGet(port, path, headers)).status]).toEqual([path, 403]);
    }
  });
});

describe('the connection to the host', () => {
  it('answers as the host does', async () => {
    const socket = openPageSocket(dev.address);
    await once(socket, 'open');
    const peer = createPeer(webSocketChannel(socket));
    expect((await peer.call('host.info', {})).body).toMatchObject({ cores: 1 });
    socket.close();
    await once(socket, 'close');
  });

  it.each([
    ['token', { token: 'guessed' }],
    ['origin', { headers: { origin: 'http://evil.example' } }],
    ['name', { headers: { host: 'evil.example' } }],
  ])('is refused with another %s', async (_name, wrong) => {
    const [error] = (await once(openPageSocket(dev.address, wrong), 'error')) as [Error];
    expect(error.message).toContain('403');
  });

  it.each([{ origin: 'http://evil.example' }, { host: 'evil.example' }])(
    'of Vite is refused to %o',
    async (wrong) => {
      const headers = { ...own(), ...wrong };
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`, 'vite-hmr', { headers });
      const [error] = (await once(socket, 'error')) as [Error];
      expect(error.message).toMatch(/403|hang up|closed/);
    },
  );

  it('needs an address that a host printed', async () => {
    const wrong = new URL(web.address);
    wrong.searchParams.set('token', 'guessed');
    await expect(
      openDevServer({ projectFolder: project.folder, hostAddress: wrong.href }),
    ).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('the command', () => {
  it('starts a host of its own, prints an address, and ends both on SIGINT', async () => {
    const dataFolder = temporaryFolder();
    const entry = join(projectRoot, 'src-main/hosts/dev/main.ts');
    const child = spawn(process.execPath, [entry, '--data', dataFolder], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'close');
    const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { status, body } = await httpGet(partsOf(address).port, '/');
    expect([status, body.includes('/main.ts')]).toEqual([200, true]);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });
});
