// Views of logs and learned models with the real worker, against what the logs were made of.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import {
  requests,
  type Method,
  type Replies,
  type RequestInputOf,
} from '#contract/host/methods.ts';
import { gatherCloud } from '#renderer/logic/cloud/cloudTable.ts';
import { gatherModel, gatherSample } from '#renderer/logic/learn/modelTables.ts';
import { rangeCurves } from '#domain/shared/rangeCurves.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { callContext } from '#test/support/context.ts';
import { openHost } from '#test/support/host.ts';
import { normal, originM, randomNumbers, writeBeams, type Beam } from './beamsOfSite.ts';

const dataFolder = temporaryFolder();
const understory = await openHost(dataFolder);
const pathOf = (name: string): string => join(dataFolder, name);

async function ask<M extends Method>(
  method: M,
  request: RequestInputOf<M>,
  take: (body: unknown, columns: Columns) => void = () => undefined,
): Promise<{ reply: Replies[M]; columns: Columns }> {
  const { reply, columns = {} } = await understory.handlers[method](
    requests[method].parse(request) as never,
    {
      ...callContext,
      chunk: (body, sent) => {
        take(body, sent);
        return Promise.resolve();
      },
    },
  );
  return { reply, columns };
}

/** Beams along x through a screen of leaves about x = 10 m, y = 2 m, of which three in ten pass and are lost. */
function screen(beams: number, seed: number): Beam[] {
  const random = randomNumbers(seed);
  return Array.from({ length: beams }, () => {
    const isPassed = random() < 0.3;
    const rangeM = isPassed ? null : 10 + 0.06 * normal(random);
    const y = 2 + 0.06 * (random() - 0.5);
    const z = 2 + 0.06 * (random() - 0.5);
    return { origin: [0, y, z], direction: [1, 0, 0], rangeM, classId: isPassed ? 0 : 1 };
  });
}

/** Beams straight down on level ground of 40 m × 40 m. */
function ground(beams: number): Beam[] {
  const random = randomNumbers(5);
  return Array.from({ length: beams }, () => {
    const origin = [40 * random() - 20, 40 * random() - 20, 3.1] as const;
    return { origin, direction: [0, 0, -1] as const, rangeM: 3 + 0.01 * normal(random) };
  });
}

const screenLog = pathOf('logs/screen.log');
const screenModel = pathOf('models/screen.ply');
const groundLog = pathOf('logs/ground.log');

beforeAll(async () => {
  mkdirSync(pathOf('logs'));
  await writeBeams(screenLog, screen(6000, 3));
  await writeBeams(groundLog, ground(40_000));
  // One element: a voxel that holds the whole screen.
  const parameters = { volume: { voxelM: 4 } };
  await ask('learn.start', { logs: [screenLog], model: 'voxel', out: screenModel, parameters });
  for (const model of ['voxel', 'permeable-surface', 'nearest-neighbors'] as const) {
    await ask('learn.start', { logs: [groundLog], model, out: pathOf(`models/${model}.ply`) });
  }
}, 300_000);

describe('lists', () => {
  it('have the logs and models of the data folder, and others that are named', async () => {
    const elsewhere = temporaryFolder();
    const [copy, junk, gone] = ['copy.ply', 'junk.ply', 'gone.ply'].map((name) =>
      join(elsewhere, name),
    );
    copyFileSync(screenModel, copy ?? '');
    writeFileSync(junk ?? '', 'ply\nformat ascii 1.0\nend_header\n');
    const { reply } = await ask('learn.models', {
      files: [copy ?? '', junk ?? '', gone ?? '', screenModel],
    });
    expect(reply.folder).toBe(pathOf('models'));
    const known = new Map(reply.models.map((model) => [model.file, model]));
    expect(known.size).toBe(7);
    expect(known.get(screenModel)).toMatchObject({
      problem: null,
      sceneCrs: 'EPSG:32632',
      header: { kind: 'voxel', elements: 1, triangles: 0, originM, crs: 'EPSG:32632' },
    });
    expect(known.get(pathOf('models/permeable-surface.ply'))?.header?.triangles).toBeGreaterThan(
      100,
    );
    expect(known.get(copy ?? '')?.header).toEqual(known.get(screenModel)?.header);
    expect(known.get(junk ?? '')).toMatchObject({
      header: null,
      problem: expect.stringContaining('PLY') as string,
    });
    expect(known.get(gone ?? '')).toMatchObject({
      header: null,
      problem: expect.stringContaining('no file') as string,
    });

    const { reply: logs } = await ask('log.list', {});
    const statistics = logs.logs.find(({ file }) => file === screenLog)?.statistics;
    expect(statistics).toMatchObject({ beams: 6000, missesAre: 'recorded' });
    // The model names the log that it was learned from.
    expect(known.get(screenModel)?.header?.logHashes).toEqual([statistics?.hash]);
  });

  it('have coordinate reference systems that a scenario may state apart', async () => {
    const degrees = pathOf('models/degrees.ply');
    const log = pathOf('degrees.log');
    await writeBeams(log, ground(400), 'EPSG:4326');
    await ask('learn.start', { logs: [log], model: 'voxel', out: degrees });
    const { models } = (await ask('learn.models', {})).reply;
    expect(models.find(({ file }) => file === degrees)).toMatchObject({
      header: { crs: 'EPSG:4326' },
      sceneCrs: null,
    });
  });

  it('are of folders that may be written, and no other of the data folder may', async () => {
    const out = pathOf('runs/a.ply');
    const refused = ask('learn.start', { logs: [screenLog], model: 'voxel', out });
    await expect(refused).rejects.toMatchObject({ code: 'bad-input' });
  });
});

describe('the cloud of a log', () => {
  it('has the end of every return', async () => {
    const gathering = gatherCloud();
    const { reply } = await ask('log.cloud', { log: screenLog }, gathering.take);
    const { positionsM, intensities, classIds } = gathering.joined();
    const returns = screen(6000, 3).filter(({ rangeM }) => rangeM !== null);
    expect(reply).toMatchObject({ originM, beams: 6000, returns: returns.length, share: 1 });
    expect(reply.sent).toBe(returns.length);
    expect(reply.firstM?.[2]).toBeCloseTo(302, 1);
    for (const [row, { origin, rangeM, classId }] of returns.entries()) {
      const [x = NaN, y, z] = positionsM.subarray(3 * row, 3 * row + 3);
      expect(Math.abs(x - (rangeM ?? NaN))).toBeLessThan(1e-5);
      // A step of single precision about 2 m.
      expect(Math.abs((y ?? NaN) - origin[1])).toBeLessThan(5e-7);
      expect(Math.abs((z ?? NaN) - origin[2])).toBeLessThan(5e-7);
      expect([intensities[row], classIds[row]]).toEqual([0.5, classId]);
    }
  });

  it('is thinned at random, within its limit', async () => {
    const gathering = gatherCloud();
    const { reply } = await ask('log.cloud', { log: groundLog, maxPoints: 4000 }, gathering.take);
    const { positionsM } = gathering.joined();
    const sent = positionsM.length / 3;
    expect(reply.sent).toBe(sent);
    expect(sent).toBeLessThanOrEqual(4000);
    expect(sent).toBeGreaterThan(3400);
    // Uniform over the ground: a quarter of them in each quarter, within five standard deviations.
    const east = positionsM.filter((x, at) => at % 3 === 0 && x > 0).length;
    expect(Math.abs(east - sent / 2)).toBeLessThan(5 * Math.sqrt(sent / 4));
  });
});

describe('the elements of a model', () => {
  it('are the elements of its file', async () => {
    const gathering = gatherModel();
    const model = pathOf('models/voxel.ply');
    const { reply } = await ask('learn.elements', { model }, gathering.take);
    const { elements } = gathering.joined();
    const rows = rowsOf(model);
    expect(reply).toMatchObject({
      kind: 'voxel',
      originM,
      elements: rows.length,
      sentElements: rows.length,
    });
    for (const [row, expected] of rows.entries()) {
      expect([...elements.meansM.subarray(3 * row, 3 * row + 3)]).toEqual(expected.mean);
      const [xx = 0, yx = 0, yy = 0, zx = 0, zy = 0, zz = 0] = elements.factors.subarray(6 * row);
      const product = [
        xx * xx,
        xx * yx,
        xx * zx,
        yx * yx + yy * yy,
        yx * zx + yy * zy,
        zx * zx + zy * zy + zz * zz,
      ];
      for (const [at, value] of product.entries()) {
        // Single precision of numbers about 0.01 m².
        expect(Math.abs(value - (expected.covariance[at] ?? NaN))).toBeLessThan(1e-7);
      }
      expect(elements.permeability[row]).toBe(expected.permeability);
      expect(elements.support[row]).toBe(expected.support);
    }
  });

  it('are the elements that look largest if there are too many', async () => {
    const gathering = gatherModel();
    const model = pathOf('models/voxel.ply');
    const eyeM: [number, number, number] = [originM[0] - 20, originM[1] - 20, originM[2] + 2];
    await ask('learn.elements', { model, maxElements: 200, eyeM }, gathering.take);
    const { elements } = gathering.joined();
    expect(elements.support.length).toBe(200);
    const rows = rowsOf(model);
    const weights = rows.map(
      ({ mean: [x = 0, y = 0, z = 0], covariance, permeability, support }) => {
        const [xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0] = covariance;
        const minors = xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz;
        const distanceM = Math.max(1, Math.hypot(x + 20, y + 20, z - 2));
        return (
          (Math.sqrt(minors) * (1 - permeability) * Math.min(1, support / 10)) / distanceM ** 2
        );
      },
    );
    const chosen = new Set(elements.meansM.filter((_, at) => at % 3 === 0));
    const least = Math.min(...weights.filter((_, row) => chosen.has(rows[row]?.mean[0] ?? NaN)));
    const others = weights.filter((_, row) => !chosen.has(rows[row]?.mean[0] ?? NaN));
    expect(others.length).toBe(rows.length - 200);
    // Weights are compared in single precision.
    expect(Math.max(...others)).toBeLessThan(least * (1 + 1e-6));
  });

  it('are triangles of coarser cells where there are too many', async () => {
    const model = pathOf('models/permeable-surface.ply');
    const [whole, coarse] = [gatherModel(), gatherModel()];
    const { reply } = await ask('learn.elements', { model }, whole.take);
    expect(reply.cellM).toBe(0);
    const maxTriangles = Math.floor(reply.triangles / 8);
    const { reply: thinned } = await ask('learn.elements', { model, maxTriangles }, coarse.take);
    expect(thinned.sentTriangles).toBeLessThanOrEqual(maxTriangles);
    expect(thinned.sentTriangles).toBeGreaterThan(maxTriangles / 4);
    expect(thinned.cellM).toBeGreaterThan(0.3);
    const areas = [whole, coarse].map((one) => levelAreaM2(one.joined().triangles.cornersM));
    // Level ground keeps its area but for half a cell at its edges.
    expect((areas[1] ?? 0) / (areas[0] ?? 1)).toBeGreaterThan(0.85);
    expect((areas[1] ?? 0) / (areas[0] ?? 1)).toBeLessThan(1.02);
  });

  it('are points of the nearest-neighbours model', async () => {
    const gathering = gatherModel();
    const model = pathOf('models/nearest-neighbors.ply');
    const { reply } = await ask('learn.elements', { model, maxPoints: 2000 }, gathering.take);
    expect(reply.sentPoints).toBe(gathering.joined().points.positionsM.length / 3);
    expect(reply.sentPoints).toBeLessThanOrEqual(2000);
    expect(reply.sentPoints).toBeGreaterThan(1500);
  });
});

describe('what a model returns', () => {
  it('for the beams of a log is what its evaluation draws', async () => {
    const log = groundLog;
    const model = pathOf('models/voxel.ply');
    const gathering = gatherSample();
    const { reply } = await ask('learn.sample', { model, log, seed: 4 }, gathering.take);
    const { reply: judged } = await ask('learn.evaluate', { models: [model], log, seed: 4 });
    // Every beam of this log has a return, so that each return of the model is a hit that it detects.
    expect(reply.beams).toBe(40_000);
    expect(reply.sent / reply.returns).toBe(judged.models[0]?.hitsDetected);
    const { positionsM, underSampled } = gathering.joined();
    expect(underSampled.length).toBe(reply.sent);
    const heights = positionsM.filter((_, at) => at % 3 === 2);
    const meanM = heights.reduce((a, b) => a + b, 0) / heights.length;
    // The first of some five overlapping elements is met, each of five returns with 10 mm of noise: the greatest of five
    // means lies 1.16 of their deviations above the ground.
    expect(meanM - 0.1).toBeGreaterThan(0);
    expect(meanM - 0.1).toBeLessThan((1.16 * 0.01) / Math.sqrt(5));
  });

  it('at a place is the law of the log there', async () => {
    const placeM: [number, number, number] = [originM[0] + 10, originM[1] + 2, originM[2] + 2];
    const request = { models: [screenModel], log: screenLog, placeM, windowM: 0.5, draws: 150_000 };
    const { reply, columns } = await ask('learn.place', request);
    const beams = screen(6000, 3);
    const missed = beams.filter(({ rangeM }) => rangeM === null).length;
    expect(reply).toMatchObject({ beams: 6000, share: 1 });
    expect(reply.sensorM).toBeCloseTo(10, 5);
    expect(reply.outcomes[0]).toEqual({ before: 0, within: 6000 - missed, behind: 0, missed });
    const counts = columns['counts'] as Uint32Array;
    const offsets = beams.flatMap(({ rangeM }) =>
      rangeM === null ? [] : [Math.fround(rangeM) - 10],
    );
    const expected = new Uint32Array(50);
    for (const offset of offsets) expected[Math.floor((offset + 0.5) * 50)]! += 1;
    expect([...counts.subarray(0, 50)]).toEqual([...expected]);
    // The model is one Gaussian of these returns, and passes the share that had none: 150,000 draws are near the law.
    const [, model] = rangeCurves(['log', 'model'], reply.outcomes, counts);
    expect(model?.missed).toBeCloseTo(missed / 6000, 2);
    expect(model?.distance).toBeLessThan(0.01);
    // Half a metre aside, no beam passes.
    const aside: [number, number, number] = [placeM[0], placeM[1] + 0.5, placeM[2]];
    const { reply: none } = await ask('learn.place', { ...request, placeM: aside });
    expect(none).toMatchObject({ beams: 0, sensorM: null });
  });

  it('before and behind a place counts apart', async () => {
    const placeAt = (x: number): [number, number, number] => [
      originM[0] + x,
      originM[1] + 2,
      originM[2] + 2,
    ];
    const request = { models: [], log: screenLog, windowM: 0.5 };
    const { reply: near } = await ask('learn.place', { ...request, placeM: placeAt(4) });
    const { reply: far } = await ask('learn.place', { ...request, placeM: placeAt(20) });
    expect(near.outcomes[0]).toMatchObject({ before: 0, within: 0 });
    expect(near.outcomes[0]?.behind).toBeGreaterThan(4000);
    expect(far.outcomes[0]).toMatchObject({ behind: 0, within: 0 });
    expect(far.outcomes[0]?.before).toBe(near.outcomes[0]?.behind);
  });
});

interface Row {
  mean: number[];
  covariance: number[];
  permeability: number;
  support: number;
}

/** Vertices of a model without normals, read by the properties that the PLY names. */
function rowsOf(file: string): Row[] {
  const bytes = readFileSync(file);
  const end = bytes.indexOf('end_header\n') + 'end_header\n'.length;
  const lines = bytes.subarray(0, end).toString('latin1').split('\n');
  const count = Number(lines.find((line) => line.startsWith('element vertex '))?.slice(15));
  const sizes: Record<string, number> = { float: 4, uint: 4, ushort: 2, uchar: 1 };
  const properties = lines
    .filter((line) => line.startsWith('property ') && !line.includes('list'))
    .map((line) => line.split(' ').slice(1) as [string, string]);
  const rowBytes = properties.reduce((sum, [type]) => sum + (sizes[type] ?? 0), 0);
  return Array.from({ length: count }, (_, row) => {
    let at = end + row * rowBytes;
    const values: Record<string, number> = {};
    for (const [type, name] of properties) {
      const size = sizes[type] ?? 0;
      values[name] = type === 'float' ? bytes.readFloatLE(at) : bytes.readUIntLE(at, size);
      at += size;
    }
    const of = (names: string[]): number[] => names.map((name) => values[name] ?? NaN);
    return {
      mean: of(['x', 'y', 'z']),
      covariance: of(['xx', 'xy', 'xz', 'yy', 'yz', 'zz'].map((axes) => `covariance_${axes}`)),
      permeability: values['permeability'] ?? NaN,
      support: values['support'] ?? NaN,
    };
  });
}

/** Area of triangles seen from above. */
function levelAreaM2(cornersM: Float32Array): number {
  let sum = 0;
  for (let at = 0; at + 8 < cornersM.length; at += 9) {
    const [ax = 0, ay = 0, , bx = 0, by = 0, , cx = 0, cy = 0] = cornersM.subarray(at, at + 9);
    sum += 0.5 * Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
  }
  return sum;
}
