// Models from logs whose law is known: permeability, noise of planes, optical depth, opaque planes.
import type { EvaluateReply } from '#contract/worker/evaluate.ts';
import { learnedKinds, type LearnedKind } from '#contract/worker/learnedModel.ts';
import { normals, purposes, uniforms } from '#domain/random/philox.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { about, closedForm, type ClosedForm } from '#validation/closedForm.ts';
import type { LearnChanges, ValidationBench } from '#validation/bench.ts';
import { below } from '#validation/criteria.ts';
import { formsPart, type Part, type Piece } from '#validation/parts.ts';
import { readElements, type ReadElement } from '../elementFile.ts';
import { withFiles } from '../files.ts';
import { writeBeams, type PlainBeam } from '../logs.ts';
import { depths, ownRange, screens, screenFromBothSides } from './transmissionForms.ts';

type FileOf = (name: string) => string;

const draw = (stream: number, n: number): readonly number[] =>
  uniforms(1, purposes.learnedForms, stream, n);
const noise = (stream: number, n: number): number =>
  normals(2, purposes.learnedForms, stream, n)[0];

export const learningForms: Piece = {
  name: 'learning',
  run: (bench) =>
    withFiles(bench, async (fileOf) => {
      const depth = await slabDepth(bench, fileOf);
      const leaks = await planeLeaks(bench, fileOf);
      const forms = [
        await permeability(bench, fileOf),
        await planeNoise(bench, fileOf),
        depth.owner,
        ...(await screens(bench, fileOf)),
        ...(await screenFromBothSides(bench, fileOf)),
        ...(await depths(bench, fileOf)),
        await ownRange(bench, fileOf),
      ];
      const part: Part = formsPart(
        `Logs of known laws, and what is learned from them. Counted by the papers' rule \`ellipsoid\`, the slab comes out ${depth.ofEllipsoid.toFixed(2)} times as deep as the medium.`,
        forms,
      );
      return { ...part, criteria: [...part.criteria, ...leaks] };
    }),
};

/** Ten beams end in the middle of a voxel, forty pass it. */
async function permeability(bench: ValidationBench, fileOf: FileOf): Promise<ClosedForm> {
  const beam = (n: number, rangeM: number): PlainBeam => {
    const [y = 0.5, z = 0.5] = draw(1, n);
    const originM: Vector3 = [0, 0.2 + 0.05 * (y - 0.5), 0.2 + 0.05 * (z - 0.5)];
    return { originM, direction: [1, 0, 0], rangeM };
  };
  // Within one voxel of 0.4 m.
  const ends = Array.from({ length: 10 }, (_, n) => beam(n, 5.3 + 0.05 * (draw(2, n)[0] ?? 0)));
  const passing = Array.from({ length: 40 }, (_, n) => {
    const [y = 0.5] = draw(3, n);
    const originM: Vector3 = [0, 0.2 + 0.01 * (y - 0.5), 0.2];
    return { originM, direction: [1, 0, 0] as Vector3, rangeM: NaN };
  });
  const elements = await learnElements(bench, fileOf, [...ends, ...passing], 'voxel');
  const [first] = elements;
  const law = {
    name: 'permeability of an element that 40 beams pass and 10 end in',
    expected: about(0.8, 1e-6),
    source: 'Browning 2012, section 3.3.3: N_m/(N_h + N_m)',
  };
  return closedForm(law, elements.length === 1 ? (first?.permeability ?? NaN) : NaN);
}

/** Two planes with noise across them: the least variance of elements is that of the noise. */
async function planeNoise(bench: ValidationBench, fileOf: FileOf): Promise<ClosedForm> {
  const sigmaM = 0.02;
  const beams = [0, 1].flatMap((wall) =>
    Array.from({ length: 20_000 }, (_, n): PlainBeam => {
      const [u = 0.5, v = 0.5] = draw(4 + wall, n);
      const [left, up] = [4 * u - 2, 4 * v - 2];
      const rangeM = 5 + sigmaM * noise(6 + wall, n);
      return wall === 0
        ? { originM: [4, left, up], direction: [1, 0, 0], rangeM }
        : { originM: [left, 4, up], direction: [0, 1, 0], rangeM };
    }),
  );
  // Clusters of thousands: what a fitted plane takes of their degrees of freedom is below a thousandth.
  const elements = await learnElements(bench, fileOf, beams, 'top-down', { stopPoints: 4000 });
  let [squares, points] = [0, 0];
  for (const { covarianceM2, hits, meanM } of elements) {
    const [xx = NaN, , , yy = NaN] = covarianceM2;
    // Each wall is thin along its own axis.
    squares += (meanM[0] > 7 ? xx : yy) * hits;
    points += hits;
  }
  const law = {
    name: 'deviation across flat elements of two planes with noise',
    expected: about(sigmaM, 0.01 * sigmaM, 'm'),
    source: 'maximum likelihood of a normal law',
  };
  const standardError = sigmaM / Math.sqrt(2 * 40_000);
  return closedForm(law, { measured: Math.sqrt(squares / points), standardError });
}

/** Its borders are those of voxels of 0.3 m: a thinner slice would be taken for a surface. */
const slab = { fromM: 4.8, depthM: 1.5, perM: 0.8, beams: 200_000 } as const;

/** Beams of exponential free paths: transmission along the log's own directions. */
async function slabDepth(
  bench: ValidationBench,
  fileOf: FileOf,
): Promise<{ owner: ClosedForm; ofEllipsoid: number }> {
  const beam = (n: number, sideM: number): PlainBeam => {
    const [y = 0.5, z = 0.5, path = 0.5, tilt = 0.5] = draw(8, n);
    const direction: Vector3 = [1, 0.2 * tilt - 0.1, 0.2 * (draw(9, n)[0] ?? 0.5) - 0.1];
    const slant = Math.hypot(...direction);
    const freeM = -Math.log(1 - path) / slab.perM;
    const isReturn = freeM / slant < slab.depthM;
    const rangeM = isReturn ? slab.fromM * slant + freeM : NaN;
    return { originM: [0, sideM * (y - 0.5), sideM * (z - 0.5)], direction, rangeM };
  };
  const log = fileOf('slab.log');
  await writeBeams(
    bench,
    log,
    Array.from({ length: slab.beams }, (_, n) => beam(n, 2.4)),
  );
  // Judged within the slab's borders, where no beam leaves it sideways.
  const inner = fileOf('inner.log');
  await writeBeams(
    bench,
    inner,
    Array.from({ length: 20_000 }, (_, n) => beam(n, 0.6)),
  );
  const depthOf = async (counting: 'owner' | 'ellipsoid'): Promise<number> => {
    const out = fileOf(`slab-${counting}.ply`);
    await bench.learn({
      logs: [log],
      out,
      model: 'voxel',
      seed: 1,
      volume: { counting, voxelM: 0.3, minPoints: 100 },
    });
    return -Math.log(1 - returnedShare(await bench.evaluate(out, inner, 1)));
  };
  const expected = slab.perM * slab.depthM;
  const law = {
    name: 'optical depth of a homogeneous slab in filled voxels, rule owner',
    expected: about(expected, 0.1 * expected),
    source: 'Monsi and Saeki 1953: exp(−G·LAD·L)',
  };
  return {
    owner: closedForm(law, await depthOf('owner')),
    ofEllipsoid: (await depthOf('ellipsoid')) / expected,
  };
}

/** Noise of ranges, and the models learned from such a log. */
const leakingLogs: readonly (readonly [number, readonly LearnedKind[]])[] = [
  [0.01, learnedKinds],
  [0, ['voxel', 'top-down', 'hybrid']],
  [0.05, ['voxel', 'top-down', 'hybrid']],
];

/** A slanted opaque plane: less than 1 % of the beams pass it, in every model. */
async function planeLeaks(bench: ValidationBench, fileOf: FileOf): Promise<Part['criteria']> {
  const fromM: Vector3 = [-6, -8, 1.5];
  const normal: Vector3 = [1, 0.1, 0.2];
  const beam = (stream: number, n: number, sideM: number, noiseM: number): PlainBeam => {
    const [u = 0.5, v = 0.5] = draw(stream, n);
    const [y, z] = [sideM * (u - 0.5), sideM * (v - 0.5)];
    const end: Vector3 = [-(normal[1] * y + normal[2] * z) / normal[0], y, z];
    const direction: Vector3 = [end[0] - fromM[0], end[1] - fromM[1], end[2] - fromM[2]];
    return {
      originM: fromM,
      direction,
      rangeM: Math.hypot(...direction) + noiseM * noise(stream, n),
    };
  };
  const criteria: Part['criteria'] = [];
  for (const [noiseM, models] of leakingLogs) {
    const [log, inner] = [fileOf('plane.log'), fileOf('plane-inner.log')];
    const training = Array.from({ length: 60_000 }, (_, n) => beam(10, n, 4, noiseM));
    const test = Array.from({ length: 20_000 }, (_, n) => beam(11, n, 2, noiseM));
    await writeBeams(bench, log, training);
    await writeBeams(bench, inner, test);
    for (const model of models) {
      const out = fileOf(`plane-${model}.ply`);
      // The plane's 3,750 returns/m² need a wider reach than 1 cm for the nearest point (PHYSICS.md, 4.14).
      const surface = model === 'nearest-neighbors' ? { pointRadiusM: 0.05 } : {};
      await bench.learn({ logs: [log], out, model, seed: 1, surface });
      const passed = 1 - returnedShare(await bench.evaluate(out, inner, 1));
      const of = `${model}, ${1000 * noiseM} mm of noise`;
      criteria.push(below(`share of beams that pass an opaque slanted plane: ${of}`, passed, 0.01));
    }
  }
  return criteria;
}

function returnedShare({ beams, histograms }: EvaluateReply): number {
  return histograms.otherReturns.reduce((sum, count) => sum + count, 0) / beams;
}

async function learnElements(
  bench: ValidationBench,
  fileOf: FileOf,
  beams: readonly PlainBeam[],
  model: 'voxel' | 'top-down',
  volume: LearnChanges['volume'] = {},
): Promise<ReadElement[]> {
  const [log, out] = [fileOf(`${model}.log`), fileOf(`${model}.ply`)];
  await writeBeams(bench, log, beams);
  await bench.learn({ logs: [log], out, model, seed: 1, volume });
  return readElements(await bench.files.readBytes(out, 1e8));
}
