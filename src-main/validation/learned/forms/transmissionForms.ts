// Transmission of learned models, against logs whose law is known: screens, foliage of any density in elements of any size,
// foliage before a noisy wall, two sensors of different ranges.
import type { LearnedKind } from '#contract/worker/learnedModel.ts';
import { normals, purposes, uniforms } from '#domain/random/philox.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import type { ValidationBench } from '#validation/bench.ts';
import { about, closedForm, type ClosedForm } from '#validation/closedForm.ts';
import { readElements } from '../elementFile.ts';
import { writeBeams, type PlainBeam } from '../logs.ts';
import { learnedDepth, slabText, type SlabCase } from '../slabs.ts';

type FileOf = (name: string) => string;

const draw = (stream: number, n: number): readonly number[] =>
  uniforms(1, purposes.learnedForms, stream, n);
const noise = (stream: number, n: number): number =>
  normals(2, purposes.learnedForms, stream, n)[0];

/** Models whose parts pass a share of the beams. */
const permeable: readonly LearnedKind[] = ['voxel', 'top-down', 'hybrid', 'permeable-surface'];

/** Where screens stand, on a face of voxels of 0.4 m and in the middle of one, and the share that passes each. */
const screenCases: readonly (readonly [number, number])[] = [
  [10.2, 0.3],
  [10, 0.7],
  [10.2, 0.9],
];

/** A thin screen before a wall: the share that passes it. */
export async function screens(bench: ValidationBench, fileOf: FileOf): Promise<ClosedForm[]> {
  const forms: ClosedForm[] = [];
  const [log, inner] = [fileOf('screen.log'), fileOf('screen-inner.log')];
  for (const [screenM, passes] of screenCases) {
    const beam = (n: number, tangent: number, endM: number): PlainBeam => {
      const [y = 0.5, z = 0.5] = draw(21, n);
      const direction: Vector3 = [1, 2 * tangent * (y - 0.5), 2 * tangent * (z - 0.5)];
      const rangeM = endM * Math.hypot(...direction) + 0.005 * noise(22, n);
      return { originM: [0, 0, 0], direction, rangeM };
    };
    const training = Array.from({ length: 60_000 }, (_, n) =>
      beam(n, 0.17, (draw(23, n)[0] ?? 0.5) < passes ? 20 : screenM),
    );
    // All of them end on the screen: the model has those farther that pass it.
    const test = Array.from({ length: 20_000 }, (_, n) => beam(n + 60_000, 0.12, screenM));
    await writeBeams(bench, log, training);
    await writeBeams(bench, inner, test);
    for (const model of permeable) {
      const out = fileOf(`screen-${model}.ply`);
      await bench.learn({ logs: [log], out, model, seed: 1 });
      const { behind } = await bench.evaluate(out, inner, 1);
      const law = {
        name: `share that passes a screen at ${screenM} m: ${model}`,
        expected: about(passes, 0.02),
        source: 'the share of the log that passed it',
      };
      forms.push(closedForm(law, behind ?? NaN));
    }
  }
  return forms;
}

/** A thin screen without anything behind it, seen from both sides: the share that passes it. */
export async function screenFromBothSides(
  bench: ValidationBench,
  fileOf: FileOf,
): Promise<ClosedForm[]> {
  const passes = 0.7;
  const [log, inner] = [fileOf('sheet.log'), fileOf('sheet-inner.log')];
  const beam = (n: number, tangent: number, isReturn: boolean): PlainBeam => {
    const [y = 0.5, z = 0.5] = draw(28, n);
    const side = n % 2 === 0 ? 1 : -1;
    const direction: Vector3 = [side, 2 * tangent * (y - 0.5), 2 * tangent * (z - 0.5)];
    const rangeM = isReturn ? 10 * Math.hypot(...direction) + 0.02 * noise(29, n) : NaN;
    return { originM: [-10 * side, 0, 0], direction, rangeM };
  };
  const beams = { training: 60_000, test: 20_000 };
  await writeBeams(
    bench,
    log,
    Array.from({ length: beams.training }, (_, n) =>
      beam(n, 0.17, (draw(30, n)[0] ?? 0.5) >= passes),
    ),
  );
  await writeBeams(
    bench,
    inner,
    Array.from({ length: beams.test }, (_, n) => beam(n + beams.training, 0.12, true)),
  );
  const forms: ClosedForm[] = [];
  for (const model of ['top-down', 'hybrid', 'permeable-surface'] as const) {
    const out = fileOf(`sheet-${model}.ply`);
    await bench.learn({ logs: [log], out, model, seed: 1 });
    const { histograms } = await bench.evaluate(out, inner, 1);
    const returned = histograms.otherReturns.reduce((sum, count) => sum + count, 0);
    const law = {
      name: `share that passes a screen seen from both sides: ${model}`,
      expected: about(passes, 0.02),
      source: 'the share of the log that passed it',
    };
    forms.push(closedForm(law, 1 - returned / beams.test));
  }
  return forms;
}

const slabCases: readonly SlabCase[] = [
  ...[0.3, 3].flatMap((depth): SlabCase[] => [
    { depth, wallM: null, model: 'voxel', volume: { voxelM: 0.1 } },
    { depth, wallM: null, model: 'voxel', volume: { voxelM: 0.5 } },
    { depth, wallM: null, model: 'top-down', volume: {} },
    { depth, wallM: null, model: 'hybrid', volume: {} },
    { depth, wallM: null, model: 'permeable-surface', volume: {} },
  ]),
  { depth: 1.2, wallM: 0.035, model: 'hybrid', volume: {} },
  { depth: 1.2, wallM: 0.035, model: 'voxel', volume: { voxelM: 0.2 } },
];

const slabBeams = { training: 100_000, test: 20_000 };

/** Optical depth of slabs. */
export async function depths(bench: ValidationBench, fileOf: FileOf): Promise<ClosedForm[]> {
  const forms: ClosedForm[] = [];
  for (const slab of slabCases) {
    const { depth } = slab;
    const law = {
      name: slabText(slab),
      expected: about(depth, 0.06 * depth),
      source: 'Monsi and Saeki 1953: exp(−G·LAD·L)',
    };
    forms.push(closedForm(law, await learnedDepth(bench, fileOf, slab, slabBeams)));
  }
  return forms;
}

/** An element that ten beams of one log end in, behind the range of the sensor of another log, none of whose beams returns. */
export async function ownRange(bench: ValidationBench, fileOf: FileOf): Promise<ClosedForm> {
  const [far, near, out] = [fileOf('far.log'), fileOf('near.log'), fileOf('ranges.ply')];
  const beam = (n: number, isReturn: boolean): PlainBeam => {
    const [y = 0.5, z = 0.5, x = 0.5] = draw(27, n);
    const originM: Vector3 = [0, 0.2 + 0.1 * (y - 0.5), 0.2 + 0.1 * (z - 0.5)];
    return { originM, direction: [1, 0, 0], rangeM: isReturn ? 8.1 + 0.1 * x : NaN };
  };
  const beams = (isReturn: boolean): PlainBeam[] =>
    Array.from({ length: isReturn ? 10 : 30 }, (_, n) => beam(n, isReturn));
  await writeBeams(bench, far, beams(true), 50);
  await writeBeams(bench, near, beams(false), 6);
  await bench.learn({ logs: [far, near], out, model: 'voxel', seed: 1 });
  const elements = readElements(await bench.files.readBytes(out, 1e8));
  const law = {
    name: 'permeability of an element behind the range of the sensor of another log',
    expected: about(0, 1e-6),
    source: 'beams without a return say nothing of what lies beyond their range',
  };
  return closedForm(law, elements.length === 1 ? (elements[0]?.permeability ?? NaN) : NaN);
}
