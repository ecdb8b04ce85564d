// Scans of what moves: every pulse meets the world at its own time. Walls that turn and sway about a pivot, the width of a
// bar on a rotor, a box that passes a rolling scan; bytes on any number of threads and in any parts.
import type { SceneInput } from '#contract/documents/scene.ts';
import { degrees, radians, wrapAngle } from '#domain/shared/numbers.ts';
import { about, closedForm, form, forms, type Measurement } from '../closedForm.ts';
import { formsPiece, greatest } from '../parts.ts';
import { grey, solids } from '../scenes.ts';
import { laserSlotNs, singleLaser, singleRay } from '../simpleSensors.ts';
import { atOrigin, atRest, stationary, straight } from '../trajectories.ts';

type Motion = NonNullable<SceneInput['motions']>[string];

/** A thin plate across x whose near face is `atM` away, moving as stated. */
function movingPlate(atM: number, widthM: number, motion: Motion): SceneInput {
  const thicknessM = 1e-4;
  const scene = solids(
    [
      {
        shape: { kind: 'box', sizeM: [thicknessM, widthM, 40] },
        material: grey,
        positionM: [atM + thicknessM / 2, 0, 0],
      },
    ],
    { motions: { moving: motion } },
  );
  const instances = scene.instances?.map((placed) => ({ ...placed, motion: 'moving' }));
  return { ...scene, ...(instances && { instances }) };
}

const sensor = singleLaser({ beam: singleRay });
const armM = 2;
/** A quarter turn a second, as of a gate, and five turns a second, as of a rotor. */
const ratesDegPerS = [90, 1800];

function turningWall(rateDegPerS: number): Measurement {
  // Beyond this angle the plate of 8 m is not met for certain.
  const maxRad = 1;
  return form({
    name: `wall ${armM} m from its pivot at ${rateDegPerS} °/s: greatest error of a range`,
    scene: movingPlate(armM, 8, {
      kind: 'rotating',
      pivotM: [0, 0, 0],
      rateDegPerS,
    }),
    sensor,
    columns: ['true_range_m', 'time_ns'],
    path: atRest(4),
    statistic: ({ true_range_m: rangesM, time_ns: timesNs }) => {
      const errors = timesNs.flatMap((timeNs, row) => {
        const turnedRad = Math.abs(wrapAngle(radians(rateDegPerS) * timeNs * 1e-9));
        return turnedRad > maxRad ? [] : [(rangesM[row] ?? NaN) - armM / Math.cos(turnedRad)];
      });
      return errors.length > 500 ? greatest(errors) : NaN;
    },
    // The tracer interpolates turns in single precision.
    expected: about(0, 1e-4, 'm'),
    source: 'a plane at distance a from the pivot, turned by ωt, is met after a / cos ωt',
  });
}

const [swayM, heightM, swayS] = [0.2, 10, 1];
const swayingWall = form({
  name: `wall ${heightM} m above its pivot that sways by ${swayM} m at ${1 / swayS} Hz: greatest error of a range`,
  scene: movingPlate(5, 8, {
    kind: 'swinging',
    pivotM: [5, 0, -heightM],
    axis: [0, 1, 0],
    amplitudeDeg: degrees(Math.atan(swayM / heightM)),
    periodS: swayS,
  }),
  sensor,
  columns: ['true_range_m', 'time_ns'],
  path: atRest(2),
  statistic: ({ true_range_m: rangesM, time_ns: timesNs }) =>
    greatest(
      timesNs.map((timeNs, row) => {
        const phaseRad = (2 * Math.PI * timeNs * 1e-9) / swayS;
        const leantRad = Math.atan(swayM / heightM) * Math.sin(phaseRad);
        return (rangesM[row] ?? NaN) - (5 + heightM * Math.tan(leantRad));
      }),
    ),
  expected: about(0, 1e-4, 'm'),
  source: 'a plane through its pivot, leaning by φ, is met d + h·tan φ away',
});

const barM = 1;
// Not a whole number of pulses a turn: passes are met at different places.
const barRateDegPerS = 1797;
const barWidth = form({
  name: `bar of ${barM} m on a rotor at ${barRateDegPerS} °/s: width between its outermost hits`,
  scene: movingPlate(armM, barM, {
    kind: 'rotating',
    pivotM: [0, 0, 0],
    rateDegPerS: barRateDegPerS,
  }),
  sensor: singleLaser({
    beam: singleRay,
    scan: { kind: 'sweep', rateHz: 997, minAzimuthDeg: 0, maxAzimuthDeg: 0, slotsPerScan: 100 },
  }),
  columns: ['true_range_m', 'time_ns'],
  path: atRest(4),
  statistic: ({ true_range_m: rangesM, time_ns: timesNs }) => {
    let [least, most] = [Infinity, -Infinity];
    for (const [row, timeNs] of timesNs.entries()) {
      // The ray along x, in the axes of the bar.
      const turnedRad = radians(barRateDegPerS) * timeNs * 1e-9;
      const alongM = -(rangesM[row] ?? NaN) * Math.sin(turnedRad);
      [least, most] = [Math.min(least, alongM), Math.max(most, alongM)];
    }
    return most - least;
  },
  // Hits lie 63 m/s / 99,700 Hz = 0.6 mm apart, in 20 passes: the outermost are some 0.03 mm from the edges.
  expected: about(barM, 1e-4, 'm'),
  source: 'a rigid body keeps its width',
});

export const turningBodies = formsPiece({
  name: 'turning-bodies',
  catches: ['ray-time-ignored', 'matrix-interpolation'],
  ours: `Turning and swaying: a ray along x at a wall ${armM} m from its pivot at ${ratesDegPerS.join(' and ')} °/s, at a swaying wall, and at a bar on a rotor.`,
  rows: [...ratesDegPerS.map(turningWall), swayingWall, barWidth],
});

const [boxLengthM, boxWidthM, passM, speedMPerS] = [4, 2, 8, 10];
const passing: SceneInput = {
  ...solids(
    [
      {
        shape: { kind: 'box', sizeM: [boxLengthM, boxWidthM, 2] },
        material: grey,
        positionM: [0, 0, 0],
      },
    ],
    {
      motions: {
        pass: {
          kind: 'path',
          pointsM: [
            [-10, passM, 0],
            [10, passM, 0],
          ],
          speedMPerS,
        },
      },
    },
  ),
};
const passingScene: SceneInput = {
  ...passing,
  instances: (passing.instances ?? []).map((placed) => ({ ...placed, motion: 'pass' })),
};
const spinning = singleLaser({
  beam: singleRay,
  scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 9973 },
});

const rollingScan = forms({
  scene: passingScene,
  sensor: spinning,
  columns: ['hit_x_m', 'hit_y_m', 'time_ns'],
  path: atRest(2),
  unit: 'm',
  source: 'a body at constant speed, each ray at its own time',
  laws: [
    {
      name: `box at ${speedMPerS} m/s under a rolling scan: greatest distance of hits of its near side from that side`,
      statistic: ({ hit_y_m: yM, hit_x_m: xM, time_ns: timesNs }) => {
        const sideM = passM - boxWidthM / 2;
        // Its front and back are seen too; a hit within 1 mm of their planes may be on either.
        const onSide = yM.filter(
          (_, row) => Math.abs(along(xM, timesNs, row)) < boxLengthM / 2 - 1e-3,
        );
        return greatest(onSide.map((y) => y - sideM));
      },
      expected: about(0, 1e-5),
    },
    {
      name: `box at ${speedMPerS} m/s under a rolling scan: how far hits lie beyond its length`,
      statistic: ({ hit_x_m: xM, time_ns: timesNs }) =>
        Math.max(...xM.map((_, row) => Math.abs(along(xM, timesNs, row)))) - boxLengthM / 2,
      // Positions in single precision, and steps of the path.
      expected: about(0, 1e-4),
    },
  ],
});

/** A hit along the box, from its middle at the time of the hit. */
function along(xM: readonly number[], timesNs: readonly number[], row: number): number {
  return (xM[row] ?? NaN) - (-10 + speedMPerS * (timesNs[row] ?? NaN) * 1e-9);
}

/** Away from the box, backwards. */
const sensorMPerS = -3;
const velocities = forms({
  scene: passingScene,
  sensor: spinning,
  columns: [
    'hit_x_m',
    'hit_y_m',
    'time_ns',
    'is_moving',
    'velocity_x_m_per_s',
    'velocity_y_m_per_s',
    'velocity_z_m_per_s',
    'radial_velocity_m_per_s',
  ],
  path: { trajectory: straight([0, 0, 0], [2 * sensorMPerS, 0, 0], 2e9), toNs: 2e9 },
  unit: 'm/s',
  source: 'the velocity of a body that does not turn is that of all its points',
  laws: [
    {
      name: 'passing box, seen by a moving sensor: greatest error of a velocity',
      statistic: (fired) =>
        greatest([
          ...fired.velocity_x_m_per_s.map((v) => v - speedMPerS),
          ...fired.velocity_y_m_per_s,
          ...fired.velocity_z_m_per_s,
        ]),
      expected: about(0, 1e-5),
    },
    {
      name: 'passing box, seen by a moving sensor: greatest error of a radial velocity',
      statistic: ({ hit_x_m: xM, hit_y_m: yM, time_ns: timesNs, ...fired }) =>
        greatest(
          fired.radial_velocity_m_per_s.map((measured, row) => {
            const aheadM = (xM[row] ?? NaN) - sensorMPerS * (timesNs[row] ?? NaN) * 1e-9;
            const cosine = aheadM / Math.hypot(aheadM, yM[row] ?? NaN);
            return measured - (speedMPerS - sensorMPerS) * cosine;
          }),
        ),
      expected: about(0, 1e-4),
      source: 'relative velocity along the ray',
    },
    {
      name: 'passing box: returns that are not said to move',
      unit: '1',
      statistic: ({ is_moving: moving }) => moving.filter((flag) => flag !== 1).length,
      expected: 0,
    },
  ],
});

const turningVelocity = forms({
  scene: movingPlate(armM, 8, { kind: 'rotating', pivotM: [0, 0, 0], rateDegPerS: 90 }),
  sensor,
  columns: ['true_range_m', 'velocity_y_m_per_s', 'radial_velocity_m_per_s'],
  path: atRest(0.5),
  unit: 'm/s',
  source: 'v = ω × r: across the ray from the pivot, with the range',
  laws: [
    {
      name: 'wall that turns about the sensor: greatest error of the velocity across the ray',
      statistic: ({ true_range_m: rangesM, velocity_y_m_per_s: across }) =>
        greatest(across.map((v, row) => v - (Math.PI / 2) * (rangesM[row] ?? NaN))),
      expected: about(0, 1e-5),
    },
    {
      name: 'wall that turns about the sensor: greatest radial velocity',
      statistic: ({ radial_velocity_m_per_s: radial }) => greatest(radial),
      expected: about(0, 1e-5),
    },
  ],
});

const sameBytes: Measurement = async ({ bench }) => {
  const recipe = await bench.sensor(spinning);
  const scene = await bench.scene(passingScene, 1);
  const order = {
    sensor: recipe,
    trajectory: stationary(atOrigin),
    seed: 1,
    columns: ['time_ns', 'true_range_m', 'hit_x_m', 'incidence_rad'] as const,
  };
  await bench.build(scene);
  const whole = await bench.scan({ ...order, toNs: 0.53e9 });
  const rangesM: number[] = [];
  for (const [fromNs, toNs] of [
    [0, 0.13e9],
    [0.13e9, 0.2e9],
    [0.2e9, 0.53e9],
  ] as const) {
    const part = await bench.scan({ ...order, fromNs, toNs });
    rangesM.push(...part.columns.true_range_m);
  }
  const one = await bench.withThreads(1, async (alone) => {
    await alone.build(scene);
    return alone.scan({ ...order, toNs: 0.53e9 });
  });
  const differing = [...whole.columns.true_range_m].filter((m, row) => m !== rangesM[row]).length;
  const source = 'what a pulse meets depends on its time alone';
  return [
    closedForm(
      {
        name: 'box in three parts of a scan: ranges that differ from the whole',
        expected: 0,
        source,
      },
      differing + Math.abs(rangesM.length - whole.rows),
    ),
    closedForm(
      {
        name: 'box on one thread: 0 where all bytes are those of all threads',
        expected: 0,
        source,
      },
      one.result.hash === whole.result.hash ? 0 : 1,
    ),
  ];
};

export const passingBodies = formsPiece({
  name: 'passing-bodies',
  ours: `Passing: a box of ${boxLengthM} m at ${speedMPerS} m/s, ${passM} m beside a scanner that turns ten times a second (a pulse every ${(laserSlotNs / 1e4).toFixed(0)} µs).`,
  rows: [rollingScan, velocities, turningVelocity, sameBytes],
});
