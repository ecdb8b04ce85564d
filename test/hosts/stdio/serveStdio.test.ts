// `serve --stdio` as its own process: calls over stdin and stdout, junk, and clients that go away.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import type { SceneChunk } from '#contract/host/sceneMethods.ts';
import { encodeFrame, type Frame, FrameReader } from '#contract/wire/frame.ts';
import { createPeer, type Peer } from '#contract/wire/rpc.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';
import { mainFile } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

vi.setConfig({ testTimeout: 300_000 });

interface StdioProcess {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  dataFolder: string;
  ended: Promise<number | null>;
  stderr: Promise<string>;
}

function startHost(): StdioProcess {
  const dataFolder = temporaryFolder();
  const child = spawn(process.execPath, [mainFile, 'serve', '--stdio', '--quiet'], {
    env: { ...process.env, UNDERSTORY_DATA: dataFolder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, dataFolder, ended, stderr: text(child.stderr) };
}

/** Ids of the processes that work in this data folder, workers included. */
function processesOf(dataFolder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(join('/proc', `${pid}`, 'environ'), 'utf8').includes(
        `UNDERSTORY_DATA=${dataFolder}\0`,
      );
    } catch {
      // Why swallowed: it has ended meanwhile, or is another user's.
      return false;
    }
  });
}

async function openBox(peer: Peer): Promise<string> {
  return new Promise((resolve, reject) => {
    const onChunk = ({ body }: { body: unknown }): void => {
      const chunk = body as SceneChunk;
      if (chunk.kind === 'ready') resolve(chunk.scene);
      else reject(new Error(`a chunk '${chunk.kind}' of a scene that is not shown`));
    };
    peer.call('scene.open', { scenario: 'box', isShown: false }, { onChunk }).catch(reject);
  });
}

/** A frame with this header. */
function frameOf(json: string): Buffer {
  const header = Buffer.from(json.padEnd(8 * Math.ceil(json.length / 8)));
  const preamble = Buffer.alloc(16);
  preamble.write('USF1', 'latin1');
  preamble.writeUInt32LE(header.length, 4);
  return Buffer.concat([preamble, header]);
}

const pose = { positionM: [0, 0, 1], yawDeg: 0 };

describe('serve --stdio', () => {
  it('answers calls, and ends with its input', async () => {
    const { child, dataFolder, ended, stderr } = startHost();
    const peer = createPeer(stdioChannel(child.stdout, child.stdin));
    const { body } = await peer.call('host.info', {});
    expect(body).toMatchObject({ dataFolder });
    const refused = peer.call('scan.start', { scenario: 'box', sensor: 'vlp-16' });
    await expect(refused).rejects.toMatchObject({ code: 'bad-input' });
    peer.close();
    expect(await ended).toBe(0);
    expect(await stderr).toBe('');
  });

  it('sends one error for bytes that are no frame, and ends', async () => {
    const { child, ended, stderr } = startHost();
    const frames: Frame[] = [];
    const reader = new FrameReader();
    child.stdout.on('data', (bytes: Uint8Array) => frames.push(...reader.push(bytes)));
    child.stdin.on('error', () => undefined);
    child.stdin.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(100));
    expect(await ended).toBe(9);
    expect(reader.isIdle).toBe(true);
    expect(frames.map(({ header }) => header)).toMatchObject([
      { kind: 'error', id: 0, error: { code: 'protocol' } },
    ]);
    expect(await stderr).toContain('where one was expected');
  });

  const whole = encodeFrame({
    header: { kind: 'call', id: 1, method: 'host.info', body: {} },
    columns: {},
  });
  it.each([
    ['a header that is none', frameOf('null'), 'expected a mapping, found an empty value'],
    ['columns that are none', frameOf('{"kind":"call","id":1,"columns":[null]}'), 'columns[0]: '],
    ['a stream that ends inside a frame', whole.subarray(0, -8), 'the stream ended inside a frame'],
  ])('ends with a sentence for %s', async (_, bytes, sentence) => {
    const { child, ended, stderr } = startHost();
    child.stdout.resume();
    child.stdin.on('error', () => undefined);
    child.stdin.end(bytes);
    expect(await ended).toBe(9);
    const lines = (await stderr).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(sentence);
  });

  it.each(['SIGINT', 'the end of its input'])('ends by %s where nothing reads it', async (how) => {
    const { child, ended } = startHost();
    child.stdin.on('error', () => undefined);
    for (let id = 1; id <= 100; id += 1) {
      child.stdin.write(
        encodeFrame({ header: { kind: 'call', id, method: 'plant.list', body: {} }, columns: {} }),
      );
    }
    child.stdout.pause();
    await once(child.stdout, 'readable');
    if (how === 'SIGINT') child.kill('SIGINT');
    else child.stdin.end();
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
    child.stdout.destroy();
    await ended;
  });

  it('ends when its client goes away in the middle of a scan', async () => {
    const { child, dataFolder, ended } = startHost();
    const peer = createPeer(stdioChannel(child.stdout, child.stdin));
    const scene = await openBox(peer);
    expect(processesOf(dataFolder).length).toBeGreaterThanOrEqual(2);
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    const scan = { scene, sensor: 'hdl-64e', pose, seconds: 10_000 };
    const call = peer.call('scene.scan', scan, { onChunk: () => lose() });
    call.catch(() => undefined);
    await lost;
    child.stdin.destroy();
    child.stdout.destroy();
    expect(await ended).toBe(0);
    await expect.poll(() => processesOf(dataFolder)).toEqual([]);
  });
});
