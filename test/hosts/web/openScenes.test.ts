// A scene that a browser has open ends with its connection: no worker is left behind, however the browser goes.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createPeer, type Peer } from '#contract/wire/rpc.ts';
import type { SceneChunk } from '#contract/host/sceneMethods.ts';
import { openUnderstory, type Understory } from '#hosts/compose.ts';
import { serve, type WebHost } from '#hosts/web/serve.ts';
import { webSocketChannel } from '#hosts/web/webSocketChannel.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openPageSocket } from './httpGet.ts';

let understory: Understory;
let web: WebHost;

async function start(): Promise<() => Promise<{ socket: WebSocket; peer: Peer }>> {
  const dataFolder = temporaryFolder();
  understory = await openUnderstory({ dataFolder });
  const { handlers, events, log } = understory;
  web = await serve({ handlers, events, log, rendererFolder: dataFolder });
  return async () => {
    const socket = openPageSocket(web.address);
    await once(socket, 'open');
    return { socket, peer: createPeer(webSocketChannel(socket), { lostCode: 'io' }) };
  };
}

afterEach(async () => {
  await web.close();
  await understory.dispose();
});

describe('a scene in a browser', () => {
  it('ends with its connection, and the scenes of others continue', async () => {
    const connect = await start();
    const before = workers();
    const [one, other] = [await connect(), await connect()];
    await openBox(one.peer);
    const [first] = workers().filter((pid) => !before.includes(pid));
    const scene = await openBox(other.peer);
    const mine = workers().filter((pid) => !before.includes(pid));
    expect(mine).toHaveLength(2);
    one.socket.terminate();
    await until(() => !workers().includes(first ?? 0));
    const pose = { positionM: [0, 0, 1], yawDeg: 0 };
    const { body } = await other.peer.call('scene.scan', { scene, sensor: 'vlp-16', pose });
    expect((body as { returns: number }).returns).toBeGreaterThan(1000);
    other.socket.close();
    await until(() => workers().every((pid) => !mine.includes(pid)));
  });

  it('ends with its host', async () => {
    const connect = await start();
    const before = workers();
    const { peer } = await connect();
    const call = openBox(peer);
    await call;
    expect(workers().length).toBe(before.length + 1);
    await web.close();
    await understory.dispose();
    expect(workers().length).toBe(before.length);
  });
});

/** Resolves with the scene's id when it is ready; the call continues. */
function openBox(peer: Peer): Promise<string> {
  return new Promise((resolve, reject) => {
    const onChunk = ({ body }: { body: unknown }): void => {
      const chunk = body as SceneChunk;
      if (chunk.kind === 'ready') resolve(chunk.scene);
    };
    peer.call('scene.open', { scenario: 'box' }, { onChunk }).catch(reject);
  });
}

async function until(isSo: () => boolean): Promise<void> {
  for (let wait = 0; wait < 100 && !isSo(); wait++) await pause(20);
  expect(isSo()).toBe(true);
}

/** Process ids of the workers that this process has started and that live. */
function workers(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isOwnWorker(pid));
}

function isOwnWorker(pid: number): boolean {
  try {
    const [, name = '', state = '', parent = ''] =
      /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return name === 'scanWorker' && state !== 'Z' && Number(parent) === process.pid;
  } catch {
    return false; // It has ended in the meantime.
  }
}
