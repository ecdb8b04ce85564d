// Goodin 2018, section 3.4.2 and figure 7: nine rods before a flat background, seen by a LMS-291 (mode
// `first`, cutoff 1.6 m). Mixed pixels are ranges strictly between rod and background.
import type { SceneInput } from '#contract/documents/scene.ts';
import type { RodsMetrics } from '#contract/host/validation.ts';
import type { ValidationBench } from './bench.ts';
import { above, atLeast, atMost, equal } from './criteria.ts';
import type { Experiment } from './experiment.ts';
import type { Series } from '#domain/charts/chart.ts';
import { section, type Section, type TitledChart } from './section.ts';
import { stationary } from './trajectories.ts';

const rodDistanceM = 0.8;
const rodSpacingM = 0.127;
const thinRadiusM = 0.0125;
const thickRadiusM = 0.0375;
const wallThicknessM = 0.2;
/** Room for the obliqueness of the spot where rods end and the background begins. */
const marginM = 0.01;
/** Backgrounds of figure 7. */
const figureBackgroundsM = [0.6, 2] as const;
const cutoffM = 1.6;
const stepM = 0.02;
const quickStepM = 0.1;

export const rods: Experiment = {
  name: 'rods',
  title: 'Rods and mixed pixels',
  async run(bench, { isQuick, onProgress }) {
    const backgroundsM = backgrounds(isQuick ? quickStepM : stepM);
    const sweep: RodsMetrics[] = [];
    for (const [index, backgroundM] of backgroundsM.entries()) {
      sweep.push((await scanRods(bench, backgroundM)).metrics);
      onProgress((index + 1) / (backgroundsM.length + 2));
    }
    const [near, far] = [
      await scanRods(bench, figureBackgroundsM[0]),
      await scanRods(bench, figureBackgroundsM[1]),
    ];
    return rodsSection(sweep, near, far);
  },
};

function backgrounds(stepM: number): number[] {
  const count = Math.round((2.5 - 0.3) / stepM);
  return Array.from({ length: count + 1 }, (_, n) => Number((0.3 + n * stepM).toFixed(2)));
}

interface RodsScan {
  metrics: RodsMetrics;
  /** Reported points in the sensor's frame. */
  points: [number, number][];
  isMixed: boolean[];
}

async function scanRods(bench: ValidationBench, backgroundM: number): Promise<RodsScan> {
  const sensor = await bench.sensor('lms-291-goodin2018');
  await bench.build(await bench.scene(sceneOf(backgroundM), 1));
  const { columns, result } = await bench.scan({
    sensor,
    trajectory: stationary({ positionM: [0, 0, 0], rotation: [0, 0, 0, 1] }),
    toNs: Math.round(1e9 / sensor.scan.rateHz),
    seed: 1,
    columns: ['range_m', 'azimuth_rad'],
  });
  const points = Array.from(columns.range_m, (rangeM, row): [number, number] => {
    const azimuthRad = columns.azimuth_rad[row] ?? Number.NaN;
    return [rangeM * Math.cos(azimuthRad), rangeM * Math.sin(azimuthRad)];
  });
  const backOfRodsM = rodDistanceM + thickRadiusM + marginM;
  const wallM = rodDistanceM + backgroundM - marginM;
  const isMixed = points.map(([xM]) => xM > backOfRodsM && xM < wallM);
  const mixedPixels = isMixed.filter(Boolean).length;
  return { metrics: { backgroundM, mixedPixels, pulses: result.pulses }, points, isMixed };
}

function sceneOf(backgroundM: number): SceneInput {
  const rod = { kind: 'cylinder', heightM: 2, sides: 64, material: 'grey' } as const;
  const places = Array.from({ length: 9 }, (_, n) => n - 4);
  return {
    materials: { grey: { reflectance: 0.5 } },
    models: {
      thin: { ...rod, radiusM: thinRadiusM },
      thick: { ...rod, radiusM: thickRadiusM },
      background: { kind: 'box', sizeM: [wallThicknessM, 40, 4], material: 'grey' },
    },
    instances: [
      ...places.map((place) => ({
        name: `rod${place + 5}`,
        model: place === 0 ? 'thick' : 'thin',
        class: 'rod',
        positionM: [rodDistanceM, place * rodSpacingM, -1] as [number, number, number],
        onGround: false,
      })),
      {
        name: 'background',
        model: 'background',
        positionM: [rodDistanceM + backgroundM + wallThicknessM / 2, 0, 0],
        onGround: false,
      },
    ],
  };
}

function rodsSection(sweep: RodsMetrics[], near: RodsScan, far: RodsScan): Section {
  const beyond = sweep.filter(({ backgroundM }) => backgroundM >= cutoffM);
  const within = sweep.filter(({ backgroundM }) => backgroundM <= 1.3);
  const fewest = Math.min(...within.map(({ mixedPixels }) => mixedPixels));
  const maxBeyond = Math.max(...beyond.map(({ mixedPixels }) => mixedPixels));
  return section({
    paper: [
      'Goodin 2018, section 3.4.2 (figure 7, after a laboratory experiment): with the background 60 cm behind the row there are mixed pixels; with 2 m there are none. They are present when the offset is less than 1.6 m, the signal cutoff of the LMS-291.',
    ],
    ours: [
      'Nine vertical rods of 25 mm, the middle one of 75 mm (which one is not printed), 12.7 cm apart, in a row 0.80 m before an LMS-291 (asset lms-291-goodin2018, mode first, cutoff 1.6 m); the background is a wall. One scan of 201 pulses for each offset. A pixel is mixed when the reported point lies more than 1 cm behind the thickest rod and more than 1 cm before the background.',
      `At 0.60 m ${near.metrics.mixedPixels} of ${near.metrics.pulses} pixels are mixed, at 2.00 m ${far.metrics.mixedPixels}. Offsets are counted from the axes of the rods.`,
    ],
    charts: [scanPlot(near), scanPlot(far), countChart(sweep)],
    criteria: [
      atLeast('mixed pixels, background at 0.60 m: at least', near.metrics.mixedPixels, 18),
      atMost('mixed pixels, background at 0.60 m: at most', near.metrics.mixedPixels, 23),
      equal('mixed pixels, background at 2.00 m', far.metrics.mixedPixels, 0),
      above('fewest mixed pixels, background at 0.3 to 1.3 m', fewest, 0),
      equal('most mixed pixels, background at 1.60 m and beyond', maxBeyond, 0),
    ],
    metrics: {
      rods: [...sweep, near.metrics, far.metrics]
        .filter(isFirstOfItsPlace)
        .sort((a, b) => a.backgroundM - b.backgroundM),
    },
  });
}

function isFirstOfItsPlace(
  { backgroundM }: RodsMetrics,
  index: number,
  all: readonly RodsMetrics[],
): boolean {
  return all.findIndex((other) => other.backgroundM === backgroundM) === index;
}

function scanPlot({ metrics, points, isMixed }: RodsScan): TitledChart {
  const part = (name: string, colour: string, isWanted: (row: number) => boolean): Series => ({
    name,
    kind: 'points',
    colour,
    data: points.flatMap(([xM, yM], row) => (isWanted(row) ? [[yM, xM] as const] : [])),
  });
  const backgroundM = metrics.backgroundM.toFixed(2);
  return {
    title: `Scan, background ${backgroundM} m behind the rods`,
    x: { name: 'y, to the left of the sensor', unit: 'm', from: -1.5, to: 1.5, isReversed: true },
    y: { name: 'x, ahead of the sensor', unit: 'm', from: 0, to: 3.2 },
    series: [
      part('rods and background', '#3a6ea5', (row) => isMixed[row] !== true),
      part('mixed pixels', '#c8452f', (row) => isMixed[row] === true),
    ],
    isPlan: true,
    caption: `${metrics.mixedPixels} mixed pixels of ${metrics.pulses}.`,
  };
}

function countChart(sweep: readonly RodsMetrics[]): TitledChart {
  return {
    title: 'Mixed pixels by offset of the background',
    x: { name: 'background behind the rods', unit: 'm', from: 0.2, to: 2.6 },
    y: { name: 'mixed pixels of 201', unit: '', from: 0 },
    series: [
      {
        name: 'mixed pixels',
        kind: 'points',
        data: sweep.map(({ backgroundM, mixedPixels }) => [backgroundM, mixedPixels]),
      },
    ],
    marks: [{ axis: 'x', at: cutoffM, label: 'cutoff 1.6 m' }],
  };
}
