// Where pulses go: pointing errors, encoders, the spot behind a turning mirror, rolling scans; by the points
// that they meet on a wall or a sphere about the sensor.
import { normalCdf } from '#domain/campaign/normal.ts';
import { degrees, radians } from '#domain/shared/numbers.ts';
import { mean } from '#domain/shared/statistics.ts';
import {
  about,
  ksForm,
  meanForm,
  offSteps,
  form,
  forms,
  sigmaForm,
  type Measurement,
} from '../closedForm.ts';
import { formsPiece, greatest } from '../parts.ts';
import { ball, grey, plates, wall } from '../scenes.ts';
import { laserSlotNs, singleLaser, singleRay } from '../simpleSensors.ts';
import { atRest, straight } from '../trajectories.ts';

const wallM = 20;
const sigmaMrad = 1;
const sigmaRad = sigmaMrad / 1000;
const normalAngles = 'normal angles to the left and up';

const pointing = forms({
  scene: wall(grey, wallM),
  sensor: singleLaser({ beam: singleRay, noise: { pointingSigmaMrad: sigmaMrad } }),
  columns: ['hit_y_m', 'hit_z_m', 'y_m'],
  pulses: 'many',
  // The tangent of a normal angle: σ·(1 + σ²), 1e-6 of it; places on the wall are 32-bit: 1e-9 over 20 m.
  laws: [
    {
      name: 'pointing: standard deviation to the left',
      statistic: ({ hit_y_m: left }) => sigmaForm(left.map((y) => y / wallM)),
      expected: about(sigmaRad, 1e-8, 'rad'),
      source: normalAngles,
    },
    {
      name: 'pointing: standard deviation upwards',
      statistic: ({ hit_z_m: up }) => sigmaForm(up.map((z) => z / wallM)),
      expected: about(sigmaRad, 1e-8, 'rad'),
      source: normalAngles,
    },
    {
      name: 'pointing: correlation of left and up',
      statistic: ({ hit_y_m: left, hit_z_m: up }) =>
        meanForm(left.map((y, n) => (y * (up[n] ?? NaN)) / (wallM * sigmaRad) ** 2)),
      expected: 0,
      source: 'independent angles',
    },
    ...(['hit_y_m', 'hit_z_m'] as const).map((axis) => ({
      name: `pointing: KS to the normal law, ${axis}`,
      comparison: 'below' as const,
      statistic: (fired: Record<typeof axis, number[]>) =>
        ksForm(fired[axis], (m) => normalCdf(m / (wallM * sigmaRad))),
      source: normalAngles,
    })),
    {
      name: 'pointing: greatest distance of reported points from the axis',
      statistic: ({ y_m: yM }) => greatest(yM),
      expected: 0,
      unit: 'm',
      source: 'the error of a direction is unknown to the sensor',
    },
  ],
});

const stepDeg = 0.25;
const stepRad = radians(stepDeg);
/** Prime, so that azimuths spread evenly over the encoder's steps. */
const slotsPerRevolution = 9973;
type Azimuths = Record<'azimuth_rad' | 'hit_x_m' | 'hit_y_m', number[]>;

/** True less reported azimuths, in steps. */
function lateness(fired: Azimuths): number[] {
  const turn = (2 * Math.PI) / stepRad;
  return fired.azimuth_rad.map((azimuthRad, n) => {
    const trueRad = Math.atan2(fired.hit_y_m[n] ?? NaN, fired.hit_x_m[n] ?? NaN);
    const difference = (trueRad - azimuthRad) / stepRad;
    return difference - turn * Math.round(difference / turn);
  });
}

function encoder(offsetDeg: number): Measurement {
  const laser = `encoder, laser at ${offsetDeg}°`;
  // Evenly spread azimuths: within one pulse of a step, 360/9973/0.25 of it, and 32-bit azimuths.
  const tolerance = 360 / slotsPerRevolution / stepDeg / 2;
  return forms({
    scene: ball(wallM, 64),
    sensor: singleLaser({
      scan: { kind: 'spinning', rateHz: 1, slotsPerRevolution },
      banks: [{ name: 'laser', elevationsDeg: [0], azimuthOffsetsDeg: [offsetDeg] }],
      beam: singleRay,
      quantisation: { azimuthDeg: stepDeg },
    }),
    columns: ['azimuth_rad', 'hit_x_m', 'hit_y_m'],
    path: atRest(1),
    source: 'an encoder reports the last count: errors are uniform over a step',
    laws: [
      {
        name: `${laser}: reported azimuth less offset, from a whole step, in steps`,
        statistic: ({ azimuth_rad: azimuths }) =>
          greatest(
            offSteps(
              azimuths.map((rad) => rad - radians(offsetDeg)),
              stepRad,
            ),
          ),
        // 32-bit azimuths to 2π.
        expected: about(0, 2.4e-7 / stepRad),
        source: 'the encoder counts the head, the offset is added by the table',
      },
      {
        name: `${laser}: mean of true less reported azimuth, in steps`,
        statistic: (fired) => mean(lateness(fired)),
        expected: about(0.5, tolerance),
      },
      {
        name: `${laser}: standard deviation, in steps`,
        statistic: (fired) => sigmaForm(lateness(fired)).measured,
        expected: about(1 / Math.sqrt(12), tolerance),
      },
    ],
  });
}

export const directions = formsPiece({
  name: 'directions',
  catches: ['pointing-along-a-diagonal', 'encoder-to-nearest', 'encoder-after-offsets'],
  ours: `Directions: a pointing error of ${sigmaMrad} mrad before a wall ${wallM} m away; an encoder of ${stepDeg}° inside a sphere.`,
  rows: [pointing, encoder(0), encoder(0.2)],
});

const ballM = 20;
const [widthMrad, heightMrad] = [1, 20];
const anglesDeg = [-80, -50, -30, 0, 30, 50, 80];
const spotPulses = 4000;
type Hits = Record<'hit_x_m' | 'hit_y_m' | 'hit_z_m', number[]>;

/** Angle from the vertical to the long axis of all hits, positive to the left, about a beam at `aimDeg`. */
function tiltDeg({ hit_x_m: xM, hit_y_m: yM, hit_z_m: zM }: Hits, aimDeg: number): number {
  const [left, up] = [-Math.sin(radians(aimDeg)), Math.cos(radians(aimDeg))];
  let [ofLeft, ofUp, ofBoth] = [0, 0, 0];
  for (const [n, x] of xM.entries()) {
    const toLeft = (x * left + (yM[n] ?? NaN) * up) / ballM;
    const upwards = (zM[n] ?? NaN) / ballM;
    ofLeft += toLeft ** 2;
    ofUp += upwards ** 2;
    ofBoth += toLeft * upwards;
  }
  return degrees(0.5 * Math.atan2(2 * ofBoth, ofUp - ofLeft));
}

const aboutTheMirror = ball(ballM, 128);

/** A bar that stands upright ahead is tilted by the mirror's angle: one random ray a pulse has its covariance. */
export const mirrorSpot = formsPiece({
  name: 'mirror-spot',
  catches: ['spot-unturned'],
  ours: `Mirror: a bar of ${widthMrad} × ${heightMrad} mrad, seen by a mirror at ${anglesDeg.length} angles.`,
  rows: anglesDeg.map((angleDeg) =>
    form({
      name: `mirror at ${angleDeg}°: tilt of the bar`,
      scene: aboutTheMirror,
      sensor: singleLaser({
        scan: {
          kind: 'mirror',
          rateHz: 1e9 / laserSlotNs,
          minAngleDeg: angleDeg,
          maxAngleDeg: angleDeg,
          slotsPerScan: 1,
        },
        beam: {
          shape: 'rectangular',
          divergenceHorizontalMrad: widthMrad,
          divergenceVerticalMrad: heightMrad,
          stencil: 'rays',
          rays: { count: 1, sampling: 'random' },
        },
        returns: { mode: 'closest' },
      }),
      columns: ['hit_x_m', 'hit_y_m', 'hit_z_m'],
      pulses: spotPulses,
      statistic: (fired) => tiltDeg(fired, angleDeg),
      expected: angleDeg,
      // Principal axis of n places of a bar: standard error ab/(a² − b²)/√n of its half axes, four of them.
      tolerance: degrees(
        (4 * (widthMrad * heightMrad)) / (heightMrad ** 2 - widthMrad ** 2) / Math.sqrt(spotPulses),
      ),
      unit: '°',
      source: 'law of reflection: a mirror at 45° that turns by an angle turns the bundle by it',
    }),
  ),
});

const [movingPulses, speedMPerS] = [200, 10];
const movingNs = movingPulses * laserSlotNs;
const twoWalls = plates([
  { material: grey, faceM: [wallM, 0, 0] },
  // To the left: only a head that turns as its azimuths say meets it where they say.
  { material: grey, faceM: [0, 8, 0], yawDeg: 90, sizeM: [20, 4] },
]);

/** Each pulse leaves from the sensor's pose at its own time, and in the direction that it reports. */
export const rollingScan = formsPiece({
  name: 'rolling-scan',
  catches: ['pose-of-first-slot', 'azimuth-mirrored'],
  ours: `Rolling scan: a laser drives at ${speedMPerS} m/s towards a wall; another turns between two walls.`,
  rows: [
    form({
      name: 'rolling scan: range of each pulse of a moving laser, greatest error',
      scene: twoWalls,
      sensor: singleLaser({}),
      columns: ['pulse', 'range_m'],
      path: {
        trajectory: straight([0, 0, 0], [(speedMPerS * movingNs) / 1e9, 0, 0], movingNs),
        toNs: movingNs,
      },
      statistic: ({ pulse, range_m: rangesM }) =>
        greatest(
          pulse.map((n, at) => {
            const secondsIn = (n * laserSlotNs) / 1e9;
            return (rangesM[at] ?? NaN) - (wallM - speedMPerS * secondsIn);
          }),
        ),
      expected: about(0, 1e-5, 'm'),
      source: 'uniform motion: D − v·t at the time of the pulse',
    }),
    form({
      name: 'turning head: greatest distance of hits from azimuth and range',
      scene: twoWalls,
      sensor: singleLaser({ scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 3600 } }),
      columns: ['azimuth_rad', 'range_m', 'hit_x_m', 'hit_y_m'],
      path: atRest(0.1),
      statistic: (fired) =>
        greatest(
          fired.range_m.map((rangeM, n) => {
            const azimuthRad = fired.azimuth_rad[n] ?? NaN;
            return Math.hypot(
              rangeM * Math.cos(azimuthRad) - (fired.hit_x_m[n] ?? NaN),
              rangeM * Math.sin(azimuthRad) - (fired.hit_y_m[n] ?? NaN),
            );
          }),
        ),
      // 32-bit azimuths up to 2π (2.4e-7) and hits, at 30 m.
      expected: about(0, 3e-5, 'm'),
      source: 'polar coordinates, counter-clockwise from x (REP-103)',
    }),
  ],
});
