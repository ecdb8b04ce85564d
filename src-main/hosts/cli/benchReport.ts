// Tables of the benchmarks, for people.
import type {
  BlensorBench,
  GrowthBench,
  LearnBench,
  MemoryBench,
  NavBench,
  RankSpeed,
  RawPart,
  ScalingBench,
  ScanBench,
} from '#contract/host/bench.ts';
import { countText } from '#domain/shared/formats.ts';
import { tableLines } from './table.ts';

export function scanLines(bench: ScanBench): string[] {
  const { raw, panorama, spread } = bench;
  const best = raw.packings.reduce((a, b) => (b.mraysPerSecond > a.mraysPerSecond ? b : a));
  const rows = [
    { name: `${rawName(raw.part)} (${best.name})`, speed: raw, spread: spread.raw },
    ...(['native', 'worker', 'recorded', 'bothClouds', 'survey'] as const).map((variant) => ({
      name: variant,
      speed: bench[variant],
      spread: spread[variant],
    })),
  ];
  return [
    `${bench.scene}, ${bench.sensor}: ${countText(bench.instancedTriangles)} triangles, ` +
      `${bench.threads} threads, ${bench.isa}; median of ${bench.repeats} x ${bench.simSeconds} s`,
    `built in ${bench.buildSeconds.toFixed(2)} s, first scan after ` +
      `${bench.firstScanSeconds.toFixed(2)} s, ${bench.peakRssMB.toFixed(0)} MB`,
    '',
    ...tableLines(rows, [
      { title: 'variant', value: ({ name }) => name },
      { title: 'Mray/s', value: ({ speed }) => digits(speed.mraysPerSecond, 2), align: 'right' },
      {
        title: 'Mpulse/s',
        value: ({ speed }) =>
          'mpulsesPerSecond' in speed ? digits(speed.mpulsesPerSecond, 3) : '-',
        align: 'right',
      },
      {
        title: 'x real time',
        value: ({ speed }) => digits(speed.realTimeFactor, 2),
        align: 'right',
      },
      {
        title: 'of raw',
        value: ({ speed }) => ('ratioToRaw' in speed ? digits(speed.ratioToRaw, 3) : '1'),
        align: 'right',
      },
      {
        title: 'core-s / sim s',
        value: ({ speed }) => digits(speed.coreSecondsPerSimSecond, 3),
        align: 'right',
      },
      { title: 'spread', value: (row) => `${(100 * row.spread).toFixed(1)} %`, align: 'right' },
      { title: 'hits', value: ({ speed }) => countText(speed.hits), align: 'right' },
    ]),
    '',
    ...(raw.part === 'stationary part' ? [rawNote] : []),
    ...referenceLines(bench),
    `panorama (${panorama.sensor}): ${digits(panorama.ratioToRaw, 3)} of raw, ${digits(panorama.mraysPerSecond, 2)} of ${digits(panorama.rawMraysPerSecond, 2)} Mray/s`,
    `survey: ${digits(bench.survey.ratioToNative, 3)} of native, along ${countText(bench.survey.poses)} poses`,
    '',
    ...tableLines(raw.packings, [
      { title: 'packing of raw', value: ({ name }) => name },
      { title: 'Mray/s', value: (packing) => digits(packing.mraysPerSecond, 2), align: 'right' },
    ]),
  ];
}

const rawNote =
  'raw meets the stationary part of the scene alone; the other rows trace what moves or sways as well';

/** Raw tracing, with the part of the scene that it meets where that is not all. */
function rawName(part: RawPart): string {
  return part === 'whole scene' ? 'raw' : `raw: ${part}`;
}

function referenceLines({ elements, reference, native }: ScanBench): string[] {
  const lines = elements > 0 ? [`${countText(elements)} learned elements and voxels`] : [];
  if (reference === null) return lines;
  const { scene, mpulsesPerSecond, ratio, coreRatio } = reference;
  const rates = `${digits(native.mpulsesPerSecond, 3)} against ${digits(mpulsesPerSecond, 3)} Mpulse/s`;
  const times = `${digits(ratio, 2)} times the pulses of ${scene}`;
  return [...lines, `${times}, ${digits(coreRatio, 2)} times for a core-second (${rates})`];
}

export function navLines(bench: NavBench): string[] {
  const { planMs, serialSecondsPerSimSecond: serial } = bench;
  return entryLines([
    ['scene, sensor', `${bench.scene}, ${bench.sensor}`],
    ['threads', `${bench.threads}, ${bench.isa}`],
    ['simulated', `${bench.simSeconds.toFixed(1)} s in ${bench.wallSeconds.toFixed(1)} s`],
    ['x real time', digits(bench.realTimeFactor, 2)],
    [`${rawName(bench.rawPart)}, x real time`, digits(bench.rawRealTimeFactor, 2)],
    ['of raw', digits(bench.ratioToRaw, 3)],
    ['core-s / sim s', digits(bench.coreSecondsPerSimSecond, 3)],
    [
      'serial s / sim s',
      `run ${digits(serial.runBusy, 3)} (${digits(serial.runCpu, 3)} of a core), ` +
        `host ${digits(serial.hostBusy, 3)} (${digits(serial.hostCpu, 3)}), ` +
        `writer ${digits(serial.writerCpu, 3)}`,
    ],
    ['bytes copied / return', digits(bench.bytesCopiedPerReturn, 1)],
    ['memory', `${bench.peakRssMB.toFixed(0)} MB`],
    [
      'planning',
      `${planMs.plans} plans, median ${digits(planMs.median, 1)} ms, ` +
        `95 % within ${digits(planMs.p95, 1)} ms, at most ${digits(planMs.most, 1)} ms`,
    ],
    ['A*, goal walled in', `${digits(bench.walledInMs, 1)} ms`],
    ['run', bench.runId],
  ]);
}

export function scalingLines(bench: ScalingBench): string[] {
  if (bench.ranks !== undefined) return rankLines(bench, bench.ranks);
  return [
    `${bench.scene}, ${bench.sensor}, ${bench.isa}: native pipeline, median of ${bench.repeats}`,
    '',
    ...tableLines(bench.native, [
      { title: 'threads', value: ({ threads }) => String(threads), align: 'right' },
      { title: 'Mray/s', value: (row) => digits(row.mraysPerSecond, 2), align: 'right' },
      {
        title: 'speed-up',
        value: ({ threads, efficiency }) => digits(threads * efficiency, 2),
        align: 'right',
      },
      {
        title: 'efficiency',
        value: ({ efficiency }) => `${(100 * efficiency).toFixed(1)} %`,
        align: 'right',
      },
    ]),
  ];
}

function rankLines(bench: ScalingBench, ranks: readonly RankSpeed[]): string[] {
  return [
    `${bench.scene}, ${bench.sensor}, ${bench.isa}: MPI ranks of one thread, median of ${bench.repeats}`,
    '',
    ...tableLines(ranks, [
      { title: 'ranks', value: ({ n }) => String(n), align: 'right' },
      { title: 'Mray/s', value: (row) => digits(row.mraysPerSecond, 2), align: 'right' },
      {
        title: 'of as many threads',
        value: ({ ratioToThreads }) => digits(ratioToThreads, 2),
        align: 'right',
      },
    ]),
  ];
}

export function blensorLines(bench: BlensorBench): string[] {
  const { outputs, vertices, triangles, threads, isa, repeats, simSeconds } = bench;
  return [
    `${countText(vertices)} vertices, ${countText(triangles)} triangles, ${threads} threads, ${isa}; ` +
      `median of ${repeats} x ${simSeconds} s`,
    '',
    ...tableLines(outputs, [
      { title: 'output', value: ({ output }) => output },
      {
        title: 'BlenSor, s',
        value: (one) => digits(one.publishedSeconds, 3),
        align: 'right',
      },
      { title: 'scan, s', value: (one) => digits(one.scanSeconds, 3), align: 'right' },
      { title: 'core-s', value: (one) => digits(one.coreSeconds, 3), align: 'right' },
      { title: 'ratio', value: ({ ratio }) => digits(ratio, 0), align: 'right' },
      { title: 'with building, s', value: (one) => digits(one.wholeSeconds, 3), align: 'right' },
      { title: 'rows', value: ({ rows }) => countText(rows), align: 'right' },
    ]),
    '',
    'BlenSor: Gschwandtner 2011, table 1, 237,000 vertices, Core i5 2.53 GHz',
  ];
}

export function growthLines({ scenes, law }: GrowthBench): string[] {
  return [
    ...tableLines(scenes, [
      { title: 'triangles', value: ({ triangles }) => countText(triangles), align: 'right' },
      { title: 'instances', value: ({ instances }) => countText(instances), align: 'right' },
      { title: 'built in s', value: ({ buildSeconds }) => digits(buildSeconds, 1), align: 'right' },
      { title: 'peak MB', value: ({ peakRssMB }) => digits(peakRssMB, 0), align: 'right' },
      { title: 'Mrays/s', value: (scene) => digits(scene.mraysPerSecond, 2), align: 'right' },
    ]),
    '',
    `rays per second grow with the power ${digits(law.raysExponent, 3)} of the triangles, memory with ${digits(law.memoryExponent, 3)}`,
  ];
}

export function learnLines({ models }: LearnBench): string[] {
  const rows = models.flatMap(({ model, logs }) => logs.map((log) => ({ model, ...log })));
  const laws = models.flatMap(({ model, law }) =>
    law.secondsExponent === null || law.memoryExponent === null
      ? []
      : [
          `${model}: seconds grow with the power ${digits(law.secondsExponent, 2)} of the beams, memory with ${digits(law.memoryExponent, 2)}`,
        ],
  );
  return [
    ...tableLines(rows, [
      { title: 'model', value: ({ model }) => model },
      { title: 'beams', value: ({ beams }) => countText(beams), align: 'right' },
      { title: 'parts', value: ({ parts }) => countText(parts), align: 'right' },
      { title: 's', value: ({ seconds }) => digits(seconds, 2), align: 'right' },
      { title: 'peak MB', value: ({ peakRssMB }) => digits(peakRssMB, 0), align: 'right' },
    ]),
    '',
    ...laws,
  ];
}

export function memoryLines(bench: MemoryBench): string[] {
  return [
    ...entryLines([
      ['bytes a unique triangle', digits(bench.bytesPerUniqueTriangle, 0)],
      ['bytes an instance', digits(bench.bytesPerInstance, 0)],
      ['empty worker', `${bench.emptyMB.toFixed(0)} MB`],
    ]),
    '',
    ...tableLines(bench.scenes, [
      {
        title: 'triangles',
        value: ({ uniqueTriangles }) => countText(uniqueTriangles),
        align: 'right',
      },
      { title: 'instances', value: ({ instances }) => countText(instances), align: 'right' },
      { title: 'peak MB', value: ({ peakRssMB }) => peakRssMB.toFixed(0), align: 'right' },
      { title: 'planned MB', value: ({ plannedMB }) => plannedMB.toFixed(0), align: 'right' },
    ]),
  ];
}

function entryLines(entries: [string, string][]): string[] {
  return entries.map(([name, value]) => `${name.padEnd(25)}${value}`);
}

function digits(value: number, count: number): string {
  return value.toFixed(count);
}
