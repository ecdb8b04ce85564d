// `understory bench` with the real worker on the clearing: what it writes, and that every variant of scanning
// saw the same rays. How fast it is depends on the machine and is asserted nowhere.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  BlensorBench,
  MemoryBench,
  NavBench,
  ScalingBench,
  ScanBench,
} from '#contract/host/bench.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import type { HostBench } from '#hosts/cli/hostBench.ts';
import { ran, runHere } from '#test/support/commandLine.ts';

const clearing = ['--scene', 'clearing', '--sensor', 'vlp-16'];

function readJson<T>(folder: string, name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
}

describe('bench scan', () => {
  it('sees the same rays raw, native, handed over, recorded and surveyed, and leaves no file behind', async () => {
    const folder = temporaryFolder();
    const stdout = await ran(
      folder,
      ...['bench', 'scan', ...clearing, '--seconds', '0.2', '--repeats', '2', '--json', 'a.json'],
    );
    const bench = readJson<ScanBench>(folder, 'a.json');
    expect(Object.keys(bench)).toEqual(
      expect.arrayContaining(
        'scene sensor threads isa instancedTriangles buildSeconds firstScanSeconds peakRssMB'.split(
          ' ',
        ),
      ),
    );
    expect(bench).toMatchObject({ scene: 'clearing', sensor: 'vlp-16', repeats: 2 });
    const { raw } = bench;
    expect(raw.hits).toBeGreaterThan(0);
    for (const variant of ['native', 'worker', 'recorded', 'bothClouds'] as const) {
      expect(bench[variant].hits, variant).toBe(raw.hits);
      expect(bench[variant].directionHash, variant).toBe(raw.directionHash);
      expect(Object.keys(bench[variant]).sort()).toEqual(
        [
          'coreSecondsPerSimSecond',
          'directionHash',
          'hits',
          'mpulsesPerSecond',
          'mraysPerSecond',
          'ratioToRaw',
          'realTimeFactor',
          ...('bytesPerReturn' in bench[variant] ? ['bytesPerReturn'] : []),
        ].sort(),
      );
      // Nine rays a pulse, and a rate is a rate: 16 lasers every 55.296 µs.
      const { mraysPerSecond, mpulsesPerSecond, realTimeFactor } = bench[variant];
      expect(mraysPerSecond / mpulsesPerSecond).toBeCloseTo(9, 6);
      expect(mpulsesPerSecond / realTimeFactor).toBeCloseTo(
        (16e-6 * Math.ceil(0.2 / 55.296e-6)) / 0.2,
        6,
      );
    }
    // A firing of the VLP-16 every 55.296 µs, the end of the interval included; rounded poses move no ray to another hit.
    const { panorama, survey } = bench;
    expect(panorama.sensor).toBe('vz-400i');
    expect(panorama.directionHash).toBe(panorama.rawDirectionHash);
    expect(panorama.hits).toBe(panorama.rawHits);
    expect(panorama.hits).toBeGreaterThan(0);
    expect(Math.abs(survey.poses - 0.2 / 55.296e-6)).toBeLessThan(3);
    expect(Math.abs(survey.hits - raw.hits)).toBeLessThanOrEqual(1e-5 * raw.hits);
    expect(survey.directionHash).toMatch(/^[0-9a-f]+$/);
    expect(survey.mraysPerSecond / survey.mpulsesPerSecond).toBeCloseTo(9, 6);
    expect(survey.ratioToNative).toBeGreaterThan(0);
    // Coordinates and intensity of a point, of which two bytes may repeat; more than them and time, less than two clouds.
    const ofDriver = bench.bothClouds.bytesPerReturn - bench.recorded.bytesPerReturn;
    expect(ofDriver).toBeGreaterThan(12);
    expect(ofDriver).toBeLessThan(25);
    const names = raw.packings.map(({ name }) => name);
    expect(names).toContain('single');
    expect(new Set(names).size).toBeGreaterThanOrEqual(4);
    expect(raw.mraysPerSecond).toBe(Math.max(...raw.packings.map((each) => each.mraysPerSecond)));
    expect(stdout).toContain('recorded');
    expect(readdirSync(join(folder, 'data', 'scratch'))).toEqual([]);
  });

  it('starts at the given time', async () => {
    const folder = temporaryFolder();
    const scan = (pose: string, name: string) =>
      runHere(
        folder,
        ...['bench', 'scan', ...clearing, '--seconds', '0.1', '--repeats', '1'],
        ...['--pose', pose, '--json', name],
      );
    expect((await scan('0,5,1.5,90', 'a.json')).exitCode).toBe(0);
    expect((await scan('0,5,1.5,0', 'b.json')).exitCode).toBe(0);
    const [a, b] = ['a.json', 'b.json'].map((name) => readJson<ScanBench>(folder, name));
    expect(a?.raw.directionHash).not.toBe(b?.raw.directionHash);
  });

  it('refuses a scenario without a mission and without a pose', async () => {
    const finished = await runHere(temporaryFolder(), 'bench', 'scan', '--scene', 'box');
    expect(finished.exitCode).toBe(2);
    expect(finished.stderr).toContain('pose: ');
  });
});

it('bench host measures every operation of a page, and leaves no run', async () => {
  const folder = temporaryFolder();
  const order = ['--scene', 'clearing', '--sensor', 'vlp-16', '--seconds', '0.3'];
  const stdout = await ran(folder, 'bench', 'host', ...order, '--json', 'h.json');
  const { operations, longestTaskMs } = readJson<HostBench>(folder, 'h.json');
  const names = operations.map(({ name }) => name);
  for (const word of ['open', 'edit', 'drive', 'list', 'show', 'tag', 'export', 'delete']) {
    expect(names.some((name) => name.includes(word))).toBe(true);
  }
  expect(Math.max(...operations.map((one) => one.longestTaskMs))).toBe(longestTaskMs);
  expect(longestTaskMs).toBeGreaterThan(0);
  expect(stdout).toContain("longest task of the host's thread");
  const { stdout: runs } = await runHere(folder, 'runs', 'list', '--json', '--quiet');
  expect(JSON.parse(runs)).toEqual([]);
});

it('bench nav drives, and traces rays of that drive raw', async () => {
  const folder = temporaryFolder();
  await ran(folder, ...['bench', 'nav', ...clearing, '--seconds', '1', '--json', 'nav.json']);
  const bench = readJson<NavBench>(folder, 'nav.json');
  expect(bench).toMatchObject({ scene: 'clearing', sensor: 'vlp-16', simSeconds: 1 });
  expect(bench.ratioToRaw).toBeCloseTo(bench.realTimeFactor / bench.rawRealTimeFactor, 9);
  expect(bench.planMs.plans).toBeGreaterThan(0);
  expect(bench.planMs.p95).toBeGreaterThanOrEqual(bench.planMs.median);
  expect(bench.walledInMs).toBeGreaterThan(0);
  expect(bench.coreSecondsPerSimSecond).toBeGreaterThan(0);
  const { runBusy, runCpu, hostBusy, hostCpu, writerCpu } = bench.serialSecondsPerSimSecond;
  for (const seconds of [runBusy, runCpu, hostBusy, hostCpu, writerCpu]) {
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(bench.coreSecondsPerSimSecond + bench.wallSeconds);
  }
  // Bytes that the worker sends are written once and read once.
  expect(bench.bytesCopiedPerReturn).toBeGreaterThan(2);
  const { stdout } = await runHere(folder, 'runs', 'show', bench.runId);
  expect(stdout).toContain('finished: seconds');
});

it('bench scaling measures one thread first, and every further one', async () => {
  const folder = temporaryFolder();
  await ran(
    folder,
    ...['bench', 'scaling', ...clearing, '--threads', '2', '--seconds', '0.1', '--repeats', '1'],
    ...['--json', 'scaling.json'],
  );
  const { native } = readJson<ScalingBench>(folder, 'scaling.json');
  expect(native.map(({ threads }) => threads)).toEqual([1, 2]);
  expect(native[0]?.efficiency).toBe(1);
});

it('bench memory finds what a triangle and an instance take', async () => {
  const folder = temporaryFolder();
  await ran(folder, 'bench', 'memory', '--json', 'memory.json');
  const bench = readJson<MemoryBench>(folder, 'memory.json');
  // Three indices of 4 bytes and half a vertex of 12 are the least that a triangle takes; an instance has
  // a transform of 12 floats at least.
  expect(bench.bytesPerUniqueTriangle).toBeGreaterThan(18);
  expect(bench.bytesPerInstance).toBeGreaterThan(48);
  expect(bench.scenes.length).toBeGreaterThanOrEqual(6);
});

describe('bench compare', () => {
  it('sets the metrics of two files side by side', async () => {
    const folder = temporaryFolder();
    const packings = [{ name: 'single', mraysPerSecond: 2 }];
    writeFileSync(join(folder, 'a.json'), JSON.stringify({ raw: { packings }, onlyA: 1, zero: 0 }));
    packings[0] = { name: 'single', mraysPerSecond: 3 };
    writeFileSync(join(folder, 'b.json'), JSON.stringify({ raw: { packings }, zero: 0 }));
    const stdout = await ran(folder, 'bench', 'compare', 'a.json', 'b.json');
    expect(stdout).toMatch(/raw\.packings\.single\.mraysPerSecond +2 +3 +1\.500\n/);
    expect(stdout).toMatch(/zero +0 +0 +-\n/);
    expect(stdout).not.toContain('onlyA');
  });

  it('says which file is missing, or is no JSON', async () => {
    const folder = temporaryFolder({ 'a.json': 'no' });
    expect((await runHere(folder, 'bench', 'compare', 'a.json', 'a.json')).exitCode).toBe(2);
    expect((await runHere(folder, 'bench', 'compare', 'b.json', 'a.json')).exitCode).toBe(4);
  });
});

it('bench blensor times the four outputs of table 1 in a scene of as many vertices', async () => {
  const folder = temporaryFolder();
  const stdout = await ran(folder, 'bench', 'blensor', '--repeats', '1', '--json', 'b.json');
  const bench = readJson<BlensorBench>(folder, 'b.json');
  expect(Math.abs(bench.vertices / 237_000 - 1)).toBeLessThan(0.01);
  expect(bench.outputs.map(({ publishedSeconds }) => publishedSeconds)).toEqual([
    8.462, 4.943, 5.29, 11.721,
  ]);
  for (const { rows, scanSeconds, wholeSeconds, publishedSeconds, ratio } of bench.outputs) {
    expect(rows).toBeGreaterThan(1000);
    expect(wholeSeconds).toBeGreaterThan(scanSeconds);
    expect(ratio).toBeCloseTo(publishedSeconds / scanSeconds, 9);
  }
  expect(stdout).toContain('Ibeo LUX');
});
