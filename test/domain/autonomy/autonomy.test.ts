// The closed loop in a world of cylinders: seeing it arrives unharmed, blind it does not; walled in it
// stops; stuck it backs out; and it gives the same commands every time.
import { describe, expect, it } from 'vitest';
import { createAutonomy } from '#domain/autonomy/autonomy.ts';
import { createInstruments } from '#domain/truth/instruments.ts';
import type { TickReadings } from '#domain/autonomy/signals.ts';
import { quaternionOf } from '#domain/shared/pose.ts';
import { uniforms } from '#domain/random/philox.ts';
import { defaults, driveThrough, type Cylinder } from './discWorld.ts';

const elevationsRad = [-15, -11, -7, -3, 1].map((deg) => (deg * Math.PI) / 180);
const startM: [number, number] = [0, 0];
const goalM: [number, number] = [24, 18];

/** Trunks at random places, one on the straight line, and tufts of grass that stop nothing. */
function grove(seed: number): Cylinder[] {
  const world: Cylinder[] = [{ xM: 12, yM: 9, radiusM: 0.4, heightM: 6, isSolid: true }];
  for (let n = 0; n < 14; n += 1) {
    const [x, y, size] = uniforms(seed, 300, 0, n);
    const trunk = { xM: 3 + 24 * x, yM: 20 * y, radiusM: 0.2 + 0.5 * size, heightM: 6 };
    const isNearEnds = [startM, goalM].some(
      ([endX, endY]) => Math.hypot(trunk.xM - endX, trunk.yM - endY) < 4,
    );
    if (!isNearEnds) world.push({ ...trunk, isSolid: true });
  }
  for (let n = 0; n < 60; n += 1) {
    const [x, y, size] = uniforms(seed, 301, 0, n);
    const heightM = 0.3 + 0.5 * size;
    const tuft = { xM: 2 + 25 * x, yM: -3 + 24 * y, radiusM: 0.1, heightM };
    world.push({ ...tuft, isSolid: false });
  }
  return world;
}

describe('autonomy', () => {
  it.each([1, 2, 3, 4, 5])('arrives through a grove without a collision (seed %i)', (seed) => {
    const driven = driveThrough({
      world: grove(seed),
      elevationsRad,
      startM,
      goalM,
      seed,
      maxTicks: 600,
    });
    expect(driven).toMatchObject({ activity: 'arrived', metrics: { collisions: 0 } });
    const [x, y] = driven.truth.positionM;
    expect(Math.hypot(x - goalM[0], y - goalM[1])).toBeLessThan(1.5);
    // A detour, but not a tour.
    expect(driven.metrics.pathLengthM).toBeLessThan(1.5 * 30);
  });

  it('runs into the trunk on the straight line when it is blind', () => {
    const world = grove(1);
    const options = { world, elevationsRad, startM, goalM, seed: 1, isBlind: true, maxTicks: 600 };
    expect(driveThrough(options).metrics.collisions).toBeGreaterThan(0);
  });

  it('backs out of what it cannot see and goes around it', () => {
    // Below the least elevation's reach there is nothing to be seen: a stump, felt by the bumper alone.
    const world: Cylinder[] = [{ xM: 8, yM: 0, radiusM: 0.3, heightM: 0, isSolid: true }];
    const driven = driveThrough({
      world,
      elevationsRad,
      startM,
      goalM: [16, 0],
      seed: 1,
      maxTicks: 600,
    });
    expect(driven.activity).toBe('arrived');
    expect(driven.metrics.collisions).toBeGreaterThan(0);
    expect(driven.metrics.collisions).toBeLessThan(5);
  });

  it('stops before a ring of trunks about the goal, and reports that it is stuck', () => {
    const world = Array.from({ length: 40 }, (_, n): Cylinder => {
      const angle = (2 * Math.PI * n) / 40;
      const [xM, yM] = [15 + 5 * Math.cos(angle), 5 * Math.sin(angle)];
      return { xM, yM, radiusM: 0.4, heightM: 6, isSolid: true };
    });
    const driven = driveThrough({
      world,
      elevationsRad,
      startM,
      goalM: [15, 0],
      seed: 2,
      maxTicks: 900,
    });
    expect(driven).toMatchObject({ activity: 'given-up', metrics: { collisions: 0 } });
    expect(driven.distanceToGoalM).toBeGreaterThan(4);
  });

  it('gives the same commands for the same readings, and does not move until there are any', () => {
    const options = { ...defaults({ startM, goalM }), sensors: [], body: null };
    const commands = [1, 2].map(() => {
      const autonomy = createAutonomy(options);
      const instruments = createInstruments({ vehicle: options.vehicle, seed: 9 });
      const pose = {
        positionM: [0, 0, 0] as [number, number, number],
        rotation: quaternionOf({ yawRad: 2, pitchRad: 0, rollRad: 0 }),
      };
      const stepOf = (readings: TickReadings) => {
        const located = autonomy.locate(readings);
        return autonomy.step({ timeNs: readings.timeNs, located, sightings: null });
      };
      const first = stepOf({ timeNs: 1e8, gps: [], compass: [] });
      expect(first).toMatchObject({
        activity: 'waiting',
        command: { leftMPerS: 0, rightMPerS: 0 },
        distanceToGoalM: 30,
      });
      return Array.from({ length: 20 }, (_, n) => {
        const fromNs = (n + 1) * 1e8;
        const readings = instruments.read(fromNs, fromNs + 1e8, () => pose);
        return stepOf({ timeNs: fromNs + 1e8, ...readings }).command;
      });
    });
    expect(commands[0]).toEqual(commands[1]);
    // The goal lies to the right of where it looks: it turns on the spot, clockwise.
    const { leftMPerS, rightMPerS } = commands[0]?.[5] ?? { leftMPerS: 0, rightMPerS: 0 };
    expect(leftMPerS).toBeGreaterThan(0);
    expect(rightMPerS).toBeCloseTo(-leftMPerS, 9);
  });

  it('drives the same way warmed up, and does not measure the warming up', () => {
    const options = { world: grove(1), elevationsRad, startM, goalM, seed: 1, maxTicks: 100 };
    const warm = driveThrough({ ...options, isWarm: true });
    expect(warm).toEqual(driveThrough(options));
    expect(warm.paths.filter((path) => path !== null).length).toBe(warm.plans);
    expect(warm.plans).toBeGreaterThan(10);
  });
});
