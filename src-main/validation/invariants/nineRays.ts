// The nine rays of a circular beam before a wall, straight and turned, computed independently of the worker (PHYSICS.md,
// 1.1): which ray decides in each mode, and what it reports.
import { radians } from '#domain/shared/numbers.ts';
import { mean } from '#domain/shared/statistics.ts';
import { about, forms, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { grey, wall } from '../scenes.ts';
import { singleLaser } from '../simpleSensors.ts';

const divergenceMrad = 20;
const wallM = 10;
/** 32-bit ranges of 10 m, and of nine in a mean. */
const tolerance = 1e-5;

interface Ray {
  rangeM: number;
  cosine: number;
}

/** The axis, then the ring at 3/4 of the spot's radius, where they meet a wall that is turned about the vertical. */
function raysAt(turnDeg: number): Ray[] {
  const radius = 0.75 * Math.tan(divergenceMrad / 2000);
  const normal = [Math.cos(radians(turnDeg)), Math.sin(radians(turnDeg))] as const;
  const ring = Array.from({ length: 8 }, (_, n) => {
    const phase = (n * Math.PI) / 4;
    return [radius * Math.cos(phase), radius * Math.sin(phase)] as const;
  });
  return [[0, 0] as const, ...ring].map(([left, up]) => {
    const cosine = (normal[0] + left * normal[1]) / Math.hypot(1, left, up);
    return { rangeM: (wallM * normal[0]) / cosine, cosine };
  });
}

/** The ray with the greatest value. */
function most(rays: readonly Ray[], of: (ray: Ray) => number): Ray {
  return rays.reduce((a, b) => (of(b) > of(a) ? b : a));
}

const modes = {
  strongest: (rays: readonly Ray[]) => most(rays, ({ cosine }) => cosine),
  last: (rays: readonly Ray[]) => most(rays, ({ rangeM }) => rangeM),
  closest: (rays: readonly Ray[]) => most(rays, ({ rangeM }) => -rangeM),
  first: (rays: readonly Ray[]) => ({
    rangeM: mean(rays.map(({ rangeM }) => rangeM)),
    cosine: mean(rays.map(({ cosine }) => cosine)),
  }),
};

function modeRow(mode: keyof typeof modes, turnDeg: number): Measurement {
  const rays = raysAt(turnDeg);
  const { rangeM, cosine } = modes[mode](rays);
  const name = `nine rays, a wall at ${turnDeg}°, ${mode}`;
  const incidence = {
    name: `${name}: incidence`,
    statistic: 'incidence_rad',
    // A 32-bit cosine c is off by 1.2e-7, its angle by that over sin θ, and near head-on by √(2·1.2e-7).
    expected: about(Math.acos(cosine), turnDeg === 0 ? 5e-4 : 1e-6, 'rad'),
  } as const;
  return forms({
    scene: wall(grey, wallM, turnDeg),
    sensor: singleLaser({ divergenceMrad, returns: { mode, signalCutoffM: 5 } }),
    columns: [
      'range_m',
      'true_range_m',
      'intensity',
      'beam_share',
      'incidence_rad',
      'x_m',
      'y_m',
      'z_m',
    ],
    tolerance,
    source: 'a plane and the nine rays of the stencil',
    laws: [
      { name: `${name}: range`, statistic: 'range_m', expected: rangeM, unit: 'm' },
      { name: `${name}: intensity`, statistic: 'intensity', expected: 0.5 * cosine },
      ...(mode === 'first'
        ? [
            {
              name: `${name}: true range, of the nearest`,
              statistic: 'true_range_m' as const,
              expected: modes.closest(rays).rangeM,
              unit: 'm',
            },
            { name: `${name}: share of the beam`, statistic: 'beam_share' as const, expected: 1 },
          ]
        : [incidence]),
      {
        name: `${name}: distance of the point from the axis at its range`,
        statistic: ({ x_m: [x = NaN], y_m: [y = NaN], z_m: [z = NaN] }) =>
          Math.hypot(x - rangeM, y, z),
        expected: 0,
        unit: 'm',
      },
    ],
  });
}

export const nineRays = formsPiece({
  name: 'nine-rays',
  ours: `Nine rays of ${divergenceMrad} mrad at a wall ${wallM} m ahead, straight and turned by 60°: the ray that decides by mode.`,
  rows: (Object.keys(modes) as (keyof typeof modes)[]).flatMap((mode) => [
    modeRow(mode, 0),
    modeRow(mode, 60),
  ]),
});
