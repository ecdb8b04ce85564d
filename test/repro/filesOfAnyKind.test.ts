// Files that a document names were read whatever they were: /dev/zero until memory ended, a named pipe endlessly, a
// PNG of half a megabyte as gigabytes. Each edit of a document read every mesh again.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { documentHandlers } from '#services/documents/documentHandlers.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { runHere } from '#test/hosts/cli/commandLine.ts';
import { temporaryFolder } from '#test/recordings/temporary.ts';

const files = createNodeFiles({ assetsFolder: '/nowhere' });

function scenarioWith(file: string): string {
  return `understory: 2
name: z
scene:
  materials: { g: { reflectance: 0.5 } }
  ground: { kind: height-field, file: ${file}, sizeM: [10, 10], zM: [0, 1], material: g }
`;
}

/** A PNG of so many samples whose image data are zeros. */
function zeroPng(side: number, dataBytes: number): Uint8Array {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.writeUInt8(16, 8);
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(new Uint8Array(dataBytes), { level: 9 });
  const chunks = [chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', new Uint8Array(0))];
  return Buffer.concat([start, ...chunks]);
}

describe('a file that is no regular one', () => {
  it.each([
    ['a named pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a device', (path: string) => symlinkSync('/dev/zero', path)],
  ])('%s is refused at once, as scenario, ground and mesh', async (kind, make) => {
    const folder = temporaryFolder();
    make(join(folder, 'odd.yaml'));
    make(join(folder, 'odd.png'));
    make(join(folder, 'odd.obj'));
    writeFileSync(join(folder, 'a.yaml'), scenarioWith('odd.png'));
    const message = `expected a regular file, found ${kind}`;
    const ofScenario = await runHere(folder, 'scenario', 'check', join(folder, 'odd.yaml'));
    expect(ofScenario.stderr).toContain(message);
    const ofGround = await runHere(folder, 'scenario', 'check', join(folder, 'a.yaml'));
    expect(ofGround.stderr).toContain(message);
    await expect(files.hash(join(folder, 'odd.obj'))).rejects.toThrow(message);
  });
});

it('a document beyond its limit is refused before it is read', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), '');
  truncateSync(join(folder, 'a.yaml'), 2 ** 40);
  const { stderr, exitCode } = await runHere(folder, 'scenario', 'check', join(folder, 'a.yaml'));
  expect(stderr).toContain('expected at most 16.0 MB');
  expect(exitCode).toBe(2);
});

describe('a PNG', () => {
  it('that would be larger than its limit is refused by its head', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'b.png'), zeroPng(32_768, 100));
    writeFileSync(join(folder, 'a.yaml'), scenarioWith('b.png'));
    const { stderr } = await runHere(folder, 'scenario', 'check', join(folder, 'a.yaml'));
    expect(stderr).toContain('expected at most 16384 × 16384 samples, found 32768 × 32768');
  });

  it.each([
    ['more than its head says', 2 * (2 * 2 + 1) + 4_000_000, 'holds more than its head says'],
    ['less than its head says', 5, 'ends after 1 rows'],
  ])('that inflates to %s is refused', async (_, dataBytes, message) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'b.png'), zeroPng(2, dataBytes));
    writeFileSync(join(folder, 'a.yaml'), scenarioWith('b.png'));
    const { stderr } = await runHere(folder, 'scenario', 'check', join(folder, 'a.yaml'));
    expect(stderr).toContain(message);
  });

  it('gives the thread back while it is read: others get their turn between pieces', async () => {
    const folder = temporaryFolder();
    const side = 4096;
    writeFileSync(join(folder, 'b.png'), zeroPng(side, side * (2 * side + 1)));
    let turns = 0;
    let isReading = true;
    const others = (async () => {
      for (; isReading; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    })();
    let rows = 0;
    await files.readGreyPicture(join(folder, 'b.png'), () => () => void (rows += 1));
    isReading = false;
    await others;
    expect(rows).toBe(side);
    // 32 MB in pieces of 256 kB.
    expect(turns).toBeGreaterThan(100);
  });

  it('is cancelled with its caller', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'b.png'), zeroPng(2048, 2048 * 4097));
    const controller = new AbortController();
    const read = files.readGreyPicture(
      join(folder, 'b.png'),
      () => (row) => (row === 10 ? controller.abort() : undefined),
      controller.signal,
    );
    await expect(read).rejects.toMatchObject({ code: 'cancelled' });
  });
});

it('aliases that repeat a large list are refused', () => {
  const list = `a: &a [${Array<string>(20_000).fill('1').join(', ')}]`;
  const aliases = Array.from({ length: 50 }, (_, at) => `b${at}: *a`);
  const { problems } = parseScenario([list, ...aliases].join('\n'));
  expect(problems).toMatchObject([
    { code: 'syntax', message: expect.stringContaining('aliases that repeat at most') as string },
  ]);
});

/** Bytes that this process has asked the system for. */
function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

it('the mesh of an edited document is read once, and again when it has changed', async () => {
  const folder = temporaryFolder();
  const mesh = join(folder, 'm.obj');
  const size = 2 ** 25;
  writeFileSync(mesh, new Uint8Array(size).fill(0x0a));
  const text = `understory: 2
name: m
scene:
  materials: { g: { reflectance: 0.5 } }
  models: { m: { kind: mesh, file: m.obj, unit: m, upAxis: z, material: g } }
`;
  const file = join(folder, 'a.yaml');
  writeFileSync(file, text);
  const handlers = documentHandlers({ files });
  const context = {
    signal: new AbortController().signal,
    progress: () => undefined,
    chunk: () => Promise.resolve(),
  };
  const editReads = async (): Promise<number> => {
    const before = bytesRead();
    const { reply } = await handlers['document.edit'](
      { kind: 'scenario', file, text, edits: [] },
      context,
    );
    expect(reply.problems).toEqual([]);
    return bytesRead() - before;
  };
  expect(await editReads()).toBeGreaterThanOrEqual(size);
  expect(await editReads()).toBeLessThan(size / 10);
  const first = await files.hash(mesh);
  expect(first).toBe(createHash('sha256').update(readFileSync(mesh)).digest('hex'));
  appendFileSync(mesh, 'v 2 2 2\n');
  expect(await files.hash(mesh)).not.toBe(first);
});
