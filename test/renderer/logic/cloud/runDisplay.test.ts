// The history that a view receives of the time before it was opened.
import { describe, expect, it } from 'vitest';
import {
  historyRequests,
  pointShares,
  pointsPerView,
  trailStride,
} from '#renderer/logic/cloud/pointShares.ts';
import { drivenTicks, pathUntil } from '#renderer/logic/cloud/runDisplay.ts';

const ticksS = (count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, row) => (row + 1) / 10);

describe('the past of an instant', () => {
  it('is nothing at the first tick, and where nothing returns', () => {
    expect(historyRequests(ticksS(50), 0.1, 430_000, 30_000)).toEqual([]);
    expect(historyRequests(ticksS(50), 4, 430_000, 0)).toEqual([]);
  });

  it('is all ticks before, where they are few, with the points that each would have left', () => {
    const [newest, trail] = historyRequests(ticksS(50), 2, 430_000, 43_000);
    expect(newest).toEqual({
      isNewest: true,
      fromS: 1.8,
      toS: 2,
      maxScans: 2,
      maxPoints: 2 * 43_000,
    });
    expect(trail).toEqual({
      isNewest: false,
      fromS: 0.1,
      toS: 2,
      maxScans: 19,
      maxPoints: 19 * 1000,
    });
  });

  it('never overfills the trail, and reads a bounded number of scans', () => {
    for (const budgetPoints of [250_000, 430_000, 1_000_000, 2_000_000]) {
      const viewPoints = pointsPerView(budgetPoints);
      const [, trail] = historyRequests(ticksS(10_000), 900, budgetPoints, viewPoints);
      expect(trail?.maxPoints).toBeLessThanOrEqual(pointShares(budgetPoints).trail);
      // Less than a scan's share is left over.
      const share = Math.ceil(viewPoints / trailStride(budgetPoints));
      expect(trail?.maxPoints).toBeGreaterThan(pointShares(budgetPoints).trail - share);
      expect(trail?.maxScans).toBe(80);
      expect(trail?.toS).toBe(900);
    }
  });
});

describe('the way to an instant', () => {
  const columns = {
    time_s: Float64Array.of(0.1, 0.2, 0.3),
    truth_x_m: Float64Array.of(1, 2, 3),
    truth_y_m: Float64Array.of(4, 5, 6),
    truth_z_m: Float64Array.of(7, 8, 9),
    gps_x_m: Float64Array.of(10, NaN, 30),
    gps_y_m: Float64Array.of(11, NaN, 31),
    gps_z_m: Float64Array.of(12, NaN, 32),
  };

  it('holds every tick up to then, and the fixes that there were', () => {
    const ticks = drivenTicks(columns);
    const { xyzM, fixesM } = pathUntil(ticks, 0.25);
    expect(Array.from(xyzM)).toEqual([1, 4, 7, 2, 5, 8]);
    expect(Array.from(fixesM)).toEqual([10, 11, 12]);
    expect(Array.from(pathUntil(ticks, 9).fixesM)).toEqual([10, 11, 12, 30, 31, 32]);
  });

  it('is empty before the first tick, and before one is known', () => {
    expect(pathUntil(drivenTicks(columns), 0.05).xyzM).toHaveLength(0);
    const none = Object.fromEntries(Object.keys(columns).map((name) => [name, new Float64Array()]));
    expect(pathUntil(drivenTicks(none), 5).xyzM).toHaveLength(0);
    expect(() => drivenTicks({})).toThrow(TypeError);
  });
});
