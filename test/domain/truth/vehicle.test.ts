// The skid-steered vehicle against closed forms: arcs, stopping distance, attitude on a plane, energy.
import { describe, expect, it } from 'vitest';
import { attitudeOf, rotate } from '#domain/shared/pose.ts';
import { flatTerrain, heightFieldTerrain, type Terrain } from '#domain/truth/terrain.ts';
import { createVehicle } from '#domain/truth/vehicle.ts';
import { defaults } from '../autonomy/discWorld.ts';

const { vehicle } = defaults({ startM: [0, 0], goalM: [10, 0] });
const dtS = 0.01;

function start(terrain: Terrain = flatTerrain(0), yawRad = 0, isBlocked?: () => boolean) {
  return createVehicle({
    vehicle,
    start: { positionM: [0, 0], yawRad },
    terrain,
    ...(isBlocked ? { isBlocked } : {}),
  });
}

describe('skid-steered vehicle', () => {
  it('drives the arc of its wheel speeds, turn slip taken off', () => {
    const instant = { ...vehicle, maxAccelerationMPerS2: 1e9 };
    const made = createVehicle({
      vehicle: instant,
      start: { positionM: [3, 4], yawRad: 0.7 },
      terrain: flatTerrain(0),
    });
    const command = { leftMPerS: 1, rightMPerS: 1.6 };
    const seconds = 5;
    for (let step = 0; step < seconds / dtS; step += 1) made.advance(command, dtS);
    const yawRate = (0.75 * 0.6) / vehicle.trackWidthM;
    const radiusM = 1.3 / yawRate;
    const end = 0.7 + yawRate * seconds;
    const [x, y] = made.state().pose.positionM;
    expect(x).toBeCloseTo(3 + radiusM * (Math.sin(end) - Math.sin(0.7)), 6);
    expect(y).toBeCloseTo(4 - radiusM * (Math.cos(end) - Math.cos(0.7)), 6);
    expect(attitudeOf(made.state().pose.rotation).yawRad).toBeCloseTo(end, 6);
    expect(made.state().yawRateRadPerS).toBeCloseTo(yawRate, 9);
  });

  it('needs v² / 2a to get up to speed and to stop', () => {
    const made = start();
    const speed = vehicle.maxSpeedMPerS;
    const rampM = speed ** 2 / (2 * vehicle.maxAccelerationMPerS2);
    // Asked for more than it can do; 4 s are more than the ramp takes.
    for (let step = 0; step < 400; step += 1) {
      made.advance({ leftMPerS: 9, rightMPerS: 9 }, dtS);
    }
    const rampS = speed / vehicle.maxAccelerationMPerS2;
    expect(made.state().pose.positionM[0]).toBeCloseTo(rampM + speed * (4 - rampS), 9);
    const before = made.state().pose.positionM[0];
    for (let step = 0; step < 400; step += 1) {
      made.advance({ leftMPerS: 0, rightMPerS: 0 }, dtS);
    }
    expect(made.state().pose.positionM[0] - before).toBeCloseTo(rampM, 9);
    expect(made.state().speedMPerS).toBe(0);
  });

  it('turns no faster than its greatest yaw rate', () => {
    const quick = { ...vehicle, maxYawRateDegPerS: 10 };
    const made = createVehicle({
      vehicle: quick,
      start: { positionM: [0, 0], yawRad: 0 },
      terrain: flatTerrain(0),
    });
    for (let step = 0; step < 300; step += 1) {
      made.advance({ leftMPerS: -2, rightMPerS: 2 }, dtS);
    }
    const { yawRad } = attitudeOf(made.state().pose.rotation);
    expect(yawRad).toBeLessThanOrEqual((30 * Math.PI) / 180);
    // 0.1 s at most go by until the wheels turn it at that rate.
    expect(yawRad).toBeGreaterThan((29 * Math.PI) / 180);
    expect(made.state().pose.positionM[0]).toBeCloseTo(0, 9);
  });

  it.each([0, 0.6, 2, -2.5])('is stationary on a tilted plane with heading %f', (yawRad) => {
    const plane = (x: number, y: number): number => 1 + 0.2 * x - 0.1 * y;
    const made = start({ heightM: plane }, yawRad);
    const { pose } = made.state();
    const [upX, upY, upZ] = rotate(pose.rotation, [0, 0, 1]);
    const length = Math.hypot(0.2, 0.1, 1);
    expect([upX, upY, upZ].map((v) => v * length)).toEqual([
      expect.closeTo(-0.2, 9),
      expect.closeTo(0.1, 9),
      expect.closeTo(1, 9),
    ]);
    expect(attitudeOf(pose.rotation).yawRad).toBeCloseTo(yawRad, 9);
    expect(pose.positionM[2]).toBeCloseTo(1, 9);
  });

  it('noses up when it climbs and covers less ground than it drives', () => {
    const made = start({ heightM: (x) => 0.5 * x });
    for (let step = 0; step < 300; step += 1) {
      made.advance({ leftMPerS: 1, rightMPerS: 1 }, dtS);
    }
    const { pose } = made.state();
    expect(attitudeOf(pose.rotation).pitchRad).toBeCloseTo(-Math.atan(0.5), 9);
    const drivenM = 3 - 1 / (2 * vehicle.maxAccelerationMPerS2);
    expect(pose.positionM[0]).toBeCloseTo(drivenM / Math.hypot(1, 0.5), 9);
    expect(pose.positionM[2]).toBeCloseTo(pose.positionM[0] / 2, 9);
  });

  it('does not move in a blocked step, and moves again when it backs out', () => {
    let isBlocked = false;
    const made = start(flatTerrain(0), 0, () => isBlocked);
    for (let step = 0; step < 100; step += 1) {
      made.advance({ leftMPerS: 1, rightMPerS: 1 }, dtS);
    }
    const before = made.state();
    isBlocked = true;
    made.advance({ leftMPerS: 1, rightMPerS: 1 }, dtS);
    expect(made.state().pose).toEqual(before.pose);
    expect(made.state().speedMPerS).toBe(0);
    isBlocked = false;
    for (let step = 0; step < 100; step += 1) {
      made.advance({ leftMPerS: -1, rightMPerS: -1 }, dtS);
    }
    expect(made.state().pose.positionM[0]).toBeLessThan(before.pose.positionM[0]);
  });

  it('spends its energy on speed, rolling and scrub', () => {
    const made = start();
    for (let step = 0; step < 500; step += 1) {
      made.advance({ leftMPerS: 1, rightMPerS: 1 }, dtS);
    }
    const lengthM = made.state().pose.positionM[0];
    const rolling = 0.08 * vehicle.massKg * 9.81 * lengthM;
    expect(made.state().energyJ).toBeCloseTo(rolling + vehicle.massKg / 2, 6);
    const straight = made.state().energyJ;
    const turning = start();
    for (let step = 0; step < 500; step += 1) {
      turning.advance({ leftMPerS: 0.5, rightMPerS: 1.5 }, dtS);
    }
    expect(turning.state().energyJ).toBeGreaterThan(straight);
  });
});

describe('height field', () => {
  const field = heightFieldTerrain({
    columns: 2,
    rows: 2,
    originM: [0, 0],
    stepM: [1, 1],
    heightsM: Float32Array.from([0, 1, 2, 7]),
  });
  it('is split from south-west to north-east', () => {
    expect(field.heightM(0.5, 0.5)).toBeCloseTo(3.5, 9);
    // South-east triangle: 0, 1, 7; north-west triangle: 0, 2, 7.
    expect(field.heightM(0.75, 0.25)).toBeCloseTo(0.75 * 1 + 0.25 * 6, 9);
    expect(field.heightM(0.25, 0.75)).toBeCloseTo(0.75 * 2 + 0.25 * 5, 9);
  });
  it('continues level beyond its edge', () => {
    expect(field.heightM(-5, 9)).toBe(2);
    expect(field.heightM(9, 9)).toBe(7);
  });
});
