// The spot of a mirror scanner turns with the mirror: a bar that stands upright ahead is tilted by the mirror's angle.
// One random ray a pulse; its places about the beam have the covariance of the bar.
import { degrees, radians } from '#domain/shared/numbers.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { atOrigin, fireAlong } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

const radiusM = 20;
const [widthMrad, heightMrad] = [1, 20];
const anglesDeg = [-80, -50, -30, 0, 30, 50, 80];
const pulses = 4000;

export const mirrorSpot: Piece = {
  name: 'mirror-spot',
  async run(bench) {
    await bench.build(
      await bench.scene(
        {
          materials: { grey: { reflectance: 0.5 } },
          models: { ball: { kind: 'sphere', radiusM, rings: 128, material: 'grey' } },
          instances: [{ name: 'ball', model: 'ball', positionM: [0, 0, 0], onGround: false }],
        },
        1,
      ),
    );
    const forms: ClosedForm[] = [];
    for (const angleDeg of anglesDeg) {
      forms.push(
        closedForm(`mirror at ${angleDeg}°: tilt of the bar`, {
          measured: await tiltDeg(bench, angleDeg),
          expected: angleDeg,
          // Principal axis of n places of a bar: standard error ab/(a² − b²)/√n of its half axes, four of them.
          tolerance: degrees(
            (4 * (widthMrad * heightMrad)) / (heightMrad ** 2 - widthMrad ** 2) / Math.sqrt(pulses),
          ),
          unit: '°',
          source:
            'law of reflection: a mirror at 45° that turns by an angle turns the bundle by it',
        }),
      );
    }
    return formsPart(
      `Mirror: a bar of ${widthMrad} × ${heightMrad} mrad, seen by a mirror at ${anglesDeg.length} angles.`,
      forms,
    );
  },
};

/** Angle from the vertical to the long axis, positive to the left. */
async function tiltDeg(bench: ValidationBench, angleDeg: number): Promise<number> {
  const columns = await fireAlong(
    bench,
    singleLaser({
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
    ['hit_x_m', 'hit_y_m', 'hit_z_m'],
    { trajectory: stationary(atOrigin), toNs: pulses * laserSlotNs, seed: 1 },
  );
  const angleRad = radians(angleDeg);
  const [left, up] = [-Math.sin(angleRad), Math.cos(angleRad)];
  let [ofLeft, ofUp, ofBoth] = [0, 0, 0];
  for (let row = 0; row < columns.hit_x_m.length; row += 1) {
    const [x, y, z] = [
      columns.hit_x_m[row] ?? NaN,
      columns.hit_y_m[row] ?? NaN,
      columns.hit_z_m[row] ?? NaN,
    ];
    const toLeft = (x * left + y * up) / radiusM;
    const upwards = z / radiusM;
    ofLeft += toLeft ** 2;
    ofUp += upwards ** 2;
    ofBoth += toLeft * upwards;
  }
  return degrees(0.5 * Math.atan2(2 * ofBoth, ofUp - ofLeft));
}
