// The rays of a pulse as lines: from the sensor to each hit, and those that met nothing as far as the sensor sees.
import { expect, it } from 'vitest';
import { pulseLines } from '#renderer/composables/scene/pulseLines.ts';

type Pulse = Parameters<typeof pulseLines>[0];

/** Rays that met something at 5 m ahead, or nothing. */
function pulseOf(hits: readonly boolean[], maxRangeM = 100): Pulse {
  return {
    scan: {
      settings: { pose: { positionM: [0, 0, 2], yawDeg: 0, pitchDeg: 0 } },
      recipe: { maxRangeM },
    },
    rays: hits.map((isHit, ray) => ({
      ray,
      left: 0,
      up: 0,
      weight: 1,
      hits: isHit ? [{ positionM: [5, 0, 2], classId: 1 }] : [],
    })),
    returns: [{ azimuthRad: 0, elevationRad: 0 }],
  } as unknown as Pulse;
}

it('end at what they met, the marked one in white', () => {
  const [first, second] = pulseLines(pulseOf([true, true]), 1);
  expect(first).toMatchObject({ fromM: [0, 0, 2], toM: [5, 0, 2], isHit: true });
  expect(first?.rgb).not.toEqual([1, 1, 1]);
  expect(second?.rgb).toEqual([1, 1, 1]);
});

it('that met nothing end no farther than the sensor sees', () => {
  const near = pulseLines(pulseOf([false], 10), null)[0];
  expect(near?.toM[0]).toBeCloseTo(10, 9);
  const far = pulseLines(pulseOf([false], 1000), null)[0];
  expect([far?.isHit, (far?.toM[0] ?? 0) < 1000]).toEqual([false, true]);
});

it('that met nothing are not drawn where no return has their direction', () => {
  expect(pulseLines({ ...pulseOf([false, true]), returns: [] }, null)).toHaveLength(1);
});

it('are 400 at most, and the marked one is always among them', () => {
  const many = pulseOf(Array.from({ length: 1000 }, () => true));
  expect(pulseLines(many, null).length).toBeLessThanOrEqual(400);
  const marked = pulseLines(many, 1).filter(({ rgb }) => rgb.every((one) => one === 1));
  expect(marked).toHaveLength(1);
});
