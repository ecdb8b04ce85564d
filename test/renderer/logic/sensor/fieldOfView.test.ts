// The page's drawing of a field of view against the sensor's own angles.
import { describe, expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { fieldOfView } from '#domain/shared/fieldOfView.ts';
import { fieldEdges, laserFan } from '#renderer/logic/sensor/fieldOfView.ts';

const degree = Math.PI / 180;
const spinning: SensorRecipe = {
  id: 'one',
  scan: { kind: 'spinning', rateHz: 10 },
  slotsPerSecond: 100,
  banks: [{ elevationsRad: [-20 * degree, 0, 10 * degree], rings: [0, 1, 2] }],
  slotPattern: [0],
  minRangeM: 0,
  maxRangeM: 100,
  beam: {
    shape: 'circular',
    divergenceHorizontalRad: 0,
    divergenceVerticalRad: 0,
    stencil: 'moment',
  },
  returns: { mode: 'strongest', signalCutoffM: 1, window: false },
};

function places(segments: Float32Array): { azimuth: number; elevation: number; length: number }[] {
  return Array.from({ length: segments.length / 3 }, (_, at) => {
    const [x = 0, y = 0, z = 0] = segments.subarray(3 * at, 3 * at + 3);
    const length = Math.hypot(x, y, z);
    return { azimuth: Math.atan2(y, x), elevation: Math.asin(z / (length || 1)), length };
  });
}

describe('the field of view', () => {
  it('of what turns lies between its lowest and its highest laser, all around', () => {
    const ends = places(fieldEdges(fieldOfView(spinning), 5)).filter(({ length }) => length > 0);
    expect(ends.every(({ length }) => Math.abs(length - 5) < 1e-5)).toBe(true);
    const elevations = new Set(ends.map(({ elevation }) => Math.round(elevation / degree)));
    expect([...elevations].sort((a, b) => a - b)).toEqual([-20, 10]);
    expect(Math.max(...ends.map(({ azimuth }) => azimuth))).toBeGreaterThan(3);
    expect(Math.min(...ends.map(({ azimuth }) => azimuth))).toBeLessThan(-3);
  });

  it('of a sweep ends at its sides', () => {
    const scan = {
      kind: 'sweep',
      rateHz: 10,
      minAzimuthRad: -50 * degree,
      maxAzimuthRad: 30 * degree,
      slotsPerScan: 81,
    } as const;
    const ends = places(fieldEdges(fieldOfView({ ...spinning, scan }), 5)).filter(
      ({ length }) => length > 0,
    );
    expect(Math.min(...ends.map(({ azimuth }) => azimuth))).toBeCloseTo(-50 * degree, 5);
    expect(Math.max(...ends.map(({ azimuth }) => azimuth))).toBeCloseTo(30 * degree, 5);
  });

  it('of an image has four corners', () => {
    const scan = {
      kind: 'image',
      rateHz: 10,
      columns: 200,
      rows: 100,
      horizontalFovRad: 90 * degree,
    } as const;
    const edges = fieldEdges(fieldOfView({ ...spinning, scan }), 2);
    expect(edges.length).toBe(6 * 8);
    // tan 45° = 1: 2 m ahead as wide either side, half as high.
    expect([...edges.subarray(3, 6)].map((value) => Math.round(1e5 * value) / 1e5)).toEqual([
      2, 2, 1,
    ]);
    expect(laserFan({ ...spinning, scan }, 2, 10)).toHaveLength(0);
  });

  it('has a beam for each laser in its fan, or every n-th', () => {
    const fan = places(laserFan(spinning, 3, 10)).filter(({ length }) => length > 0);
    expect(fan.map(({ elevation }) => Math.round(elevation / degree))).toEqual([-20, 0, 10]);
    expect(laserFan(spinning, 3, 2)).toHaveLength(12);
  });
});
