// Errors of a platform's navigation: a Gauss-Markov process of first order for each coordinate and each axis
// (PHYSICS.md, 1.6). A pure function of seed, leg and time since the leg's start: parts of a survey have the errors of
// the whole.
import { clamp } from '#domain/shared/numbers.ts';
import type { Pose } from '#contract/host/run.ts';
import { normals, purposes } from '#domain/random/philox.ts';
import { compose, type Vector3 } from '#domain/shared/pose.ts';
import { createGrowingTrajectory } from './growingTrajectory.ts';
import { trajectoryPoseAt, type Trajectory } from './trajectory.ts';
import type { SurveyLeg } from './surveyLegs.ts';

/** Standard deviation of a coordinate, in metres or radians, and the time in which an error falls to 1/e. */
export interface AxisNoise {
  /** The same for all axes, or x, y, z. */
  sigma: number | Vector3;
  correlationS: number;
}

/** Left out: no error. */
export interface PoseNoise {
  position?: AxisNoise | undefined;
  attitude?: AxisNoise | undefined;
}

/** Samples of the process in its correlation time; straight between them, which costs 2.5 % of the variance at most. */
const samplesPerCorrelation = 20;

/** Samples that a leg needs, those of both processes. */
export function noiseSamples({ fromNs, toNs }: SurveyLeg, noise: PoseNoise): number {
  return [noise.position, noise.attitude].reduce((sum, axis) => {
    return axis === undefined ? sum : sum + (toNs - fromNs) / stepNsOf(axis);
  }, 0);
}

/**
 * The trajectory of a leg with the poses that its navigation reports. Between samples of the processes the reported
 * poses are straight as well, so it has a pose at each of them.
 * @param leg number of the leg, from 0: legs have independent errors
 */
export function withPoseNoise(
  { fromNs, toNs, trajectory }: SurveyLeg,
  noise: PoseNoise,
  seed: number,
  leg: number,
): Trajectory {
  const position = processOf(noise.position, seed, purposes.posePosition, leg, { fromNs, toNs });
  const attitude = processOf(noise.attitude, seed, purposes.poseAttitude, leg, { fromNs, toNs });
  if (position === null && attitude === null) return trajectory;
  const times = sampleTimes(trajectory, { fromNs, toNs }, [position, attitude]);
  const poses = createGrowingTrajectory();
  const reported = new Float64Array(7 * times.length);
  for (const [index, timeNs] of times.entries()) {
    const truth = trajectoryPoseAt(trajectory, timeNs);
    poses.add(timeNs, truth);
    const [dx, dy, dz] = position?.at(timeNs) ?? [0, 0, 0];
    const turned = compose(truth, {
      positionM: [0, 0, 0],
      rotation: rotationOf(attitude?.at(timeNs) ?? [0, 0, 0]),
    });
    const [x, y, z] = truth.positionM;
    reported.set([x + dx, y + dy, z + dz, ...turned.rotation], 7 * index);
  }
  const { mount } = trajectory;
  return { ...poses.trajectory(), ...(mount && { mount }), reported };
}

interface Process {
  stepNs: number;
  /** Three values, straight between samples. */
  at(timeNs: number): [number, number, number];
}

/** x(k + 1) = r x(k) + sqrt(1 − r²) n(k), r = exp(−step / correlation): stationary from its first sample on. */
function processOf(
  noise: AxisNoise | undefined,
  seed: number,
  purpose: number,
  leg: number,
  { fromNs, toNs }: { fromNs: number; toNs: number },
): Process | null {
  if (noise === undefined) return null;
  const { sigma } = noise;
  const sigmas: Vector3 = typeof sigma === 'number' ? [sigma, sigma, sigma] : sigma;
  if (sigmas.every((each) => each === 0)) return null;
  const stepNs = stepNsOf(noise);
  const samples = Math.ceil((toNs - fromNs) / stepNs) + 2;
  const values = new Float64Array(3 * samples);
  const autocorrelation = Math.exp((-1e-9 * stepNs) / noise.correlationS);
  const innovationSigma = Math.sqrt(1 - autocorrelation * autocorrelation);
  for (let sample = 0; sample < samples; sample += 1) {
    const drawn = normals(seed, purpose, leg, sample);
    for (let axis = 0; axis < 3; axis += 1) {
      const draw = (sigmas[axis] ?? 0) * (drawn[axis] ?? 0);
      const before = values[3 * sample - 3 + axis] ?? 0;
      values[3 * sample + axis] =
        sample === 0 ? draw : autocorrelation * before + innovationSigma * draw;
    }
  }
  const at = (timeNs: number): [number, number, number] => {
    const place = clamp((timeNs - fromNs) / stepNs, 0, samples - 1);
    const sample = Math.min(samples - 2, Math.floor(place));
    const share = place - sample;
    const value = (axis: number): number => {
      const before = values[3 * sample + axis] ?? 0;
      return before + share * ((values[3 * sample + 3 + axis] ?? 0) - before);
    };
    return [value(0), value(1), value(2)];
  };
  return { stepNs, at };
}

function stepNsOf({ correlationS }: AxisNoise): number {
  return Math.max(1, Math.round((1e9 * correlationS) / samplesPerCorrelation));
}

/** Times of the trajectory and of the processes' samples within the leg, in order, each once. */
function sampleTimes(
  { time_ns: own }: Trajectory,
  { fromNs, toNs }: { fromNs: number; toNs: number },
  processes: readonly (Process | null)[],
): Float64Array {
  const stepsNs = processes.flatMap((process) => (process === null ? [] : [process.stepNs]));
  const samplesOf = (stepNs: number): number => Math.ceil((toNs - fromNs) / stepNs);
  const samples = stepsNs.reduce((sum, stepNs) => sum + samplesOf(stepNs), 0);
  const times = new Float64Array(own.length + 2 + samples);
  times.set([fromNs, toNs]);
  let count = 2;
  for (const time of own) times[count++] = Number(time);
  for (const stepNs of stepsNs) {
    for (let sample = 0; sample < samplesOf(stepNs); sample += 1) {
      times[count++] = fromNs + sample * stepNs;
    }
  }
  times.sort();
  let distinct = 0;
  for (const time of times) {
    if (distinct === 0 || time !== times[distinct - 1]) times[distinct++] = time;
  }
  return times.subarray(0, distinct);
}

/** The rotation by a vector: its direction the axis, its length the angle. */
function rotationOf([x, y, z]: readonly [number, number, number]): Pose['rotation'] {
  const angle = Math.hypot(x, y, z);
  if (angle === 0) return [0, 0, 0, 1];
  const part = Math.sin(angle / 2) / angle;
  return [part * x, part * y, part * z, Math.cos(angle / 2)];
}
