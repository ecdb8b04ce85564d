// Metrics of logs and models against closed forms: histograms, clouds, likelihoods.
import { radians } from '#domain/shared/numbers.ts';
import type { ValidationBench } from '#validation/bench.ts';
import { about, closedForm, shareForm, type ClosedForm } from '#validation/closedForm.ts';
import { formsPart, type Piece } from '#validation/parts.ts';
import { elementFile } from '../elementFile.ts';
import { plainMaxM, writeBeams, type PlainBeam } from '../logs.ts';
import { withFiles } from '../files.ts';

const apartM = 0.037;
const perBin = 40;

export const metricForms: Piece = {
  name: 'metrics',
  run: (bench) =>
    withFiles(bench, async (fileOf) => {
      const [one, other] = [fileOf('one.log'), fileOf('other.log')];
      // Columns with 80 beams each: half of the first log's returns 2 mm farther, then equal columns without returns.
      await writeBeams(bench, one, [...column(0, 2), ...column(0, 2.002), ...sky(1)]);
      await writeBeams(bench, other, [...column(0, 2), ...column(0, 2), ...sky(1)]);
      const { bhattacharyya } = await bench.compare([one, other]);
      await writeBeams(bench, one, plane(5));
      await writeBeams(bench, other, plane(5 + apartM));
      const { cloudM } = await bench.compare([one, other]);
      return formsPart(
        'Metrics of logs that are written beam by beam, and of a model with one element.',
        [
          closedForm(
            {
              name: 'Bhattacharyya distance of two known histograms',
              expected: about(-Math.log(0.5 * Math.sqrt(0.5) + 0.5), 1e-9),
              source: 'Browning 2012, eq. 14',
            },
            bhattacharyya ?? NaN,
          ),
          closedForm(
            {
              name: 'D_pp of a plane and the same plane beside it',
              expected: about(apartM, 1e-5, 'm'),
              source: 'Browning 2012, eq. 15 and 16: every point has its partner',
            },
            cloudM ?? NaN,
          ),
          ...(await modelForms(bench, fileOf)),
        ],
      );
    }),
};

/** One element that every beam pierces. */
async function modelForms(
  bench: ValidationBench,
  fileOf: (name: string) => string,
): Promise<ClosedForm[]> {
  const [sigmaM, passes, meanM] = [0.1, 0.25, 5];
  const model = fileOf('element.ply');
  await bench.files.writeBytes(
    model,
    elementFile([{ meanM: [meanM, 0, 0], sigmaM, permeability: passes, support: 50 }]),
  );
  const log = fileOf('beams.log');
  const rangeM = 5.05;
  await writeBeams(bench, log, [along(rangeM), along(NaN)]);
  const { negLogL } = await bench.evaluate(model, log, 1);
  const z = (rangeM - meanM) / sigmaM;
  const density = Math.exp((-z * z) / 2) / (sigmaM * Math.sqrt(2 * Math.PI)) / 1000;
  const floored = (p: number, p0: number): number => -Math.log(0.99 * p + 0.01 * p0);
  const expected =
    (floored((1 - passes) * density, 0.5 / (1000 * plainMaxM)) + floored(passes, 0.5)) / 2;
  const count = 40_000;
  await writeBeams(
    bench,
    log,
    Array.from({ length: count }, () => along(NaN)),
  );
  const drawn = await bench.evaluate(model, log, 1);
  return [
    closedForm(
      {
        name: 'mean −ln likelihood of a return and a miss of one element',
        expected: about(expected, 1e-4),
        source: 'Browning 2012, eq. 18 to 24, with the floor of PHYSICS.md, 2.5',
      },
      negLogL ?? NaN,
    ),
    closedForm(
      { name: 'misses detected of an element that a quarter passes', source: 'Bernoulli' },
      shareForm(Math.round((drawn.missesDetected ?? NaN) * count), count, passes),
    ),
  ];
}

function along(rangeM: number): PlainBeam {
  return { originM: [0, 0, 0], direction: [1, 0, 0], rangeM };
}

/** Beams of one laser at one azimuth. */
function column(laser: number, rangeM: number): PlainBeam[] {
  return Array.from({ length: perBin }, () => ({
    ...along(rangeM),
    laser,
    azimuthRad: radians(10.08),
  }));
}

function sky(laser: number): PlainBeam[] {
  return [...column(laser, NaN), ...column(laser, NaN)];
}

/** A grid of 0.1 m across x. */
function plane(xM: number): PlainBeam[] {
  return Array.from({ length: 441 }, (_, n) => {
    const direction: [number, number, number] = [
      xM,
      0.1 * ((n % 21) - 10),
      0.1 * (Math.floor(n / 21) - 10),
    ];
    return { originM: [0, 0, 0], direction, rangeM: Math.hypot(...direction) };
  });
}
