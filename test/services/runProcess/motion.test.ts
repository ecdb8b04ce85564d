// A tick of true motion: its sub-steps, the pose between them, and the way of a sensor.
import { describe, expect, it } from 'vitest';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import { createJudge } from '#domain/truth/judge.ts';
import { quaternionOf } from '#domain/shared/pose.ts';
import { flatTerrain } from '#domain/truth/terrain.ts';
import { createVehicle } from '#domain/truth/vehicle.ts';
import {
  moveOneTick,
  poseAt,
  sensorTrajectory,
  type JudgedMotion,
} from '#services/runProcess/motion.ts';

const { vehicle } = scenarioSchema.parse({
  understory: 2,
  name: 'motion',
  scene: { materials: {}, models: {}, ground: { kind: 'none' } },
});
const forwards = { leftMPerS: 1, rightMPerS: 1 };

function ticks(count: number, tickNs: number): JudgedMotion[] {
  const judge = createJudge({
    vehicle,
    obstacles: [],
    cover: { xM: new Float32Array(), yM: new Float32Array(), radiusM: new Float32Array() },
  });
  const start = { positionM: [3, 4] as const, yawRad: 0 };
  const driven = createVehicle({ vehicle, start, terrain: flatTerrain(0) });
  return Array.from({ length: count }, (_, k) => moveOneTick(k, tickNs, forwards, driven, judge));
}

describe('motion of one tick', () => {
  it('continues where the last tick ended, in steps of at most 10 ms', () => {
    const [first, second] = ticks(2, 100e6) as [JudgedMotion, JudgedMotion];
    expect(first.timesNs).toEqual(Array.from({ length: 11 }, (_, i) => i * 10e6));
    expect(second.fromNs).toBe(first.toNs);
    expect(second.poses[0]).toEqual(first.poses.at(-1));
    expect(first.judged.pathLengthM).toBeCloseTo(first.state.pose.positionM[0] - 3, 9);
  });

  it('cuts a tick that is no multiple of 10 ms into equal whole nanoseconds', () => {
    const [motion] = ticks(1, 25e6) as [JudgedMotion];
    expect(motion.timesNs).toEqual([0, 8333333, 16666667, 25000000]);
  });

  it('gives the pose between two steps, and holds the ends', () => {
    const at = (xM: number, yawRad: number) => ({
      positionM: [xM, 0, 0] as [number, number, number],
      rotation: quaternionOf({ yawRad, pitchRad: 0, rollRad: 0 }),
    });
    const [motion] = ticks(1, 20e6) as [JudgedMotion];
    motion.poses = [at(0, 0), at(1, 0.02), at(3, 0.02)];
    expect(poseAt(motion, 0)).toEqual(at(0, 0));
    expect(poseAt(motion, 15e6).positionM[0]).toBeCloseTo(2, 12);
    expect(poseAt(motion, 99e6)).toEqual(at(3, 0.02));
    const half = quaternionOf({ yawRad: 0.01, pitchRad: 0, rollRad: 0 });
    poseAt(motion, 5e6).rotation.forEach((part, i) => expect(part).toBeCloseTo(half[i] ?? 0, 12));
  });

  it('takes the short way between two quaternions of opposite sign', () => {
    const [motion] = ticks(1, 10e6) as [JudgedMotion];
    const rotation = quaternionOf({ yawRad: 1, pitchRad: 0, rollRad: 0 });
    const opposite = rotation.map((part) => -part) as typeof rotation;
    motion.poses = [
      { positionM: [0, 0, 0], rotation },
      { positionM: [0, 0, 0], rotation: opposite },
    ];
    poseAt(motion, 5e6).rotation.forEach((part, i) =>
      expect(part).toBeCloseTo(rotation[i] ?? 0, 12),
    );
  });

  it('carries a sensor along, with times that increase', () => {
    const [motion] = ticks(1, 100e6) as [JudgedMotion];
    const trajectory = sensorTrajectory(motion, {
      positionM: [0.5, 0, 2],
      rotation: [0, 0, 0, 1],
    });
    expect(trajectory.time_ns).toEqual(BigInt64Array.from(motion.timesNs, BigInt));
    expect(trajectory.x_m[10]).toBeCloseTo(motion.state.pose.positionM[0] + 0.5, 12);
    expect([...trajectory.z_m]).toEqual(Array.from({ length: 11 }, () => 2));
  });
});
