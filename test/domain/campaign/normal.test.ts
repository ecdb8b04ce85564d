// The normal distribution against closed forms: the incomplete gamma function, and its own inverse.
import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile, truncatedNormal } from '#domain/campaign/normal.ts';
import { incompleteGammaRatio } from '#domain/metrics/gammaFunction.ts';

describe('normalCdf', () => {
  it('is the incomplete gamma function of x²/2', () => {
    for (let x = 0; x <= 5; x += 0.25) {
      const inside = incompleteGammaRatio(0.5, (x * x) / 2);
      expect(normalCdf(x)).toBeCloseTo(0.5 + inside / 2, 13);
      expect(normalCdf(-x)).toBeCloseTo(0.5 - inside / 2, 13);
    }
  });

  it('has the tail of the asymptotic series', () => {
    const x = 20;
    const series = 1 - 1 / x ** 2 + 3 / x ** 4 - 15 / x ** 6 + 105 / x ** 8;
    const tail = (Math.exp(-(x ** 2) / 2) / (x * Math.sqrt(2 * Math.PI))) * series;
    expect(normalCdf(-x) / tail).toBeCloseTo(1, 7);
    expect([normalCdf(-50), normalCdf(50)]).toEqual([0, 1]);
  });
});

describe('normalQuantile', () => {
  it('is the inverse, from the far tail to the middle', () => {
    for (const p of [1e-12, 1e-6, 1e-3, 0.02425, 0.075, 0.2, 0.5, 0.7, 0.925, 0.999]) {
      expect(normalCdf(normalQuantile(p)) / p).toBeCloseTo(1, 12);
    }
    // Tables: Φ(1.959963984540054) = 0.975.
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 14);
  });
});

describe('truncatedNormal', () => {
  const law = { mean: 3, sigma: 2 };

  it('without bounds is the quantile', () => {
    expect(truncatedNormal(0.975, law)).toBeCloseTo(3 + 2 * 1.959963984540054, 12);
  });

  it('has the mean of the truncated distribution, in both tails', () => {
    const density = (z: number): number => Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
    for (const [min, max] of [
      [2, 7],
      [9, 12],
      [-9, -4],
      [-Infinity, 1],
    ] as const) {
      const [a, b] = [(min - 3) / 2, (max - 3) / 2];
      const inside = a > 0 ? normalCdf(-a) - normalCdf(-b) : normalCdf(b) - normalCdf(a);
      const expected = 3 + (2 * ((a === -Infinity ? 0 : density(a)) - density(b))) / inside;
      const samples = 20_000;
      let sum = 0;
      let isInside = true;
      for (let n = 0; n < samples; n += 1) {
        const value = truncatedNormal((n + 0.5) / samples, law, min, max);
        isInside &&= value >= min && value <= max;
        sum += value;
      }
      expect(isInside).toBe(true);
      // The midpoint rule: its error falls with the spacing; an untruncated law would differ by 0.2 and more.
      expect(Math.abs(sum / samples - expected)).toBeLessThan(2e-3);
    }
  });

  it('gives its bounds at the ends', () => {
    expect(truncatedNormal(0, law, 2, 7)).toBeCloseTo(2, 12);
    expect(truncatedNormal(1, law, 2, 7)).toBeCloseTo(7, 12);
  });
});
