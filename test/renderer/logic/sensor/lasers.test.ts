import { describe, expect, it } from 'vitest';
import { laserBeams } from '#renderer/logic/sensor/lasers.ts';

const degree = Math.PI / 180;
const lasers = {
  laser_ring: Uint16Array.of(0, 1, 2, 3),
  laser_elevation_rad: Float64Array.of(-30 * degree, -1 * degree, 0, 10 * degree),
};
const view = { heightM: 2, reachM: 30, maxRangeM: 70, most: 100 };

describe('lasers from the side', () => {
  it('meet flat ground at h / tan(elevation), or not within the range', () => {
    const [steep, flat, level, up] = laserBeams(lasers, view);
    expect(steep?.groundM).toBeCloseTo(2 / Math.tan(30 * degree), 9);
    // 2 m / sin 1° is 114.6 m: beyond the range of 70 m.
    expect(flat?.groundM).toBeNull();
    expect(level?.groundM).toBeNull();
    expect(up?.groundM).toBeNull();
  });

  it('end on the ground or at the edge of the picture', () => {
    const [steep, flat, level, up] = laserBeams(lasers, view);
    expect(steep?.endM.up).toBeCloseTo(-2, 9);
    expect(flat?.endM.ahead).toBeCloseTo(30, 9);
    expect(level?.endM).toEqual({ ahead: 30, up: 0 });
    expect(up?.endM.up).toBeCloseTo(30 * Math.tan(10 * degree), 9);
  });

  it('end at the greatest range', () => {
    const [, flat] = laserBeams(lasers, { ...view, maxRangeM: 10 });
    expect(Math.hypot(flat?.endM.ahead ?? 0, flat?.endM.up ?? 0)).toBeCloseTo(10, 9);
  });

  it('are thinned evenly', () => {
    expect(laserBeams(lasers, { ...view, most: 2 }).map(({ ring }) => ring)).toEqual([0, 2]);
  });
});
