// Gschwandtner 2011, figure 2a and equation 3: a time-of-flight camera takes what lies beyond half of its
// greatest range for something near.
import { rotationFromDegrees, type Vector3 } from '#domain/shared/pose.ts';
import { differences } from '../closedForm.ts';
import { above, within } from '../criteria.ts';
import { openLaboratory } from '../laboratory.ts';
import { greatest, type Piece } from '../parts.ts';
import { grey, solids } from '../scenes.ts';
import type { Picture } from '../section.ts';
import { stationary } from '../trajectories.ts';

const foldM = 10;

export const backfold: Piece = {
  name: 'backfold',
  async run(bench, options) {
    const { fire } = openLaboratory(bench, options);
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
    const fired = await fire({
      scene: corridor,
      sensor: sharp,
      path: {
        trajectory: stationary({ positionM: [0, 0, 1.5], rotation: rotationFromDegrees(0, 6, 0) }),
        toNs: Math.round(1e9 / camera.scan.rateHz),
      },
      seed: options.seeds[0] ?? 1,
      columns: ['pulse', 'range_m', 'range_clean_m', 'true_range_m'],
    });
    const { rows, true_range_m: trueM } = fired;
    const folded = trueM.map((rangeM) => (rangeM >= foldM ? rangeM - foldM : rangeM));
    const errors = differences(fired.range_clean_m, folded);
    const beyond = trueM.filter((rangeM) => rangeM >= foldM).length;
    const image = (title: string, rangesM: number[], caption?: string): Picture =>
      greyPicture(title, imageOf(fired.pulse, rangesM, width, height), width, 20, caption);
    const sample = Array.from(trueM.keys()).filter((row) => row % 37 === 0);
    return {
      ours: [
        `Backfolding: the asset tof-camera (${width} × ${height}, folded at ${foldM} m; here one ray a pixel) looks down a corridor 18 m long.`,
      ],
      pictures: [
        image('Figure 2a: true distance', trueM, 'White: 0 m, black: 20 m and nothing.'),
        image(
          'Figure 2a: distance as reported',
          fired.range_m,
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
              data: sample.map((row) => [trueM[row] ?? NaN, fired.range_m[row] ?? NaN]),
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
  pulses: readonly number[],
  rangesM: readonly number[],
  width: number,
  height: number,
): Float32Array {
  const image = new Float32Array(width * height);
  for (const [row, pulse] of pulses.entries()) {
    const [column, line] = [Math.floor(pulse / height), pulse % height];
    image[(height - 1 - line) * width + column] = rangesM[row] ?? 0;
  }
  return image;
}

const slab = (sizeM: Vector3, positionM: Vector3) => ({
  shape: { kind: 'box' as const, sizeM },
  material: grey,
  positionM,
});

const corridor = solids([
  slab([24, 5, 0.1], [9, 0, -0.05]),
  slab([24, 0.1, 3], [9, 2.5, 1.5]),
  slab([24, 0.1, 3], [9, -2.5, 1.5]),
  slab([0.1, 5, 3], [18, 0, 1.5]),
  ...[3, 6, 9, 12, 15].map((xM, n) => ({
    shape: { kind: 'cylinder' as const, radiusM: 0.25, heightM: 2.2 },
    material: grey,
    positionM: [xM, n % 2 === 0 ? 1 : -1, 0] as Vector3,
  })),
]);

const scale = 3;

/** Distances as grey: white near, black far and where there is nothing. Rows from the top; each pixel drawn three by three. Distances from 0 (nothing) to `farM`. */
function greyPicture(
  title: string,
  rangesM: Float32Array,
  width: number,
  farM: number,
  caption = '',
): Picture {
  const height = rangesM.length / width;
  const [widthPx, heightPx] = [width * scale, height * scale];
  const rgb = new Uint8Array(3 * widthPx * heightPx);
  for (let at = 0; at < widthPx * heightPx; at += 1) {
    const column = Math.floor((at % widthPx) / scale);
    const row = Math.floor(Math.floor(at / widthPx) / scale);
    const rangeM = rangesM[row * width + column] ?? 0;
    const grey = rangeM <= 0 ? 0 : Math.max(0, Math.round(255 * (1 - rangeM / farM)));
    rgb.fill(grey, 3 * at, 3 * at + 3);
  }
  return { title, widthPx, heightPx, rgb, ...(caption !== '' && { caption }) };
}
