// GPS and compass, and the estimate made of them alone: against the truth of a driven figure of eight.
import { describe, expect, it } from 'vitest';
import { createEstimator } from '#domain/autonomy/estimator.ts';
import { createInstruments } from '#domain/truth/instruments.ts';
import { wrapAngle } from '#domain/shared/numbers.ts';
import { attitudeOf, quaternionOf } from '#domain/shared/pose.ts';
import { flatTerrain } from '#domain/truth/terrain.ts';
import { createVehicle } from '#domain/truth/vehicle.ts';
import type { Pose } from '#contract/host/run.ts';
import { defaults } from './discWorld.ts';

const { vehicle } = defaults({ startM: [0, 0], goalM: [10, 0] });
const tickNs = 1e8;

describe('instruments', () => {
  const instruments = createInstruments({ vehicle, seed: 3 });
  const poseAt = (timeNs: number): Pose => ({
    positionM: [timeNs / 1e9, 5, 1],
    rotation: quaternionOf({ yawRad: 1, pitchRad: 0.1, rollRad: -0.1 }),
  });

  it('give the same readings however the interval is cut', () => {
    const whole = instruments.read(0, 10 * tickNs, poseAt);
    const parts = [0, 1, 2.5, 2.51, 7, 10].map((at) => at * tickNs);
    const cut = parts.slice(1).map((to, n) => instruments.read(parts[n] as number, to, poseAt));
    expect(cut.flatMap(({ gps }) => gps)).toEqual(whole.gps);
    expect(cut.flatMap(({ compass }) => compass)).toEqual(whole.compass);
    expect(whole.gps).toHaveLength(vehicle.gps.rateHz);
    expect(whole.compass).toHaveLength(vehicle.compass.rateHz);
  });

  it('are off by the standard deviations of the vehicle', () => {
    const { gps, compass } = instruments.read(0, 400e9, poseAt);
    const off = (values: number[]): number =>
      Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
    const gpsOffM = off(gps.map(({ timeNs, positionM }) => positionM[0] - timeNs / 1e9));
    // Four standard errors of a standard deviation: 4/√(2n).
    const relative = 4 / Math.sqrt(2 * gps.length);
    expect(Math.abs(gpsOffM / vehicle.gps.sigmaM - 1)).toBeLessThan(relative);
    const sigmaRad = (vehicle.compass.sigmaDeg * Math.PI) / 180;
    for (const name of ['headingRad', 'pitchRad', 'rollRad'] as const) {
      const truth = { headingRad: 1, pitchRad: 0.1, rollRad: -0.1 }[name];
      const offRad = off(compass.map((reading) => reading[name] - truth));
      const tolerance = 4 / Math.sqrt(2 * compass.length);
      expect(Math.abs(offRad / sigmaRad - 1)).toBeLessThan(tolerance);
    }
  });
});

describe('estimator', () => {
  it.each([1, 2, 3])('stays within its own bound on a figure of eight (seed %i)', (seed) => {
    const truth = createVehicle({
      vehicle,
      start: { positionM: [0, 0], yawRad: 0 },
      terrain: flatTerrain(0),
    });
    const instruments = createInstruments({ vehicle, seed });
    const estimator = createEstimator(vehicle);
    let [squareM2, squareRad2, samples] = [0, 0, 0];
    let stated = estimator.sigma();
    for (let tick = 0; tick < 400; tick += 1) {
      const fromNs = tick * tickNs;
      const isLeft = Math.floor(tick / 100) % 2 === 0;
      const command = { leftMPerS: isLeft ? 1.2 : 1.8, rightMPerS: isLeft ? 1.8 : 1.2 };
      const poses = [truth.state().pose];
      for (let step = 0; step < 10; step += 1) {
        truth.advance(command, 0.01);
        poses.push(truth.state().pose);
      }
      const poseAt = (timeNs: number): Pose => poses[Math.round((timeNs - fromNs) / 1e7)] as Pose;
      const { gps, compass } = instruments.read(fromNs, fromNs + tickNs, poseAt);
      estimator.advance(gps, compass, fromNs + tickNs);
      stated = estimator.sigma();
      if (tick < 20) continue;
      for (let ns = 0; ns <= tickNs; ns += 1e7) {
        const estimate = estimator.at(fromNs + ns);
        const { positionM, rotation } = poseAt(fromNs + ns);
        const offM = [estimate.xM - positionM[0], estimate.yM - positionM[1]];
        const offRad = wrapAngle(estimate.yawRad - attitudeOf(rotation).yawRad);
        // Five stated standard deviations; on top of the heading's what it lags where a turn begins:
        // angular acceleration 1.6 rad/s² over the square of the filter's bandwidth, 17 rad/s.
        expect(Math.abs(offM[0] as number)).toBeLessThan(5 * stated.positionM);
        expect(Math.abs(offM[1] as number)).toBeLessThan(5 * stated.positionM);
        expect(Math.abs(offRad)).toBeLessThan(5 * stated.headingRad + 1.6 / 17 ** 2);
        squareM2 += ((offM[0] as number) ** 2 + (offM[1] as number) ** 2) / 2;
        squareRad2 += offRad ** 2;
        samples += 1;
      }
    }
    // Better than the bare instruments, and no better than stated by more than half.
    const rmsM = Math.sqrt(squareM2 / samples);
    expect(rmsM).toBeLessThan(1.3 * stated.positionM);
    expect(rmsM).toBeLessThan(vehicle.gps.sigmaM);
    const rmsRad = Math.sqrt(squareRad2 / samples);
    expect(rmsRad).toBeLessThan(1.3 * stated.headingRad);
    expect(rmsRad).toBeLessThan((vehicle.compass.sigmaDeg * Math.PI) / 180);
  });

  it('is not ready before a fix and a reading have come', () => {
    const estimator = createEstimator(vehicle);
    expect(estimator.isReady()).toBe(false);
    expect(() => estimator.at(0)).toThrow('before it was ready');
    estimator.advance([{ timeNs: 0, positionM: [1, 2, 3] }], [], tickNs);
    expect(estimator.isReady()).toBe(false);
    const reading = { timeNs: tickNs, headingRad: 1, rollRad: 0, pitchRad: 0 };
    estimator.advance([], [reading], 2 * tickNs);
    expect(estimator.at(2 * tickNs)).toMatchObject({ xM: 1, yM: 2, zM: 3, yawRad: 1 });
  });

  it('states covariances that cover its errors on a straight drive', () => {
    const speedMPerS = 1.5;
    const yawRad = 0.6;
    const square = { x: 0, y: 0, yaw: 0, speed: 0 };
    let samples = 0;
    for (let seed = 1; seed <= 10; seed += 1) {
      const instruments = createInstruments({ vehicle, seed });
      const estimator = createEstimator(vehicle);
      const poseAt = (timeNs: number): Pose => {
        const lengthM = (speedMPerS * timeNs) / 1e9;
        return {
          positionM: [lengthM * Math.cos(yawRad), lengthM * Math.sin(yawRad), 0],
          rotation: quaternionOf({ yawRad, pitchRad: 0, rollRad: 0 }),
        };
      };
      for (let tick = 0; tick < 200; tick += 1) {
        const [fromNs, toNs] = [tick * tickNs, (tick + 1) * tickNs];
        const { gps, compass } = instruments.read(fromNs, toNs, poseAt);
        estimator.advance(gps, compass, toNs);
        if (tick < 50) continue;
        const estimate = estimator.at(toNs);
        const { poseCovariance, twistCovariance, linearMPerS } = estimator.motion();
        const [x, y] = poseAt(toNs).positionM;
        const share = (error: number, variance = Number.NaN): number => error ** 2 / variance;
        square.x += share(estimate.xM - x, poseCovariance[0]);
        square.y += share(estimate.yM - y, poseCovariance[7]);
        square.yaw += share(wrapAngle(estimate.yawRad - yawRad), poseCovariance[35]);
        square.speed += share(linearMPerS[0] - speedMPerS, twistCovariance[0]);
        expect(poseCovariance[6]).toBe(poseCovariance[1]);
        samples += 1;
      }
    }
    // The filter allows for accelerations and turns, and here there are none: its errors are smaller than it states,
    // but not by orders. Without such allowance the mean is 1; a fifth more is four standard errors of 200 free
    // samples.
    for (const sum of Object.values(square)) {
      expect(sum / samples).toBeGreaterThan(0.01);
      expect(sum / samples).toBeLessThan(1.4);
    }
  });
});
