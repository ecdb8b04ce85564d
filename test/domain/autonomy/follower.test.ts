// The follower on its own: turning on the spot, following a line, stopping before obstacles; and the watch
// that detects a vehicle that is stuck.
import { describe, expect, it } from 'vitest';
import { createPointCostMap } from '#test/support/referenceMap.ts';
import type { Estimate } from '#domain/autonomy/estimator.ts';
import { createFollower } from '#domain/autonomy/follower.ts';
import { arcEnd, drive } from '#domain/autonomy/kinematics.ts';
import { createRecovery } from '#domain/autonomy/recovery.ts';
import { standstill, type WheelCommand } from '#domain/autonomy/signals.ts';
import { defaults } from './discWorld.ts';

const { vehicle } = defaults({ startM: [0, 0], goalM: [10, 0] });
const geometry = { cells: 120, cellM: 0.5, originM: [-10, -30] as [number, number] };
const straight = {
  xM: Float32Array.of(0, 40),
  yM: Float32Array.of(0, 0),
  isGoalReached: true,
};

/** Follows a route without noise or delay, a command every 0.1 s. */
function followed(start: { xM: number; yM: number; yawRad: number }, ticks: number) {
  const follower = createFollower(vehicle);
  const map = createPointCostMap(geometry, 1.5);
  let pose = start;
  let wheels: WheelCommand = standstill;
  const track = [];
  for (let tick = 0; tick < ticks; tick += 1) {
    const { command } = follower.follow({ pose, wheels, route: straight, map });
    const driven = drive(vehicle, wheels, command, 0.1);
    pose = arcEnd(pose, driven.step);
    wheels = driven.speeds;
    track.push({ ...pose, wheels, command });
  }
  return track;
}

describe('follower', () => {
  it('turns on the spot towards a path behind it', () => {
    const track = followed({ xM: 0, yM: 0, yawRad: 2.8 }, 20);
    for (const { xM, yM } of track) expect(Math.hypot(xM, yM)).toBeLessThan(0.05);
    const [first] = track;
    expect(first?.command.leftMPerS).toBeGreaterThan(0);
    expect(first?.command.rightMPerS).toBeLessThan(0);
  });

  it('comes back to the line from 2 m beside it, and stays', () => {
    const track = followed({ xM: 0, yM: 2, yawRad: 0 }, 200);
    for (const { yM } of track) expect(yM).toBeGreaterThan(-0.3);
    for (const { xM, yM } of track) {
      if (xM > 12) expect(Math.abs(yM)).toBeLessThan(0.1);
    }
    expect(Math.max(...track.map(({ xM }) => xM))).toBeGreaterThan(20);
  });

  it('asks for no more than the wheels can do, and stops at the end', () => {
    const track = followed({ xM: 20, yM: 1, yawRad: 0.4 }, 300);
    for (const { command } of track) {
      expect(Math.abs(command.leftMPerS)).toBeLessThanOrEqual(vehicle.maxSpeedMPerS + 1e-9);
      expect(Math.abs(command.rightMPerS)).toBeLessThanOrEqual(vehicle.maxSpeedMPerS + 1e-9);
    }
    const end = track.at(-1);
    expect(Math.abs((end?.xM ?? 0) - 40)).toBeLessThan(0.5);
  });

  it('stops before an obstacle within its stopping distance', () => {
    const map = createPointCostMap(geometry, 1.5);
    map.mark(3.25, 0.25);
    const follower = createFollower(vehicle);
    const wheels = { leftMPerS: 2, rightMPerS: 2 };
    const at = (xM: number) =>
      follower.follow({ pose: { xM, yM: 0, yawRad: 0 }, wheels, route: straight, map });
    expect(at(0)).toEqual({ command: standstill, isObstructed: true });
    expect(at(-8).isObstructed).toBe(false);
  });
});

describe('recovery', () => {
  const estimate = (xM: number, yawRad = 0): Estimate => ({
    xM,
    yM: 0,
    zM: 0,
    yawRad,
    pitchRad: 0,
    rollRad: 0,
    speedMPerS: 0,
    yawRateRadPerS: 0,
  });
  const forwards = { leftMPerS: 1, rightMPerS: 1 };

  it('leaves a vehicle alone that moves or turns', () => {
    const recovery = createRecovery();
    for (let tick = 0; tick < 200; tick += 1) {
      const step = recovery.step(tick * 1e8, estimate(tick * 0.02), forwards, true);
      expect(step.state).toBe('going');
    }
    const turning = createRecovery();
    for (let tick = 0; tick < 200; tick += 1) {
      const step = turning.step(tick * 1e8, estimate(0, tick * 0.02), forwards, true);
      expect(step.state).toBe('going');
    }
  });

  it('backs out after 3 s without progress, and reports stuck after six tries in one place', () => {
    const recovery = createRecovery();
    const found: number[] = [];
    let tick = 0;
    for (; tick < 1000; tick += 1) {
      const step = recovery.step(tick * 1e8, estimate(0), forwards, true);
      if (step.isNewlyStuck) found.push(tick);
      if (step.state === 'backing-out') {
        expect(step.command?.leftMPerS).toBeLessThan(0);
        expect(step.command?.rightMPerS).toBeLessThan(0);
      }
      if (step.state === 'given-up') break;
    }
    expect(found).toEqual([30, 80, 130, 180, 230, 280]);
    expect(tick).toBe(330);
  });

  it('resets its tries once it has got away', () => {
    const recovery = createRecovery();
    let timeNs = 0;
    for (let place = 0; place < 10; place += 1) {
      for (let tick = 0; tick < 60; tick += 1) {
        const { state } = recovery.step(timeNs, estimate(5 * place), forwards, true);
        expect(state).not.toBe('given-up');
        timeNs += 1e8;
      }
    }
  });

  it('reports stuck sooner where no path leads on, and marks nothing while it waits', () => {
    const recovery = createRecovery();
    for (let tick = 0; ; tick += 1) {
      const step = recovery.step(tick * 1e8, estimate(0), standstill, false);
      expect(step.isNewlyStuck).toBe(false);
      if (step.state !== 'given-up') continue;
      expect(tick).toBe(80);
      break;
    }
  });
});
