// Frames of motions at a time, against closed forms.
import { describe, expect, it } from 'vitest';
import type { MotionLaw } from '#contract/worker/motions.ts';
import { stepsOver } from '#domain/shared/motion/steps.ts';
import { displacementAt, frameAt } from '#domain/shared/motion/frames.ts';
import { attitudeOf, compose, rotationFromDegrees, type Vector3 } from '#domain/shared/pose.ts';

const yawDegAt = (law: MotionLaw, timeS: number): number =>
  (attitudeOf(frameAt(law, timeS).rotation).yawRad * 180) / Math.PI;

function keyframe(timeS: number, positionM: Vector3, yawDeg = 0) {
  return { timeS, positionM, rotation: rotationFromDegrees(yawDeg, 0, 0) };
}

describe('keyframes', () => {
  const linear: MotionLaw = {
    kind: 'keyframes',
    isSmooth: false,
    repeats: false,
    keyframes: [keyframe(1, [0, 0, 0]), keyframe(3, [4, 0, 2], 90), keyframe(4, [4, 6, 2], 90)],
  };

  it('are straight and turn evenly in between, and hold before and after', () => {
    expect(frameAt(linear, -5).positionM).toEqual([0, 0, 0]);
    expect(frameAt(linear, 1.5).positionM).toEqual([1, 0, 0.5]);
    expect(yawDegAt(linear, 1.5)).toBeCloseTo(22.5, 9);
    expect(frameAt(linear, 3.5).positionM).toEqual([4, 3, 2]);
    expect(frameAt(linear, 100).positionM).toEqual([4, 6, 2]);
  });

  it('begin again where they repeat, before the first one too', () => {
    const repeated = { ...linear, repeats: true };
    expect(frameAt(repeated, 1.5 + 3).positionM).toEqual([1, 0, 0.5]);
    expect(frameAt(repeated, 1.5 - 30).positionM).toEqual([1, 0, 0.5]);
  });

  it('turn by the shorter way', () => {
    const keyframes = [keyframe(0, [0, 0, 0], 170), keyframe(1, [0, 0, 0], -170)];
    for (const isSmooth of [false, true]) {
      const law: MotionLaw = { kind: 'keyframes', isSmooth, repeats: false, keyframes };
      expect(Math.abs(yawDegAt(law, 0.5))).toBeCloseTo(180, 6);
    }
  });

  it('of a spline are those of a parabola that they lie on, at uneven times', () => {
    const atS = [0, 0.5, 2, 3, 3.5, 5];
    const keyframes = atS.map((timeS) => keyframe(timeS, [3 * timeS, 2 - timeS ** 2, 1]));
    const law: MotionLaw = { kind: 'keyframes', isSmooth: true, repeats: false, keyframes };
    // Inner pieces have a neighbour on both sides.
    for (let timeS = 0.5; timeS <= 3.5; timeS += 0.1) {
      const [x, y, z] = frameAt(law, timeS).positionM;
      expect(x).toBeCloseTo(3 * timeS, 9);
      expect(y).toBeCloseTo(2 - timeS ** 2, 9);
      expect(z).toBeCloseTo(1, 9);
    }
  });
});

describe('a path', () => {
  const square: MotionLaw = {
    kind: 'path',
    pointsM: [
      [0, 0, 0],
      [10, 0, 0],
      [10, 10, 0],
      [0, 10, 0],
    ],
    speedMPerS: 2,
    startS: 1,
    isClosed: true,
    turnM: 1,
  };

  it('sets off at its start, at its speed, and heads along its way', () => {
    expect(frameAt(square, 0).positionM).toEqual([0, 0, 0]);
    expect(frameAt(square, 3).positionM).toEqual([4, 0, 0]);
    expect(yawDegAt(square, 3)).toBeCloseTo(0, 9);
    expect(frameAt(square, 1 + 15 / 2).positionM).toEqual([10, 5, 0]);
    expect(yawDegAt(square, 1 + 15 / 2)).toBeCloseTo(90, 9);
  });

  it('turns evenly about a corner: half of it at the corner', () => {
    expect(yawDegAt(square, 1 + 10 / 2)).toBeCloseTo(45, 9);
    expect(yawDegAt(square, 1 + 9.5 / 2)).toBeCloseTo(22.5, 9);
    expect(yawDegAt(square, 1 + 10.5 / 2)).toBeCloseTo(67.5, 9);
  });

  it('goes round where it is closed, and stays at the last point where it is not', () => {
    expect(frameAt(square, 1 + 44 / 2).positionM).toEqual([4, 0, 0]);
    const open = { ...square, isClosed: false };
    expect(frameAt(open, 1000).positionM).toEqual([0, 10, 0]);
  });
});

describe('about an axis', () => {
  it('rotates at its rate from its phase, and leaves the pivot', () => {
    const law: MotionLaw = {
      kind: 'rotating',
      pivotM: [3, 4, 5],
      axis: [0, 0, 1],
      phaseRad: Math.PI / 2,
      rateRadPerS: Math.PI,
    };
    const atPivot = compose(frameAt(law, 0.37), { positionM: [3, 4, 5], rotation: [0, 0, 0, 1] });
    for (const [axis, m] of [3, 4, 5].entries()) expect(atPivot.positionM[axis]).toBeCloseTo(m, 12);
    expect(yawDegAt(law, 0)).toBeCloseTo(90, 9);
    expect(yawDegAt(law, 0.25)).toBeCloseTo(135, 9);
    // From where it was at time 0.
    const by = displacementAt(law, 0.25);
    expect((attitudeOf(by.rotation).yawRad * 180) / Math.PI).toBeCloseTo(45, 9);
  });

  it('swings as a sine about an inclined axis', () => {
    const law: MotionLaw = {
      kind: 'swinging',
      pivotM: [0, 0, 2],
      axis: [1, 0, 0],
      phaseRad: 0,
      amplitudeRad: 0.1,
      periodS: 4,
    };
    const tip = compose(frameAt(law, 1), { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] });
    expect(tip.positionM[1]).toBeCloseTo(2 * Math.sin(0.1), 12);
    expect(tip.positionM[2]).toBeCloseTo(2 - 2 * Math.cos(0.1), 12);
  });
});

it('steps lie at the same times, whatever the interval, about a centre that does not move', () => {
  const law: MotionLaw = {
    kind: 'rotating',
    pivotM: [1, 0, 0],
    axis: [0, 0, 1],
    phaseRad: 0,
    rateRadPerS: 1,
  };
  const whole = stepsOver([law], { fromNs: 0, toNs: 500e6 });
  const part = stepsOver([law], { fromNs: 230e6, toNs: 330e6 });
  expect(whole.motion_steps).toHaveLength((6 * 50 + 1) * 7);
  expect(part.motion_steps).toHaveLength((3 * 50 + 1) * 7);
  expect(part.motion_steps).toEqual(whole.motion_steps.slice(100 * 7, (100 + 151) * 7));
  expect([...part.motion_centre_m]).toEqual([1, 0, 0]);
  const [x = 0, y = 0, z = 0] = part.motion_steps.slice(70 * 7);
  expect(Math.hypot(x - 1, y, z)).toBeLessThan(1e-12);
});
