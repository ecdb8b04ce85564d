// Deschaud 2012, table I, and Browning 2012, table 3: six targets 8 m from a sensor at rest; a fifth of the data trains a
// surface and a volumetric model, whose histograms of ranges are compared with those of the rest.
import type { LearnedStaticMetrics } from '#contract/host/validation.ts';
import { volumeClasses } from '#domain/log/simulatedLog.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { below } from '../criteria.ts';
import type { Experiment } from '../experiment.ts';
import { section, type Section } from '../section.ts';
import { stationary } from '../trajectories.ts';
import { withFiles } from './files.ts';
import { recordLog } from './logs.ts';

/** Where the sensor looks at each target of assets/validation/targets, from 1.8 m above the origin. */
const targets = [
  { target: 'plane', yawDeg: 0, pitchDeg: 0 },
  { target: 'tree-high', yawDeg: 60, pitchDeg: -6 },
  { target: 'tree-medium', yawDeg: 120, pitchDeg: -6 },
  { target: 'tree-low', yawDeg: 180, pitchDeg: -6 },
  { target: 'tall-grass', yawDeg: 240, pitchDeg: 8 },
  { target: 'short-grass', yawDeg: 300, pitchDeg: 12.7 },
] as const;
const sensorHeightM = 1.8;

/** Sweeps: ranges of each laser at each azimuth. */
const trainingSweeps = 300;
const testSweeps = 1200;

/** Printed by both papers. */
const published: Record<(typeof targets)[number]['target'], readonly [number, number]> = {
  plane: [0.019, 0.068],
  'tree-high': [0.111, 0.074],
  'tree-medium': [0.896, 0.125],
  'tree-low': [0.622, 0.054],
  'tall-grass': [0.888, 0.095],
  'short-grass': [1.229, 0.091],
};

export const learnedStatic: Experiment = {
  name: 'learned-static',
  title: 'Learned models: static targets',
  isFullOnly: true,
  async run(bench, { onProgress }) {
    const { compiled, heights } = await bench.validationScenario('targets');
    const sensor = compiled.sensors[0]?.recipe;
    if (sensor === undefined) throw new RangeError('the scenario of the targets has no sensor');
    await bench.build({ recipe: compiled.recipe, heights });
    const found: LearnedStaticMetrics[] = [];
    for (const { target, yawDeg, pitchDeg } of targets) {
      found.push(
        await withFiles(bench, async (fileOf) => {
          const record = async (name: string, sweeps: number, seed: number): Promise<string> => {
            const file = fileOf(name);
            const rotation = rotationFromDegrees(yawDeg, pitchDeg, 0);
            await recordLog(bench, {
              file,
              sensor,
              seed,
              classes: compiled.recipe.classes,
              trajectory: stationary({ positionM: [0, 0, sensorHeightM], rotation }),
              toNs: Math.round((sweeps / sensor.scan.rateHz) * 1e9),
              volumes: volumeClasses(compiled),
            });
            return file;
          };
          const training = await record('training.log', trainingSweeps, 1);
          const test = await record('test.log', testSweeps, 2);
          const second = await record('second.log', testSweeps, 3);
          const floor = (await bench.compare([test, second])).bhattacharyya ?? NaN;
          const judged = async (model: 'surface' | 'voxel'): Promise<number> => {
            const out = fileOf(`${model}.ply`);
            const logs = [training];
            await bench.learn({ logs, out, model, seed: 1, preset: 'deschaud-2012' });
            return (await bench.evaluate(out, test, 1)).bhattacharyya ?? Infinity;
          };
          return {
            target,
            surface: await judged('surface'),
            volumetric: await judged('voxel'),
            floor,
          };
        }),
      );
      onProgress(found.length / targets.length);
    }
    return staticSection(found);
  },
};

function staticSection(found: LearnedStaticMetrics[]): Section {
  const text = (value: number): string => value.toFixed(3);
  return section({
    paper: [
      'Deschaud 2012, table I, Browning 2012, table 3: the surface model has the smaller Bhattacharyya distance on the plane, the volumetric model on the three trees and the two kinds of grass.',
    ],
    ours: [
      `Six targets 8 m from a sensor at rest (assets/validation/targets): eight lasers, 56 azimuths of 0.09°, one random ray a pulse, an encoder, 5 mm of noise, a detection limit. ${trainingSweeps} ranges of each laser and azimuth train, ${testSweeps} test. Parameters are those of Deschaud 2012: voxels of 5 cm, τ = 2, a grid of 1 cm with a kernel of 4 cm, the counting rule of the papers. Plants do not move.`,
      'Histograms have bins of 0.09° and 2 mm and one bin for no return, with equal numbers in each column; the sum over all lasers and azimuths is 1. The floor is the distance of two real logs with as many ranges.',
    ],
    tables: [
      {
        title: 'Bhattacharyya distances',
        columns: [
          'target',
          'surface',
          'volumetric',
          'floor',
          'surface, paper',
          'volumetric, paper',
        ],
        rows: found.map(({ target, surface, volumetric, floor }) => {
          const [ofSurface, ofVolume] = published[target as keyof typeof published];
          return [target, ...[surface, volumetric, floor, ofSurface, ofVolume].map(text)];
        }),
      },
    ],
    criteria: found.map(({ target, surface, volumetric }) =>
      target === 'plane'
        ? below('plane: surface below volumetric', surface, volumetric)
        : below(`${target}: volumetric below surface`, volumetric, surface),
    ),
    metrics: { learned: { static: found } },
  });
}
