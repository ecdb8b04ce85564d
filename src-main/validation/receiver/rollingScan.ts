// A rolling scan: each pulse leaves from the sensor's pose at its own time, and in the direction that it reports.
import { closedForm, formsPart } from '../closedForm.ts';
import { atOrigin, buildPlates, fireAlong } from '../laboratory.ts';
import { greatest, type Piece } from '../parts.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { stationary, straight } from '../trajectories.ts';

const pulses = 200;
const speedMPerS = 10;
const wallM = 20;

export const rollingScan: Piece = {
  name: 'rolling-scan',
  async run(bench) {
    await buildPlates(bench, { grey: { reflectance: 0.5 } }, [
      { material: 'grey', faceM: [wallM, 0, 0] },
      // To the left: only a head that turns as its azimuths say meets it where they say.
      { material: 'grey', faceM: [0, 8, 0], yawDeg: 90, sizeM: [20, 4] },
    ]);
    const toNs = pulses * laserSlotNs;
    const wayM = (speedMPerS * toNs) / 1e9;
    const moving = await fireAlong(bench, singleLaser({}), ['pulse', 'range_m'], {
      trajectory: straight([0, 0, 0], [wayM, 0, 0], toNs),
      toNs,
      seed: 1,
    });
    const errorsM = Array.from(moving.range_m, (rangeM, row) => {
      const secondsIn = (Number(moving.pulse[row]) * laserSlotNs) / 1e9;
      return rangeM - (wallM - speedMPerS * secondsIn);
    });
    const turning = await fireAlong(
      bench,
      singleLaser({ scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 3600 } }),
      ['azimuth_rad', 'range_m', 'hit_x_m', 'hit_y_m'],
      { trajectory: stationary(atOrigin), toNs: 1e8, seed: 1 },
    );
    const acrossM = Array.from(turning.azimuth_rad, (azimuthRad, row) => {
      const rangeM = turning.range_m[row] ?? NaN;
      return Math.hypot(
        rangeM * Math.cos(azimuthRad) - (turning.hit_x_m[row] ?? NaN),
        rangeM * Math.sin(azimuthRad) - (turning.hit_y_m[row] ?? NaN),
      );
    });
    return formsPart(
      `Rolling scan: a laser drives at ${speedMPerS} m/s towards a wall; another turns between two walls.`,
      [
        closedForm('rolling scan: range of each pulse of a moving laser, greatest error', {
          measured: greatest(errorsM),
          expected: 0,
          tolerance: 1e-5,
          unit: 'm',
          source: 'uniform motion: D − v·t at the time of the pulse',
        }),
        closedForm('turning head: greatest distance of hits from azimuth and range', {
          // 32-bit azimuths up to 2π (2.4e-7) and hits, at 30 m.
          measured: greatest(acrossM),
          expected: 0,
          tolerance: 3e-5,
          unit: 'm',
          source: 'polar coordinates, counter-clockwise from x (REP-103)',
        }),
      ],
    );
  },
};
