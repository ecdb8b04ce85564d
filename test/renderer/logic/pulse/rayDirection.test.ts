import { describe, expect, it } from 'vitest';
import { rayDirection } from '#renderer/logic/pulse/rayDirection.ts';

const axis = { azimuthRad: 0, elevationRad: 0 };

describe('directions of rays', () => {
  it('turn with yaw and sink with pitch', () => {
    const [x, y, z] = rayDirection(axis, { left: 0, up: 0 }, { yawDeg: 90, pitchDeg: 30 });
    expect(x).toBeCloseTo(0, 12);
    expect(y).toBeCloseTo(Math.cos(Math.PI / 6), 12);
    expect(z).toBeCloseTo(-0.5, 12);
  });

  it('have their offsets to the left and up of the axis', () => {
    const [x, y, z] = rayDirection(axis, { left: 1, up: 0.5 }, { yawDeg: 0 });
    expect(y / x).toBeCloseTo(1, 12);
    expect(z / x).toBeCloseTo(0.5, 12);
    const [, left, up] = rayDirection(
      { azimuthRad: Math.PI / 2, elevationRad: 0.3 },
      { left: 0.1, up: 0 },
      { yawDeg: 0 },
    );
    expect(left).toBeGreaterThan(0);
    expect(up).toBeCloseTo(Math.sin(0.3) / Math.hypot(1, 0.1), 12);
  });
});
