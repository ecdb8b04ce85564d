// How learning grows with a log: ten, a hundred, a thousand times 10,000 beams of one site, each model in a fresh worker.
import { throwIfCancelled } from '#contract/errors.ts';
import type { LearnBench } from '#contract/host/bench.ts';
import {
  beamStates,
  logFormatVersion,
  type LogHead,
  type LogTable,
  requiredLogColumns,
} from '#contract/log/log.ts';
import { beamTable } from '#domain/log/beamTable.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { weightedSlope } from '#domain/metrics/lineFit.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { ScratchFiles } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { Machine } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';

export interface LearnBenchPorts {
  launcher: WorkerLauncher;
  logs: Pick<Logs, 'create'>;
  scratch: ScratchFiles;
  machine: Pick<Machine, 'availableMemoryBytes'>;
}

export interface LearnBenchOrder {
  models: readonly LearnBench['models'][number]['model'][];
  /** Beams of the largest log, by the power of ten. */
  maxPower: number;
  threads: number | null;
  isa: LearnBench['isa'] | null;
}

const minPower = 5;
/** Beams written at a time. */
const blockBeams = 65_536;
const maxRangeM = 60;

/** @throws UnderstoryError 'scene-too-large' | 'disk-full' | 'worker-lost' | 'cancelled' */
export async function benchLearn(
  ports: LearnBenchPorts,
  { models, maxPower, threads, isa: wanted }: LearnBenchOrder,
  { signal, progress }: HandlerContext,
): Promise<LearnBench> {
  const powers = Array.from({ length: maxPower - minPower + 1 }, (_, n) => minPower + n);
  const total = powers.length * models.length;
  let isa: LearnBench['isa'] = 'sse4.2';
  let done = 0;
  const logs: LearnBench['models'][number]['logs'][number][][] = models.map(() => []);
  for (const power of powers) {
    await ports.scratch.use('log', async (log) => {
      const beams = 10 ** power;
      await writeSite(ports.logs, log, beams, signal);
      for (const [index, model] of models.entries()) {
        progress({ phase: 'bench', done: done++, total });
        await ports.scratch.use('ply', async (out) => {
          const worker = await ports.launcher.open({ isa: wanted, threads });
          isa = worker.hello.isa;
          try {
            const limit = memoryLimitBytes(ports.machine.availableMemoryBytes());
            const parameters = learnPresets['browning-2012'];
            const request = { logs: [log], out, model, parameters, seed: 1 };
            const { body } = await worker.call(
              'learn.model',
              { ...request, memoryLimitBytes: limit },
              {},
              { signal },
            );
            const { elements, triangles, points, seconds, peakRssBytes } = body;
            const parts = elements + triangles + points;
            logs[index]?.push({ beams, parts, seconds, peakRssMB: peakRssBytes / 1e6 });
          } finally {
            await worker.dispose();
          }
        });
      }
    });
  }
  return {
    isa,
    models: models.map((model, index) => {
      const found = logs[index] ?? [];
      const exponentOf = (valueOf: (log: (typeof found)[number]) => number): number | null =>
        found.length < 2
          ? null
          : weightedSlope(
              found.map((log) => [Math.log(log.beams), Math.log(valueOf(log)), 1] as const),
            );
      return {
        model,
        logs: found,
        law: {
          secondsExponent: exponentOf(({ seconds }) => seconds),
          memoryExponent: exponentOf(({ peakRssMB }) => peakRssMB),
        },
      };
    }),
  };
}

/**
 * The log of a sensor that moves 40 m along x, 2 m above level ground: foliage of 0.4/m from 1 to 4 m beside the path up
 * to 2.5 m above the ground, a wall 8 m away, sky. Free paths are exponential; ranges have 10 mm of noise.
 */
async function writeSite(
  logs: Pick<Logs, 'create'>,
  file: string,
  beams: number,
  signal: AbortSignal,
): Promise<void> {
  const writer = await logs.create(file, siteHead(), { isReplacing: true });
  try {
    for (let from = 0; from < beams; from += blockBeams) {
      throwIfCancelled(signal);
      const count = Math.min(blockBeams, beams - from);
      await writer.write(siteBeams(from, count, beams), count);
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function siteBeams(from: number, count: number, beams: number): LogTable {
  const table = beamTable(count);
  for (let row = 0; row < count; row++) {
    const beam = from + row;
    const [a = 0, b = 0, c = 0, d = 0] = uniforms(1, purposes.learnedForms, 41, beam);
    const [e = 0.5, f = 0.5] = uniforms(1, purposes.learnedForms, 42, beam);
    const azimuthRad = 2 * Math.PI * a - Math.PI;
    const elevationRad = (Math.PI / 180) * (30 * b - 24);
    const level = Math.cos(elevationRad);
    const x = level * Math.cos(azimuthRad);
    const y = level * Math.sin(azimuthRad);
    const z = Math.sin(elevationRad);
    const endM = endOf(Math.abs(y), z, -Math.log(1 - c) / 0.4);
    const noiseM = 0.01 * Math.sqrt(-2 * Math.log(1 - e)) * Math.cos(2 * Math.PI * f);
    const isReturn = endM < maxRangeM;
    table.time_ns[row] = BigInt(beam) * 1000n;
    table.sweep[row] = Math.floor(beam / 100_000);
    table.laser[row] = Math.floor(64 * d);
    table.azimuth_rad[row] = azimuthRad;
    table.state[row] = isReturn ? beamStates.returned : beamStates.miss;
    table.range_m[row] = isReturn ? endM + noiseM : NaN;
    table.intensity[row] = NaN;
    table.origin_x_m[row] = (40 * beam) / beams;
    table.origin_z_m[row] = 2;
    [table.direction_x[row], table.direction_y[row], table.direction_z[row]] = [x, y, z];
  }
  return table;
}

/** Where a beam ends whose direction has these parts beside the path and upwards, after a free path of `freeM` in leaves. */
function endOf(aside: number, up: number, freeM: number): number {
  const groundM = up < 0 ? -2 / up : Infinity;
  const wallM = aside > 0 ? 8 / aside : Infinity;
  const topM = up > 0 ? 0.5 / up : Infinity;
  const leavesFromM = aside > 0 ? 1 / aside : Infinity;
  const leavesToM = Math.min(aside > 0 ? 4 / aside : Infinity, topM, groundM);
  const leafM = leavesFromM + freeM;
  if (leafM < leavesToM) return leafM;
  const isAboveWall = wallM * up > 4;
  return Math.min(groundM, isAboveWall ? Infinity : wallM);
}

function siteHead(): LogHead {
  return {
    format: logFormatVersion,
    understoryVersion: 'bench',
    source: 'scan',
    derived: [],
    originM: [0, 0, 0],
    crs: null,
    columns: [...requiredLogColumns],
    classes: [],
    sensor: {
      name: null,
      lasers: 64,
      elevationsRad: [],
      minM: 0,
      maxM: maxRangeM,
      rangeStepM: null,
      azimuthStepRad: null,
      firingsPerTurn: null,
      turnsPerS: null,
      recipe: null,
    },
    intensityOfWhite: null,
    misses: 'recorded',
    returns: 'strongest',
    cuts: { azimuthDeg: null, rangeM: null, bodyM: null },
  };
}
