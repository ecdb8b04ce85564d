// The motions that the benchmarks scan along: a sensor that moves level, slowly and straight, cut into ticks
// as a drive is, and ticks of a drive itself.
import { badInput } from '#contract/errors.ts';
import type { CompiledScenario, CompiledSensor, Pose, TickRecord } from '#contract/host/run.ts';
import { driveFromWorld } from '#domain/scene/georeference.ts';
import { quaternionOf } from '#domain/shared/pose.ts';
import { terrainOf } from '#domain/truth/terrain.ts';
import type { TickMotion } from '#services/runProcess/motion.ts';

/** Where the sensor starts; it moves along its heading. */
export interface SensorStart {
  positionM: [number, number, number];
  yawRad: number;
  pitchRad: number;
}

const speedMPerS = 2;
const stepNs = 10_000_000;

/**
 * The first sensor of the scenario where the mission starts, looking at its goal.
 * @throws 'bad-input' without a mission
 */
export function missionStart(compiled: CompiledScenario, heights: Float32Array): SensorStart {
  const { mission } = driveFromWorld(compiled.scenario);
  if (mission === undefined) {
    const message = 'expected a pose: the scenario has no mission to start at';
    throw badInput('pose', message, {
      code: 'missing',
      title: 'the benchmark has no place for its sensor',
    });
  }
  const [xM, yM] = mission.startM;
  const [goalX, goalY] = mission.goalM;
  const groundM = terrainOf(compiled.recipe, heights).heightM(xM, yM);
  const mountM = compiled.sensors[0]?.mount.positionM[2] ?? 2;
  return {
    positionM: [xM, yM, groundM + mountM],
    yawRad: Math.atan2(goalY - yM, goalX - xM),
    pitchRad: 0,
  };
}

/** The sensor by itself: its poses are those of the vehicle. */
export function unmounted(sensor: CompiledSensor): CompiledSensor {
  return { ...sensor, mount: { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] } };
}

/**
 * The motion over [0, seconds) in ticks of `tickNs`. Every tick has the poses of its neighbours, too, so that a
 * block of pulses that lies across two ticks, and is no longer than one, has the same rays in both.
 */
export function slowMotion(
  { positionM: [x, y, z], yawRad, pitchRad }: SensorStart,
  seconds: number,
  tickNs: number,
): TickMotion[] {
  const endNs = Math.round(seconds * 1e9);
  const rotation = quaternionOf({ yawRad, pitchRad, rollRad: 0 });
  const timesNs: number[] = [];
  const poses: Pose[] = [];
  for (let timeNs = 0; timeNs < endNs + stepNs; timeNs += stepNs) {
    const alongM = (speedMPerS * timeNs) / 1e9;
    timesNs.push(timeNs);
    poses.push({
      positionM: [x + alongM * Math.cos(yawRad), y + alongM * Math.sin(yawRad), z],
      rotation,
    });
  }
  const motions: TickMotion[] = [];
  for (let fromNs = 0, tick = 0; fromNs < endNs; fromNs += tickNs, tick += 1) {
    const toNs = Math.min(endNs, fromNs + tickNs);
    const [first, end] = [fromNs - tickNs, toNs + tickNs].map((ns) =>
      Math.max(0, Math.ceil(ns / stepNs)),
    ) as [number, number];
    motions.push({
      tick,
      fromNs,
      toNs,
      timesNs: timesNs.slice(first, end + 1),
      poses: poses.slice(first, end + 1),
      state: stateAt(poses.slice(0, Math.ceil(toNs / stepNs) + 1)),
    });
  }
  return motions;
}

/** The motion of a vehicle between two ticks of a drive, straight from pose to pose. */
export function drivenMotion(before: TickRecord, after: TickRecord): TickMotion {
  const { tick, timeNs: toNs } = after;
  const fromNs = before.timeNs;
  const poses = [before.truth, after.truth];
  const timesNs = [fromNs, toNs];
  return { tick, fromNs, toNs, timesNs, poses, state: stateAt(poses) };
}

function stateAt(poses: Pose[]): TickMotion['state'] {
  const pose = poses.at(-1) as Pose;
  return { pose, speedMPerS, yawRateRadPerS: 0, energyJ: 0 };
}
