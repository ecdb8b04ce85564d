// Nothing above 1 MB is read, hashed, inflated, parsed or written as JSON on the host's thread at a time. Counted at
// the functions that would do it; other threads and processes load their own.
import type * as crypto from 'node:crypto';
import type * as fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type * as zlib from 'node:zlib';
import type * as gltf from '@gltf-transform/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as yaml from 'yaml';
import { logHeadSchema } from '#contract/log/log.ts';
import { compose } from '#domain/shared/pose.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { turningBeams } from '#test/recordings/log/turningBeams.ts';
import { glbOf, treeGltf } from '#test/domain/import/glb.ts';
import { goldenHead } from '#test/recordings/log/writeGolden.ts';
import { ousterCloud, tf, writeMcap } from '#test/services/logs/foreignFiles.ts';
import { beamsOfRoom, mount, sweepNs, vehicleAt } from '#test/services/logs/room.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost } from '#test/support/host.ts';
import { afterwards } from '#test/support/afterwards.ts';
import { countJson, largest } from './syncCounter.ts';

const maxBytes = 1_000_000;

vi.mock('yaml', async (original) => {
  const { counting, ofInput } = await import('./syncCounter.ts');
  const sizes = { parseDocument: ofInput, parse: ofInput };
  return counting(await original<typeof yaml>(), sizes);
});
vi.mock('node:zlib', async (original) => {
  const { counting, ofInput, ofOutput } = await import('./syncCounter.ts');
  return counting(await original<typeof zlib>(), {
    zstdCompressSync: ofInput,
    zstdDecompressSync: ofOutput,
    inflateSync: ofOutput,
    gunzipSync: ofOutput,
  });
});
vi.mock('node:fs', async (original) => {
  const { counting, ofOutput } = await import('./syncCounter.ts');
  return counting(await original<typeof fs>(), { readFileSync: ofOutput });
});
vi.mock('@gltf-transform/core', async (original) => {
  const { noteSize } = await import('./syncCounter.ts');
  const module = await original<typeof gltf>();
  class CountedIO extends module.WebIO {
    override readBinary(glb: Uint8Array<ArrayBuffer>) {
      noteSize('readBinary', glb.length);
      return super.readBinary(glb);
    }
  }
  return { ...module, WebIO: CountedIO };
});
vi.mock('node:crypto', async (original) => {
  const { countingHashes } = await import('./syncCounter.ts');
  return countingHashes(await original<typeof crypto>());
});

const folder = temporaryFolder();
const file = join(folder, 'large.understory.yaml');
const text = largeScenario(18_000);
expect(text.length).toBeGreaterThan(maxBytes);
await writeFile(file, text);
const { ask } = await openHost(join(folder, 'data'));
afterwards(countJson());
beforeEach(() => largest.clear());

/** Boxes in rows, a line each. */
function largeScenario(boxes: number): string {
  const lines = Array.from({ length: boxes }, (_, index) => {
    const [xM, yM] = [20 + (index % 200), 20 + Math.floor(index / 200)];
    return `    - { name: box-${index}, model: box, positionM: [${xM}, ${yM}, 0] }`;
  });
  return [
    'understory: 2',
    'name: large',
    'scene:',
    '  materials: { grey: { reflectance: 0.5 } }',
    '  ground: { kind: plane, sizeM: [400, 400], material: grey }',
    '  models: { box: { kind: box, sizeM: [0.1, 0.1, 0.1], material: grey, solid: false } }',
    '  instances:',
    ...lines,
    'mission: { startM: [0, 0], goalM: [9, 0] }',
    '',
  ].join('\n');
}

/** Too large calls, by function. */
function tooLarge(): [string, number][] {
  return [...largest].filter(([, bytes]) => bytes > maxBytes);
}

describe('a document of 18,000 objects', { timeout: 180_000 }, () => {
  it('is checked, edited and saved on another thread', async () => {
    expect(await ask('scenario.check', { scenario: file })).toEqual({ problems: [], notices: [] });
    const edits = [{ path: ['name'], op: 'set' as const, value: 'other' }];
    const edited = await ask('document.edit', { kind: 'scenario', text, file, edits });
    expect(edited.problems).toEqual([]);
    expect(edited.text).toContain('name: other\n');
    const copy = join(folder, 'copy.understory.yaml');
    await ask('document.save', {
      kind: 'scenario',
      file: copy,
      text,
      isReplacing: false,
      from: file,
    });
    expect(tooLarge()).toEqual([]);
    // The counters count: samples are parsed here.
    await ask('scenario.list', {});
    expect(largest.get('parseDocument')).toBeGreaterThan(1000);
  });

  it('is driven through, and its run shown, without large work at once', async () => {
    const { runId } = await ask('drive.start', { scenario: file, sensor: 'vlp-16', seconds: 0.3 });
    expect(await ask('drive.watch', { runId })).toMatchObject({ state: 'finished' });
    await ask('runs.show', { runId });
    await ask('runs.ticks', { runId });
    await ask('runs.scans', { runId });
    await ask('runs.past', { runId, fromS: 0, toS: 1, maxScans: 10, maxPoints: 100_000 });
    await ask('runs.poses', { runId });
    const { text: again } = await ask('runs.scenario', { runId });
    expect(again).toContain('name: box-17999');
    await ask('runs.verify', { runId });
    expect(tooLarge()).toEqual([]);
    // Pieces of JSON are written here, some of them of 100 kB.
    expect(largest.get('JSON.stringify')).toBeGreaterThan(10_000);
  });
});

it('writes, shows and exports a log of chunks of 3 MB in slices', async () => {
  const log = join(folder, 'long.log');
  // Two thirds are returns: more than 2 ** 17, eight bytes of which are above the limit.
  const beams = 210_000;
  const logs = createLogs(createExporters({ dataFolder: null }));
  const head = logHeadSchema.parse(goldenHead);
  const writer = await logs.create(log, head, { isReplacing: false });
  await writer.write(turningBeams(beams), beams);
  await writer.close();
  expect(await ask('log.show', { log, maxPoints: 10_000 })).toMatchObject({ beams, chunks: 4 });
  await ask('log.export', { log, out: join(folder, 'long.pcd') });
  await ask('log.export', { log, out: join(folder, 'long.parquet') });
  expect(tooLarge()).toEqual([]);
  // Contents are hashed here, when they are written and when they are read.
  expect(largest.get('createHash')).toBeGreaterThan(100_000);
});

it('imports a recording of ROS 2 with a chunk of more than the limit', async () => {
  const sweeps = 12;
  const source = join(folder, 'large.mcap');
  const truth = beamsOfRoom(sweeps);
  const messages = [
    ...Array.from({ length: 12 * sweeps }, (_, step) => {
      const timeNs = step * 10_000_000;
      return tf('odom', 'os_lidar', timeNs, compose(vehicleAt(timeNs), mount));
    }),
    ...Array.from({ length: sweeps }, (_, sweep) => {
      const beams = truth.filter((beam) => beam.sweep === sweep);
      return ousterCloud(beams, sweep * sweepNs);
    }),
  ];
  let chunkBytes = 0;
  await writeMcap(source, messages, {
    chunkSize: 16_000_000,
    compressChunk: (content) => {
      chunkBytes = content.length;
      return { compression: 'zstd', compressedData: zstdCompressSync(content) };
    },
  });
  expect(chunkBytes).toBeGreaterThan(maxBytes);
  largest.clear();
  const imported = await ask('log.import', { source, out: join(folder, 'imported.log') });
  expect(imported).toMatchObject({ source: 'mcap', beams: truth.length });
  expect(tooLarge()).toEqual([]);
});

it('imports a scene of another simulator on another thread', async () => {
  const scene = join(folder, 'large.mavs.json');
  const objects = [{ Mesh: 'tree.obj', Instances: [{ Position: [1, 2, 0] }] }];
  const json = JSON.stringify({ Objects: objects, Notes: 'x'.repeat(maxBytes) });
  await writeFile(scene, json);
  await writeFile(join(folder, 'tree.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  largest.clear();
  const out = join(folder, 'mavs.understory.yaml');
  const { sources } = await ask('scenario.import', { files: [scene], out, format: 'mavs' });
  expect(sources[0]?.ignored).toEqual([{ what: "'Notes'", count: 1 }]);
  expect(tooLarge()).toEqual([]);
});

it('imports a glTF of more than the limit on another thread', async () => {
  const { json, bin } = treeGltf();
  const large = new Uint8Array(bin.length + 2 * maxBytes);
  large.set(bin);
  const scene = join(folder, 'large.glb');
  await writeFile(scene, glbOf({ ...json, buffers: [{ byteLength: large.length }] }, large));
  largest.clear();
  const out = join(folder, 'gltf.understory.yaml');
  const { files } = await ask('scenario.import', { files: [scene], out, format: 'gltf' });
  expect(files.filter((name) => name.endsWith('.obj'))).toHaveLength(2);
  expect(tooLarge()).toEqual([]);
});
