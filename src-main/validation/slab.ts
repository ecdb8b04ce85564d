// How far light gets into leaves: the share of rays that cross a slab of randomly placed, randomly turned
// leaves against the law of Beer and Lambert, exp(−G·LAD·L) (Monsi and Saeki 1953), which is exact for
// centres of a Poisson process.
import type { SceneInput } from '#contract/documents/scene.ts';
import type { SlabMetrics } from '#contract/host/validation.ts';
import { rotate, type Quaternion } from '#domain/shared/pose.ts';
import { mean, standardError } from '#domain/shared/statistics.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import type { Scene } from '#services/scans/sceneWork.ts';
import type { ValidationBench } from './bench.ts';
import { within } from './criteria.ts';
import type { Experiment } from './experiment.ts';
import { withLeaves, type Placed } from './scenes.ts';
import { section, type Picture, type Section } from './section.ts';
import { raster } from './trajectories.ts';
import { singleLaser } from './simpleSensors.ts';

/** One side, m² in 1 m³. */
const densities = [0.1, 0.2, 0.35, 0.5, 0.8];
const depthM = 5;
/** A flat leaf of 5 cm from corner to corner. */
const leafM = [0.04, 0.03] as const;
/** Width of the slab across the beams; those pass within `aimedM`. */
const widthM = 1.2;
const aimedM = 0.9;
const rows = 25;
const pulsesPerRow = 25;
const divergenceMrad = 20;
const drawsPerSeed = 8;
const quickDrawsPerSeed = 6;
const sensorXM = -1;
const backdropXM = depthM + 1;

export const slab: Experiment = {
  name: 'slab',
  title: 'Penetration of a slab of leaves',
  async run(bench, { isQuick, seeds, onProgress }) {
    const perSeed = isQuick ? quickDrawsPerSeed : drawsPerSeed;
    const draws = seeds.flatMap((seed) =>
      Array.from({ length: perSeed }, (_, draw) => ({ seed, draw })),
    );
    const found: Measured[] = [];
    for (const [index, lad] of densities.entries()) {
      const shares: number[] = [];
      const projections: number[] = [];
      for (const { seed, draw } of draws) {
        const leaves = drawLeaves(lad, seed, draw);
        await bench.build(await sceneOf(bench, leaves));
        shares.push(await crossingShare(bench));
        projections.push(...leaves.map(({ rotation }) => Math.abs(rotate(rotation, [0, 0, 1])[0])));
        onProgress((index + shares.length / draws.length) / densities.length);
      }
      const projection = mean(projections);
      const expected = Math.exp(-projection * lad * depthM);
      const metrics = {
        lad,
        expected,
        measured: mean(shares),
        standardError: standardError(shares),
      };
      found.push({ metrics, projection, leaves: projections.length / draws.length });
    }
    await bench.build(await sceneOf(bench, drawLeaves(0.5, 1, 0)));
    return slabSection(found, draws.length, await rendering(bench));
  },
};

interface Measured {
  metrics: SlabMetrics;
  /** G, from the normals of all leaves. */
  projection: number;
  /** In one draw, on average. */
  leaves: number;
}

/** A Poisson process: gaps along x are exponential; the rest is uniform. */
function drawLeaves(lad: number, seed: number, draw: number): Placed[] {
  const perMetre = (lad * widthM ** 2) / (leafM[0] * leafM[1]);
  const leaves: Placed[] = [];
  // Why the density in the stream: densities are to be independent of one another.
  const stream = draw + 1000 * Math.round(lad * 100);
  let xM = 0;
  for (let n = 0; ; n += 2) {
    const [gap, y, z] = uniforms(seed, purposes.slabLeaves, stream, n);
    xM -= Math.log(gap) / perMetre;
    if (xM > depthM) return leaves;
    const turned = randomRotation(uniforms(seed, purposes.slabLeaves, stream, n + 1));
    leaves.push({ positionM: [xM, (y - 0.5) * widthM, (z - 0.5) * widthM], rotation: turned });
  }
}

/** Uniform over all rotations (Shoemake 1992). */
function randomRotation([u0, u1, u2]: readonly [number, number, number, number]): Quaternion {
  const [a, b] = [Math.sqrt(1 - u0), Math.sqrt(u0)];
  const [p, q] = [2 * Math.PI * u1, 2 * Math.PI * u2];
  return [a * Math.sin(p), a * Math.cos(p), b * Math.sin(q), b * Math.cos(q)];
}

/** The leaves before a backdrop that every ray meets which crosses them. */
async function sceneOf(bench: ValidationBench, leaves: readonly Placed[]): Promise<Scene> {
  const document: SceneInput = {
    materials: {
      leaf: { reflectance: 0.5, colour: '#4f8a3c' },
      backdrop: { reflectance: 0.5, colour: '#c9c2b4' },
    },
    models: {
      leaf: { kind: 'plane', sizeM: [...leafM], material: 'leaf' },
      backdrop: { kind: 'box', sizeM: [0.1, 4, 4], material: 'backdrop' },
    },
    instances: [
      {
        name: 'backdrop',
        model: 'backdrop',
        positionM: [backdropXM + 0.05, 0, 0],
        onGround: false,
      },
    ],
  };
  return withLeaves(await bench.scene(document, 1), 'leaf', leaves);
}

/** Mean over the pulses of Σw of the rays that reach the backdrop. */
async function crossingShare(bench: ValidationBench): Promise<number> {
  const sensor = await bench.sensor(
    singleLaser({
      divergenceMrad,
      range: { minM: 0, maxM: 20 },
      // The last return is the backdrop where any ray reaches it; its share is that of all rays that do.
      returns: { mode: 'last', signalCutoffM: 0.1 },
    }),
  );
  const cellM = aimedM / pulsesPerRow;
  const { columns } = await bench.scan({
    sensor,
    // Over the aimed square, looking along x; pulse n at the middle of its cell.
    ...raster(rows, pulsesPerRow, (row, pulse) => [
      sensorXM,
      (pulse + 0.5) * cellM - aimedM / 2,
      ((row + 0.5) * aimedM) / rows - aimedM / 2,
    ]),
    seed: 1,
    columns: ['object_id', 'beam_share'],
  });
  const crossed = columns.beam_share.filter((_, row) => columns.object_id[row] === 1);
  return crossed.reduce((sum, share) => sum + share, 0) / (rows * pulsesPerRow);
}

function rendering(bench: ValidationBench): Promise<Picture> {
  return bench.render(
    {
      positionM: [-2.6, 2.8, 0.9],
      yawRad: -0.6,
      pitchRad: 0.18,
      verticalFovRad: 0.5,
      widthPx: 560,
      heightPx: 380,
      samplesPerPixel: 16,
    },
    'The slab before its backdrop, 0.5 m² of leaf in 1 m³',
  );
}

function slabSection(found: readonly Measured[], draws: number, picture: Picture): Section {
  const rays = 9 * rows * pulsesPerRow * draws;
  const metrics = found.map((each) => each.metrics);
  const law = Array.from({ length: 91 }, (_, n): [number, number] => {
    const projection = mean(found.map((each) => each.projection));
    return [n / 100, Math.exp((-projection * depthM * n) / 100)];
  });
  return section({
    paper: [
      'A ray crosses a slab of leaves whose centres are a Poisson process with the probability exp(−G·LAD·L): LAD is the leaf area density (one side), L the path, G the mean projection of the leaves on a plane across the ray (Monsi and Saeki 1953). Goodin 2018 builds on this penetration (section 3.4.3) without a number for it.',
    ],
    ours: [
      `A slab ${depthM} m deep of flat leaves of 4 × 3 cm, turned at random; G is the mean of |n·x| over the normals of the leaves that were built. A beam of nine rays (mode last) looks through it at a backdrop from ${rows * pulsesPerRow} places; what crosses is the share of the beam behind the backdrop's return. ${draws} independent draws of the leaves, ${rays} rays for each density; errors are standard errors of the mean over the draws.`,
    ],
    charts: [
      {
        title: 'Share of the rays that cross the slab',
        x: { name: 'leaf area density', unit: 'm²/m³', from: 0, to: 0.9 },
        y: { name: 'share that crosses', unit: '', from: 0, to: 1 },
        series: [
          { name: 'exp(−G·LAD·L)', kind: 'line', colour: '#c8452f', data: law },
          {
            name: 'measured, ± 3 standard errors',
            kind: 'points',
            colour: '#1d3f66',
            data: metrics.map(({ lad, measured }) => [lad, measured]),
            errors: metrics.map((each) => 3 * each.standardError),
          },
        ],
      },
    ],
    pictures: [picture],
    tables: [
      {
        title: 'By density',
        columns: [
          'LAD (m²/m³)',
          'leaves in a draw',
          'G',
          'expected',
          'measured',
          'standard error',
          'difference in standard errors',
        ],
        rows: found.map(({ metrics: each, projection, leaves }) => [
          String(each.lad),
          leaves.toFixed(0),
          projection.toFixed(4),
          each.expected.toFixed(4),
          each.measured.toFixed(4),
          each.standardError.toFixed(4),
          ((each.measured - each.expected) / each.standardError).toFixed(2).replace('-', '−'),
        ]),
      },
    ],
    criteria: metrics.map(({ lad, measured, expected, standardError: error }) =>
      within(`share that crosses, ${lad} m²/m³`, measured, expected, 3 * error),
    ),
    metrics: { slab: metrics },
  });
}
