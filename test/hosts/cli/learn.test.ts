// `understory learn` with the real worker: a log of ground, a hedge and sky becomes each of the models; the same bytes on
// any number of threads; refusals.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { logHeadSchema, type LogTable } from '#contract/log/log.ts';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { goldenHead } from '#test/recordings/log/writeGolden.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';

const beams = 30_000;
const folder = temporaryFolder();

/** A linear congruential generator: the log is the same on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Beams of a sensor 2 m above the ground: a hedge of 1 m between 5 and 6 m, of 2 m⁻¹, ground, and sky. */
function site(): LogTable {
  const random = randomNumbers(7);
  const table = {
    time_ns: BigInt64Array.from({ length: beams }, (_, row) => BigInt(row) * 1000n),
    sweep: new Uint32Array(beams),
    laser: new Uint16Array(beams),
    state: new Uint8Array(beams),
    range_m: new Float32Array(beams),
    intensity: new Float32Array(beams),
    azimuth_rad: new Float32Array(beams),
    origin_x_m: new Float64Array(beams),
    origin_y_m: new Float64Array(beams),
    origin_z_m: new Float64Array(beams).fill(2),
    direction_x: new Float32Array(beams),
    direction_y: new Float32Array(beams),
    direction_z: new Float32Array(beams),
    label: new Uint8Array(beams),
  };
  for (let row = 0; row < beams; row++) {
    const y = 8 * random() - 4;
    const [dx, dy, dz] = [1, 0.8 * random() - 0.4, 0.7 * random() - 0.6];
    const size = Math.hypot(dx, dy, dz);
    const [ux, uz] = [dx / size, dz / size];
    const groundM = uz < 0 ? -2 / uz : Infinity;
    const fromM = Math.max(5 / ux, uz < 0 ? -1 / uz : Infinity);
    const freeM = -Math.log(1 - random()) / 2;
    const isHedge = fromM + freeM < Math.min(6 / ux, groundM);
    const rangeM = isHedge ? fromM + freeM : groundM + 0.02 * (random() - 0.5);
    const isReturn = rangeM < 60;
    table.state[row] = isReturn ? 1 : 2;
    table.range_m[row] = isReturn ? rangeM : NaN;
    table.intensity[row] = isReturn ? 100 : NaN;
    table.label[row] = isReturn ? (isHedge ? 2 : 1) : 0;
    table.origin_y_m[row] = y;
    table.direction_x[row] = ux;
    table.direction_y[row] = dy / size;
    table.direction_z[row] = uz;
  }
  return table;
}

interface Learned {
  elements: number;
  triangles: number;
  points: number;
  beams: number;
  misses: number;
  crs: string | null;
  parameters: Record<string, number | string | boolean>;
  hash: string;
  seconds: number;
  peakRssMB: number;
  notes: string[];
}

interface RepliesOf {
  floor: { sweepM: number | null; cloudM: number; log: string | null };
  models: {
    model: string;
    classes: unknown[];
    ranges: { fromM: number; toM: number | null; returns: number }[];
    histograms: { likelihood: number[]; logReturns: number[] };
    beams: number;
    hitsDetected: number;
    missesDetected: number;
    sweepM: number;
    cloudM: number;
    negLogL: number;
  }[];
}

async function learn(model: string, ...args: string[]): Promise<Learned> {
  const out = ['--out', `${model}.ply`, '--force', '--json'];
  const done = await runHere(folder, 'learn', 'site.log', '--model', model, ...out, ...args);
  expect(done.stderr).not.toContain('understory:');
  expect(done.exitCode).toBe(0);
  return JSON.parse(done.stdout) as Learned;
}

/** Writes a log of the beams, in a world of this system. */
async function writeLog(
  name: string,
  table: LogTable,
  crs: string | null = goldenHead.crs,
): Promise<void> {
  const logs = createLogs(createExporters({ dataFolder: null }));
  const head = logHeadSchema.parse({
    ...goldenHead,
    crs,
    cuts: { ...goldenHead.cuts, azimuthDeg: null },
  });
  const writer = await logs.create(join(folder, name), head, { isReplacing: true });
  await writer.write(table, beams);
  await writer.close();
}

beforeAll(() => writeLog('site.log', site()));

describe('compare', () => {
  const compare = async (one: string, other: string): Promise<Record<string, unknown>> => {
    return printedJson<Record<string, unknown>>(folder, 'compare', one, other);
  };

  it('finds a log equal to itself', async () => {
    expect(await compare('site.log', 'site.log')).toMatchObject({
      haveSameBeams: true,
      beams,
      hitsDetected: 1,
      missesDetected: 1,
      behind: 0,
      sweepM: 0,
      cloudM: 0,
      bhattacharyya: null,
    });
  });

  it('takes any source of logs, and finds a cloud beside itself', async () => {
    const cloud = (fromM: number): string =>
      ['time_ns,origin_x,origin_y,origin_z,x,y,z']
        .concat(
          Array.from({ length: 400 }, (_, n) =>
            [n, '0,0,2', fromM, 0.2 * (n % 20), 0.2 * Math.floor(n / 20)].join(','),
          ),
        )
        .join('\n');
    writeFileSync(join(folder, 'one.csv'), cloud(10));
    writeFileSync(join(folder, 'other.csv'), cloud(10.05));
    const found = await compare('one.csv', 'other.csv');
    expect(found).toMatchObject({ haveSameBeams: false, beams: 400, hitsDetected: null });
    expect(found['cloudM']).toBeCloseTo(0.05, 5);
    expect(found['notes']).toEqual([expect.stringContaining('misses are unknown')]);
  });
});

describe('learn', () => {
  it('makes each model of Browning 2012', async () => {
    const voxel = await learn('voxel');
    expect(voxel).toMatchObject({ triangles: 0, points: 0, beams });
    const lost = Number(voxel.parameters['returnsWithoutPart']);
    expect(voxel.notes).toEqual([
      expect.stringContaining(`${lost.toLocaleString('en-US')} returns (`),
    ]);
    expect(lost / (beams - voxel.misses)).toBeLessThan(0.1);
    expect(voxel.elements).toBeGreaterThan(300);
    expect(voxel.misses).toBeGreaterThan(5_000);
    expect(voxel.parameters).toMatchObject({ voxelM: 0.4, minPoints: 5 });
    const topDown = await learn('top-down');
    expect(topDown.elements).toBeGreaterThan(300);
    const surface = await learn('permeable-surface');
    expect(surface.elements).toBe(0);
    expect(surface.triangles).toBeGreaterThan(1_000);
    const points = await learn('nearest-neighbors');
    expect(points.points).toBe(beams - points.misses);
    const hybrid = await learn('hybrid');
    expect(hybrid.elements).toBeGreaterThan(50);
    expect(hybrid.triangles).toBeGreaterThan(500);
    expect(hybrid.parameters['classifierAccuracy']).toBeGreaterThan(0.9);
  });

  it('notes that labels by chance separate nothing', async () => {
    const table = site();
    const random = randomNumbers(3);
    const labels = table.label ?? new Uint8Array(beams);
    table.label = labels.map((label) => (label === 0 ? 0 : random() < 0.5 ? 1 : 2));
    await writeLog('chance.log', table);
    const args = ['--model', 'hybrid', '--out', 'chance.ply', '--json'];
    const { stdout } = await runHere(folder, 'learn', 'chance.log', ...args);
    expect((JSON.parse(stdout) as Learned).notes.join()).toContain('by chance');
  });

  it('has the coordinate reference system of its logs, which is one', async () => {
    const { crs } = await learn('voxel');
    expect(crs).toBe('EPSG:32632');
    const [file = ''] = readFileSync(join(folder, 'voxel.ply'), 'latin1').split('end_header');
    const parts = [...file.matchAll(/^comment json (.*)$/gm)].map(([, part]) => part).join('');
    expect(JSON.parse(parts)).toMatchObject({ crs, originM: goldenHead.originM });

    const scene = {
      origin: goldenHead.originM,
      crs: 'EPSG:32633',
      materials: { soil: { reflectance: 0.25 } },
      models: { site: { kind: 'learned', file: 'voxel.ply', material: 'soil' } },
      instances: [{ name: 'site', model: 'site', positionM: [0, 0, 0], onGround: false }],
    };
    const document = { understory: 2, name: 'placed', scene };
    const placed = join(folder, 'placed.understory.yaml');
    writeFileSync(placed, JSON.stringify(document));
    const check = await runHere(folder, 'scenario', 'check', placed);
    expect(check.exitCode, check.stderr).toBe(0);
    expect(check.stdout + check.stderr).toContain(
      'scene.models.site: learned in EPSG:32632; the scene is in EPSG:32633',
    );

    await writeLog('unstated.log', site(), null);
    await writeLog('elsewhere.log', site(), 'EPSG:32633');
    expect((await learn('voxel', 'unstated.log')).crs).toBe('EPSG:32632');
    const out = ['--model', 'voxel', '--out', 'both.ply'];
    const both = await runHere(folder, 'learn', 'site.log', 'elsewhere.log', ...out);
    expect(both.exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(both.stderr).toContain(
      'expected logs of one coordinate reference system, found EPSG:32632 and EPSG:32633',
    );
    expect(existsSync(join(folder, 'both.ply'))).toBe(false);

    const evaluate = ['learn', 'evaluate', 'voxel.ply', '--json', '--log'];
    const other = await runHere(folder, ...evaluate, 'elsewhere.log');
    expect(other.exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(other.stderr).toContain('expected models and logs of one coordinate reference system');
    await ran(folder, ...evaluate, 'unstated.log');
    const compared = await runHere(folder, 'compare', 'site.log', 'elsewhere.log', '--json');
    expect(JSON.parse(compared.stdout)).toMatchObject({
      notes: ['the logs are in EPSG:32632 and in EPSG:32633, and nothing is projected'],
    });
  });

  it('gives the same bytes on one thread and on three', async () => {
    const { hash } = await learn('hybrid', '--seed', '5', '--threads', '1');
    const bytes = readFileSync(join(folder, 'hybrid.ply'));
    expect((await learn('hybrid', '--seed', '5', '--threads', '3')).hash).toBe(hash);
    expect(readFileSync(join(folder, 'hybrid.ply')).equals(bytes)).toBe(true);
  });

  it('chooses the voxel size by held-out likelihood', async () => {
    const { parameters } = await learn('voxel', '--voxel', 'auto');
    expect(parameters['choosesVoxel']).toBe(true);
    expect([0.15, 0.2, 0.3, 0.4, 0.6, 1]).toContain(parameters['voxelM']);
  });

  it('takes parameters, and presets as they were published', async () => {
    const { parameters } = await learn(
      'top-down',
      '--preset',
      'deschaud-2012',
      '--stop-points',
      '60',
    );
    expect(parameters).toMatchObject({ means: 2, stopPoints: 60 });
    const refused = await runHere(
      folder,
      ...['learn', 'site.log', '--model', 'voxel', '--out', 'a.ply', '--voxel', '-1'],
    );
    expect(refused.exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(refused.stderr).toContain('parameters.volume.voxelM');
  });

  it('refuses parameters that the kind does not use', async () => {
    const args = ['--model', 'surface', '--out', 'unused.ply', '--voxel', '0.3', '--grid', '0.3'];
    const { exitCode, stderr } = await runHere(folder, 'learn', 'site.log', ...args);
    expect(exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(stderr).toContain("parameters.volume.voxelM: expected a parameter that 'surface' uses");
    expect(stderr).not.toContain('gridM');
    expect(existsSync(join(folder, 'unused.ply'))).toBe(false);
  });

  it('evaluates models against a log', async () => {
    for (const model of ['voxel', 'surface', 'permeable-surface']) await learn(model);
    const files = ['voxel.ply', 'surface.ply', 'permeable-surface.ply'];
    const args = ['learn', 'evaluate', ...files, '--log', 'site.log', '--json'];
    const stdout = await ran(folder, ...args);
    const { models } = JSON.parse(stdout) as RepliesOf;
    const [voxel, surface, permeable] = models;
    expect(models.map(({ model }) => model)).toEqual(files.map((file) => file.slice(0, -4)));
    // The orderings of Browning 2012: a surface that nothing passes returns most and misses least.
    expect(surface?.hitsDetected).toBeGreaterThan(permeable?.hitsDetected ?? 1);
    expect(surface?.missesDetected).toBeLessThanOrEqual(permeable?.missesDetected ?? 0);
    expect(voxel?.negLogL).toBeLessThan(surface?.negLogL ?? 0);
    // The log is one sweep.
    expect(voxel?.sweepM).toBe(voxel?.cloudM);
    expect(voxel?.cloudM).toBeGreaterThan(0);
    expect(voxel?.beams).toBe(beams);
  });

  it('states metrics by range, and what reality differs by from itself', async () => {
    await learn('voxel');
    const args = ['learn', 'evaluate', 'voxel.ply', '--log', 'site.log', '--json'];
    const { models, floor } = JSON.parse((await runHere(folder, ...args)).stdout) as RepliesOf;
    const [voxel] = models;
    const sum = (counts: number[] = []): number => counts.reduce((total, each) => total + each, 0);
    expect(sum(voxel?.ranges.map(({ returns }) => returns))).toBe(
      sum(voxel?.histograms.logReturns),
    );
    expect(sum(voxel?.histograms.likelihood)).toBe(beams);
    // Beams of one sweep: every other one against the rest, no two sweeps.
    expect(floor.log).toBeNull();
    expect(floor.sweepM).toBeNull();
    expect(floor.cloudM).toBeGreaterThan(0);
    expect(floor.cloudM).toBeLessThan(voxel?.cloudM ?? 0);
    const second = await runHere(folder, ...args, '--floor', 'site.log');
    expect((JSON.parse(second.stdout) as RepliesOf).floor).toMatchObject({
      hitsDetected: 1,
      missesDetected: 1,
      sweepM: 0,
      cloudM: 0,
    });
  });

  it('prints a table and writes a page that needs nothing else', async () => {
    for (const model of ['voxel', 'hybrid']) await learn(model);
    const args = ['voxel.ply', 'hybrid.ply', '--log', 'site.log', '--html', 'page.html'];
    const { exitCode, stdout, stderr } = await runHere(folder, 'learn', 'evaluate', ...args);
    expect(exitCode).toBe(0);
    // The site is seen from many places.
    expect(stderr).toContain('Bhattacharyya –: the sensor moved');
    for (const text of ['hits %', 'voxel', 'hybrid', 'floor: sweeps', '5 to 10 m']) {
      expect(stdout).toContain(text);
    }
    const page = readFileSync(join(folder, 'page.html'), 'utf8');
    for (const text of ['Ranges of reality', 'Likelihood of the beams', 'hybrid from above']) {
      expect(page).toContain(text);
    }
    expect(page.split('<svg').length - 1).toBe(5);
    // A model has one colour: in the legends of ranges and of likelihoods.
    expect(page.match(/<i style="background:#009e73"><\/i>hybrid/g)).toHaveLength(2);
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
    expect(page.replace(/base64,[\w+/=]*/g, '')).not.toMatch(/NaN|undefined|Infinity/);
    const again = await runHere(folder, 'learn', 'evaluate', ...args);
    expect(again.exitCode).toBe(exitCodeOfCode('bad-input'));
  });

  it('refuses to evaluate into a file that it reads', async () => {
    await learn('voxel');
    for (const name of ['voxel.ply', 'site.log', './site.log']) {
      const before = readFileSync(join(folder, name));
      const args = ['--log', 'site.log', '--html', name, '--force'];
      const refused = await runHere(folder, 'learn', 'evaluate', 'voxel.ply', ...args);
      expect(refused.exitCode).toBe(exitCodeOfCode('bad-input'));
      expect(refused.stderr).toContain('is read by this very work');
      expect(readFileSync(join(folder, name)).equals(before)).toBe(true);
    }
  });

  it('refuses a file that is no log, and leaves nothing', async () => {
    writeFileSync(
      join(folder, 'broken.log'),
      readFileSync(join(folder, 'site.log')).subarray(0, 999),
    );
    const args = ['--model', 'voxel', '--out', 'none.ply'];
    const broken = await runHere(folder, 'learn', 'broken.log', ...args);
    expect(broken.exitCode).toBe(exitCodeOfCode('corrupt'));
    expect(broken.stderr).toContain('broken.log was cut off');
    const missing = await runHere(folder, 'learn', 'missing.log', ...args);
    expect(missing.exitCode).toBe(exitCodeOfCode('not-found'));
    expect(existsSync(join(folder, 'none.ply'))).toBe(false);
    const there = await runHere(folder, 'learn', 'site.log', ...args.slice(0, 3), 'voxel.ply');
    expect(there.exitCode).toBe(exitCodeOfCode('bad-input'));
  });
});
