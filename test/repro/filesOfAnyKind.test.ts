// Files that a document names were read whatever they were: /dev/zero until memory ended, a named pipe endlessly, a
// PNG of half a megabyte as gigabytes. Logs, recordings, clouds and parts were still opened so, and four pipes stopped
// the host. Each edit of a document read every mesh again.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toWire } from '#contract/errors.ts';
import type { Method } from '#contract/host/methods.ts';
import type { ExportFormat } from '#contract/host/exportFormats.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { documentHandlers } from '#services/documents/documentHandlers.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { finishedRun } from '#test/services/finishedRun.ts';
import { callContext } from '#test/support/context.ts';
import { openHost } from '#test/support/host.ts';
import { makeTerabyte, oddKinds, type MakeOdd } from './oddFiles.ts';
import { meshModel, scenario } from '#test/support/documents.ts';

const goldenLogFile = new URL('../recordings/log/golden.log', import.meta.url);
const files = createNodeFiles({ assetsFolder: '/nowhere' });

const scenarioWith = (file: string): string =>
  scenario({
    ground: { kind: 'height-field', file, sizeM: [10, 10], zM: [0, 1], material: 'grey' },
  });

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
  it.each(oddKinds)('%s is refused at once, as scenario, ground and mesh', async (kind, make) => {
    const folder = temporaryFolder();
    for (const name of ['odd.yaml', 'odd.png', 'odd.obj']) await make(join(folder, name));
    writeFileSync(join(folder, 'a.yaml'), scenarioWith('odd.png'));
    const message = `expected a regular file, found ${kind}`;
    const ofScenario = await runHere(folder, 'scenario', 'check', join(folder, 'odd.yaml'));
    expect(ofScenario.stderr).toContain(message);
    const ofGround = await runHere(folder, 'scenario', 'check', join(folder, 'a.yaml'));
    expect(ofGround.stderr).toContain(message);
    await expect(files.hash(join(folder, 'odd.obj'))).rejects.toThrow(message);
  });
});

/** Calls that open a file, which `odd` makes by its ending. `file` is a path for what they would write, or a good file. */
type OddCall = (odd: (ending: string) => string, file: (name: string) => string) => Call;
interface Call {
  method: Method;
  request: Record<string, unknown>;
}

const clouds = ['mcap', 'db3', 'npz', 'csv', 'pcd', 'ply', 'las'];
const scenes = ['csv', 'asc', 'tif', 'glb', 'gltf', 'json', 'xml'];
const place = { placeM: [0, 0, 0] };

const oddCalls: OddCall[] = [
  (odd) => ({ method: 'log.show', request: { log: odd('log') } }),
  (odd, file) => ({ method: 'log.export', request: { log: odd('log'), out: file('a.csv') } }),
  (odd) => ({ method: 'log.compare', request: { one: odd('log'), other: odd('log') } }),
  (odd) => ({ method: 'log.cloud', request: { log: odd('log') } }),
  (odd) => ({ method: 'cloud.open', request: { source: { log: odd('log') } } }),
  (odd) => ({ method: 'log.list', request: { files: [odd('log')] } }),
  ...clouds.map((ending): OddCall => (odd, file) => ({
    method: 'log.import',
    request: { source: odd(ending), out: file('a.log') },
  })),
  (odd, file) => ({
    method: 'log.import',
    request: { source: file('cloud.pcd'), out: file('a.log'), trajectory: odd('tum') },
  }),
  (odd, file) => ({
    method: 'learn.start',
    request: { logs: [odd('log')], model: 'voxel', out: file('a.ply') },
  }),
  (odd) => ({ method: 'learn.evaluate', request: { models: [odd('ply')], log: odd('log') } }),
  (odd, file) => ({
    method: 'learn.evaluate',
    request: { models: [odd('ply')], log: file('golden.log') },
  }),
  (odd) => ({ method: 'learn.elements', request: { model: odd('ply') } }),
  (odd) => ({ method: 'learn.models', request: { files: [odd('ply')] } }),
  (odd, file) => ({
    method: 'learn.sample',
    request: { model: odd('ply'), log: file('golden.log') },
  }),
  (odd) => ({ method: 'learn.place', request: { models: [], log: odd('log'), ...place } }),
  (odd, file) => ({
    method: 'scenario.addModel',
    request: { model: odd('ply'), out: file('a.yaml') },
  }),
  ...scenes.map((ending): OddCall => (odd, file) => ({
    method: 'scenario.import',
    request: { files: [odd(ending)], out: file('a.yaml') },
  })),
  (odd) => ({ method: 'scenario.check', request: { scenario: odd('yaml') } }),
  (odd) => ({ method: 'document.read', request: { kind: 'scenario', document: odd('yaml') } }),
  (odd) => ({ method: 'document.upgrade', request: { file: odd('yaml') } }),
  (odd, file) => ({
    method: 'document.mesh',
    request: { file: odd('obj'), from: file('a.yaml') },
  }),
  (odd, file) => ({
    method: 'document.edit',
    request: { kind: 'scenario', file: file('a.yaml'), text: meshScenario(odd('obj')) },
  }),
  (odd, file) => ({
    method: 'document.edit',
    request: { kind: 'scenario', file: file('a.yaml'), text: scenarioWith(odd('png')) },
  }),
  (odd) => ({ method: 'campaign.check', request: { campaign: odd('yaml') } }),
  (odd, file) => {
    odd('npz.part.json');
    return { method: 'scan.join', request: { parts: [odd('npz')], out: file('a.npz') } };
  },
  (odd) => ({ method: 'runs.unpack', request: { path: odd('understory') } }),
  (odd) => ({ method: 'runs.verify', request: { file: odd('understory') } }),
  (odd) => ({ method: 'runs.verify', request: { file: odd('mcap') } }),
];

const meshScenario = (file: string): string => scenario({ models: { m: meshModel(file) } });

describe('every call that opens a file', async () => {
  const folder = temporaryFolder();
  const opened = await openHost(join(folder, 'data'));
  const file = (name: string): string => join(folder, name);
  copyFileSync(goldenLogFile, file('golden.log'));
  writeFileSync(file('cloud.pcd'), 'FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nPOINTS 0\nDATA ascii\n');
  writeFileSync(file('poses.tum'), '0 0 0 0 0 0 0 1\n1 1 0 0 0 0 0 1\n');
  let made = 0;

  /** The failure of a call, or the problems that it reports. */
  async function outcomeOf(
    { method, request }: Call,
    { ask } = opened,
  ): Promise<{ code: string; text: string }> {
    try {
      return { code: 'none', text: JSON.stringify(await ask(method, request as never)) };
    } catch (error) {
      const { code, message, details } = toWire(error);
      return { code, text: `${message} ${JSON.stringify(details)}` };
    }
  }

  /** Each file of a call made by `make`. */
  async function outcomeWith(
    call: OddCall,
    make: MakeOdd,
  ): Promise<{ code: string; text: string }> {
    const paths = new Set<string>();
    made += 1;
    const at = made;
    const odd = (ending: string): string => {
      const path = file(`odd${at}.${ending}`);
      paths.add(path);
      return path;
    };
    const wanted = call(odd, (name) =>
      existsSync(file(name)) ? file(name) : file(`${at}-${name}`),
    );
    for (const path of paths) await make(path);
    return outcomeOf(wanted);
  }

  const named = oddCalls.map((call): [string, OddCall] => {
    const { method, request } = call(
      (ending) => `odd.${ending}`,
      (name) => name,
    );
    return [`${method} ${JSON.stringify(request)}`, call];
  });

  it.each(named)('%s refuses what is no regular file', async (_, call) => {
    for (const [kind, make] of oddKinds) {
      const { code, text } = await outcomeWith(call, make);
      expect(code, `${kind}: ${text}`).toMatch(/^(bad-input|not-found|corrupt|none)$/);
      // A folder may be a source of its own kind: of KITTI, of rosbag2, of data.
      const refusal = kind === 'a folder' ? /expected|is a folder|no data folder/ : kind;
      expect(text, kind).toMatch(refusal);
    }
  });

  it.each(named)('%s refuses a terabyte of nothing', async (_, call) => {
    const { code, text } = await outcomeWith(call, makeTerabyte);
    expect(code, text).toMatch(/^(bad-input|corrupt|scene-too-large|none)$/);
    if (code === 'none') expect(text).toMatch(/expected|damaged|is no log/);
  });

  it.each([...oddKinds, ['a terabyte of nothing', makeTerabyte] as const])(
    'a run refuses %s in the place of its recording',
    async (kind, make) => {
      const { runId, recordingFile } = await finishedRun(file(`runs-${kind}`), { ticks: 2 });
      rmSync(recordingFile);
      await make(recordingFile);
      const host = await openHost(file(`runs-${kind}`));
      const calls: Call[] = [
        { method: 'runs.at', request: { runId, timeS: 0.1, maxPoints: 10 } },
        { method: 'runs.poses', request: { runId } },
        { method: 'runs.verify', request: { runId } },
        { method: 'runs.export', request: { runId, format: 'csv', out: file(`${kind}.csv`) } },
        { method: 'log.import', request: { source: runId, out: file(`${kind}.log`) } },
      ];
      for (const call of calls) {
        const { code, text } = await outcomeOf(call, host);
        expect(code, `${call.method}: ${text}`).toMatch(/^(bad-input|corrupt)$/);
      }
    },
  );

  it('pipes, as many as there are threads, hold up no other call', async () => {
    const [[, makePipe] = raise()] = oddKinds;
    const threads = 4;
    const pipes = named
      .filter(([name]) => /^(log|learn)/.test(name))
      .flatMap(([, call]) => Array.from({ length: threads }, () => outcomeWith(call, makePipe)));
    const check = { method: 'scenario.check' as const, request: { scenario: 'clearing' } };
    expect((await outcomeOf(check)).code).toBe('none');
    for (const { code, text } of await Promise.all(pipes)) expect(code, text).not.toBe('internal');
  });

  it.each(clouds.filter((ending) => ending !== 'mcap' && ending !== 'db3'))(
    'parts that are joined: %s',
    async (ending) => {
      const exporters = createExporters({ dataFolder: null });
      for (const [kind, make] of oddKinds) {
        const part = file(`part-${kind.replaceAll(' ', '-')}.${ending}`);
        await make(part);
        const signal = new AbortController().signal;
        const options = { format: ending as ExportFormat, isReplacing: false, signal };
        const out = file(`joined.${ending}`);
        await expect(exporters.join(out, [part], options)).rejects.toThrow(
          `expected a regular file, found ${kind}`,
        );
        await expect(exporters.joinTables(out, [part], options)).rejects.toThrow(
          `expected a regular file, found ${kind}`,
        );
      }
      expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    },
  );
});

function raise(): never {
  throw new RangeError('there are kinds');
}

it('a document beyond its limit is refused before it is read', async () => {
  const folder = temporaryFolder({ 'a.yaml': '' });
  truncateSync(join(folder, 'a.yaml'), 2 ** 40);
  const { stderr, exitCode } = await runHere(folder, 'scenario', 'check', join(folder, 'a.yaml'));
  expect(stderr).toContain('expected at most 16.0 MB');
  expect(exitCode).toBe(2);
});

describe('a PNG', () => {
  it('that would be larger than its limit is refused by its head', async () => {
    const folder = temporaryFolder({
      'b.png': zeroPng(32_768, 100),
      'a.yaml': scenarioWith('b.png'),
    });
    const { stderr } = await runHere(folder, 'scenario', 'check', join(folder, 'a.yaml'));
    expect(stderr).toContain('expected at most 16384 × 16384 samples, found 32768 × 32768');
  });

  it.each([
    ['more than its head says', 2 * (2 * 2 + 1) + 4_000_000, 'holds more than its head says'],
    ['less than its head says', 5, 'ends after 1 rows'],
  ])('that inflates to %s is refused', async (_, dataBytes, message) => {
    const folder = temporaryFolder({
      'b.png': zeroPng(2, dataBytes),
      'a.yaml': scenarioWith('b.png'),
    });
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
    const folder = temporaryFolder({ 'b.png': zeroPng(2048, 2048 * 4097) });
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
  const text = meshScenario('m.obj');
  const file = join(folder, 'a.yaml');
  writeFileSync(file, text);
  const handlers = documentHandlers({ files });
  const editReads = async (): Promise<number> => {
    const before = bytesRead();
    const { reply } = await handlers['document.edit'](
      { kind: 'scenario', file, text, edits: [] },
      callContext,
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
