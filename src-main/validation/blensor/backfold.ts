// Gschwandtner 2011, figure 2a and equation 3: a time-of-flight camera takes what lies beyond half of its
// greatest range for something near.
import type { ReturnColumnName } from '#contract/columns.ts';
import type { SceneInput } from '#contract/documents/scenario.ts';
import { rotationFromDegrees, type Vector3 } from '#domain/shared/pose.ts';
import { above, within } from '../criteria.ts';
import type { Picture } from '../section.ts';
import { greatest, type Piece } from '../parts.ts';
import { stationary } from '../trajectories.ts';
import { greyPicture } from './greyPicture.ts';

const foldM = 10;
const columnsWanted = [
  'pulse',
  'range_m',
  'range_clean_m',
  'true_range_m',
] as const satisfies ReturnColumnName[];

export const backfold: Piece = {
  name: 'backfold',
  async run(bench, { seeds }) {
    const camera = await bench.sensor('tof-camera');
    // Why one ray: a pixel that sees two surfaces reports a mean, whose fold is not the fold of either.
    const sharp = {
      ...camera,
      beam: {
        ...camera.beam,
        stencil: 'rays' as const,
        rays: {
          count: 1,
          profile: 'uniform' as const,
          sampling: 'stratified' as const,
          dither: false,
        },
      },
    };
    if (camera.scan.kind !== 'image') throw new TypeError('the camera of the assets has no image');
    const { columns: width, rows: height } = camera.scan;
    await bench.build(await bench.scene(corridor, 1));
    const { columns, rows } = await bench.scan({
      sensor: sharp,
      trajectory: stationary({ positionM: [0, 0, 1.5], rotation: rotationFromDegrees(0, 6, 0) }),
      toNs: Math.round(1e9 / camera.scan.rateHz),
      seed: seeds[0] ?? 1,
      columns: columnsWanted,
    });
    const trueM = columns.true_range_m;
    const errors = Array.from(trueM, (rangeM, row) => {
      const folded = rangeM >= foldM ? rangeM - foldM : rangeM;
      return (columns.range_clean_m[row] ?? NaN) - folded;
    });
    const beyond = trueM.filter((rangeM) => rangeM >= foldM).length;
    const image = (title: string, rangesM: Float32Array, caption?: string): Picture =>
      greyPicture(title, imageOf(columns.pulse, rangesM, width, height), width, 20, caption);
    const sample = Array.from(trueM.keys()).filter((row) => row % 37 === 0);
    return {
      ours: [
        `Backfolding: the asset tof-camera (${width} × ${height}, folded at ${foldM} m; here one ray a pixel) looks down a corridor 18 m long.`,
      ],
      pictures: [
        image('Figure 2a: true distance', trueM, 'White: 0 m, black: 20 m and nothing.'),
        image(
          'Figure 2a: distance as reported',
          columns.range_m,
          'The same scale: what lies beyond 10 m seems near.',
        ),
      ],
      charts: [
        {
          title: 'Figure 2a: reported over true distance',
          x: { name: 'true distance', unit: 'm', from: 0, to: 20 },
          y: { name: 'reported distance', unit: 'm', from: 0, to: 12 },
          series: [
            {
              name: 'pixels (every 37th)',
              kind: 'points',
              data: sample.map((row) => [trueM[row] ?? NaN, columns.range_m[row] ?? NaN]),
            },
            {
              name: 'equation 3',
              kind: 'line',
              colour: '#c8452f',
              data: [
                [0, 0],
                [foldM, foldM],
                [foldM, 0],
                [20, 10],
              ],
            },
          ],
        },
      ],
      criteria: [
        above('pixels whose distance is folded', beyond, rows / 20),
        above('pixels whose distance is not folded', rows - beyond, rows / 20),
        // 32-bit ranges of up to 20 m: 1e-6.
        within('folded distance, without noise: greatest error', greatest(errors), 0, 1e-5, 'm'),
      ],
    };
  },
};

/**
 * Row by row from the top, 0 where a pixel has no return. Pulses go column by column from the left, rows from below.
 */
function imageOf(
  pulses: BigUint64Array,
  rangesM: Float32Array,
  width: number,
  height: number,
): Float32Array {
  const image = new Float32Array(width * height);
  for (const [row, pulse] of pulses.entries()) {
    const [column, line] = [Math.floor(Number(pulse) / height), Number(pulse) % height];
    image[(height - 1 - line) * width + column] = rangesM[row] ?? 0;
  }
  return image;
}

const pillarsM: Vector3[] = [3, 6, 9, 12, 15].map((xM, n) => [xM, n % 2 === 0 ? 1 : -1, 0]);

const corridor: SceneInput = {
  materials: { grey: { reflectance: 0.5 } },
  models: {
    floor: { kind: 'box', sizeM: [24, 5, 0.1], material: 'grey' },
    side: { kind: 'box', sizeM: [24, 0.1, 3], material: 'grey' },
    end: { kind: 'box', sizeM: [0.1, 5, 3], material: 'grey' },
    pillar: { kind: 'cylinder', radiusM: 0.25, heightM: 2.2, material: 'grey' },
  },
  instances: [
    { name: 'floor', model: 'floor', positionM: [9, 0, -0.05], onGround: false },
    { name: 'left', model: 'side', positionM: [9, 2.5, 1.5], onGround: false },
    { name: 'right', model: 'side', positionM: [9, -2.5, 1.5], onGround: false },
    { name: 'end', model: 'end', positionM: [18, 0, 1.5], onGround: false },
    ...pillarsM.map((positionM, n) => ({
      name: `pillar${n + 1}`,
      model: 'pillar',
      positionM,
      onGround: false,
    })),
  ],
};
