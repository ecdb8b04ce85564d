// Leaf-angle laws: densities that integrate to 1, and G at the angles of published tables.
import { describe, expect, it } from 'vitest';
import { leafAngleAt, leafAngleLaws, meanProjection } from '#domain/metrics/leafAngles.ts';
import { radians } from '#domain/shared/numbers.ts';

/** G at 0, 30, 90°. */
const published: Record<string, [number, number, number]> = {
  spherical: [0.5, 0.5, 0.5],
  planophile: [0.849, 0.738, 0.27],
  erectophile: [0.424, 0.451, 0.54],
  plagiophile: [0.679, 0.599, 0.432],
  uniform: [0.637, 0.595, 0.405],
};

describe.each(leafAngleLaws)('$name', (law) => {
  it('has a density that integrates to 1, and its own inverse', () => {
    const [last] = [Math.PI / 2];
    expect(law.cumulative(0)).toBeCloseTo(0, 12);
    expect(law.cumulative(last)).toBeCloseTo(1, 12);
    for (const u of [0.01, 0.3, 0.5, 0.9]) {
      const theta = leafAngleAt(law, u);
      expect(law.cumulative(theta)).toBeCloseTo(u, 12);
      const step = 1e-5;
      const slope = (law.cumulative(theta + step) - law.cumulative(theta - step)) / (2 * step);
      expect(slope).toBeCloseTo(law.density(theta), 6);
    }
  });

  it('has the published G at 0, 30 and 90 degrees', () => {
    const expected = published[law.name] ?? [];
    expect(expected).toHaveLength(3);
    for (const [n, degrees] of [0, 30, 90].entries()) {
      // To the last printed digit.
      expect(Math.abs(meanProjection(law, radians(degrees)) - (expected[n] ?? NaN))).toBeLessThan(
        6e-4,
      );
    }
  });
});
