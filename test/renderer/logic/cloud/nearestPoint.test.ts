import { describe, expect, it } from 'vitest';
import { nearestPoint } from '#renderer/logic/cloud/nearestPoint.ts';

const origin = [0, 0, 0] as const;
const ahead = [1, 0, 0] as const;

describe('the point under the pointer', () => {
  it('is the front one of those behind one another', () => {
    const places = Float32Array.of(20, 0, 0, 10, 0.001, 0, 5, 1, 0);
    expect(nearestPoint(places, origin, ahead, 0.01)).toEqual({ row: 1, distanceM: 10 });
  });

  it('is the one nearest to the ray of neighbours', () => {
    const places = Float32Array.of(10, 0.09, 0, 10.2, 0.001, 0);
    expect(nearestPoint(places, origin, ahead, 0.01)?.row).toBe(1);
  });

  it('is null behind the camera and beyond the angle', () => {
    expect(nearestPoint(Float32Array.of(-10, 0, 0), origin, ahead, 0.01)).toBeNull();
    expect(nearestPoint(Float32Array.of(10, 0.2, 0), origin, ahead, 0.01)).toBeNull();
    expect(nearestPoint(new Float32Array(0), origin, ahead, 0.01)).toBeNull();
  });
});
