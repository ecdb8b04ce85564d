// Statistics against samples whose answer is known by hand.
import { describe, expect, it } from 'vitest';
import {
  densityPeak,
  ksCritical,
  ksDistance,
  smoothedDensity,
} from '#domain/metrics/distribution.ts';
import { binCentre, histogramOf, modesOf } from '#domain/metrics/histogram.ts';
import { normals, uniforms } from '#domain/random/philox.ts';

const uniform = (x: number): number => Math.min(1, Math.max(0, x));

describe("Kolmogorov and Smirnov's distance", () => {
  it('is that of a staircase by hand, on both sides of its steps', () => {
    // Steps of 1/4 at 0.1, 0.2, 0.3, 0.9 against x: the greatest gap is 3/4 − 0.3 just after 0.3.
    expect(ksDistance([0.9, 0.1, 0.3, 0.2], uniform)).toBeCloseTo(0.45, 12);
    // Just before 0.8 nothing has come yet.
    expect(ksDistance([0.8, 0.9], uniform)).toBeCloseTo(0.8, 12);
    // The middles of n equal pieces are 1/2n from the law.
    expect(ksDistance([0.125, 0.375, 0.625, 0.875], uniform)).toBeCloseTo(0.125, 12);
    expect(ksDistance([], uniform)).toBeNaN();
  });

  it('of a sample of the law itself is below the critical value, of another law above', () => {
    const count = 20_000;
    const sample = Array.from({ length: count }, (_, n) => uniforms(1, 99, 0, n)[0]);
    expect(ksDistance(sample, uniform)).toBeLessThan(ksCritical(count));
    // A law whose distribution function differs by 0.02 at most.
    expect(ksDistance(sample, (x) => uniform(x + 0.02))).toBeGreaterThan(ksCritical(count));
    expect(ksCritical(count)).toBeCloseTo(0.01379, 5);
  });
});

describe('smoothed density', () => {
  it('of one value is the kernel itself', () => {
    const density = smoothedDensity([1], 0.1);
    const [x, peak] = density.reduce((best, each) => (each[1] > best[1] ? each : best));
    expect(x).toBeCloseTo(1, 10);
    expect(peak).toBeCloseTo(1 / (0.1 * Math.sqrt(2 * Math.PI)), 10);
    const area = density.reduce((sum, [, each]) => sum + each * 0.005, 0);
    expect(area).toBeCloseTo(0.9973, 3); // three standard deviations either side
  });

  it('has its peak where the sample has', () => {
    const sample = Array.from({ length: 5000 }, (_, n) => normals(1, 99, 0, n)).flat();
    // The peak of 20,000 normal numbers, smoothed by 0.5: its own scatter is about 0.03.
    expect(Math.abs(densityPeak(sample, 0.5))).toBeLessThan(0.1);
    expect(densityPeak([...sample, ...sample.map((x) => 6 + x / 2)], 0.2)).toBeCloseTo(6, 0);
  });
});

describe('histogram', () => {
  it('counts between whole multiples of its width', () => {
    const histogram = histogramOf([0.31, 0.39, 0.41, 0.75], 0.1);
    expect(histogram.counts).toEqual([2, 1, 0, 0, 1]);
    expect(binCentre(histogram, 0)).toBeCloseTo(0.35, 12);
    expect(histogramOf([], 0.1).counts).toEqual([]);
  });

  const rule = { apart: 3, valleyShare: 0.8, minShare: 0.2 };
  const modes = (counts: number[]): number[] => modesOf({ from: 0, width: 1, counts }, rule).bins;

  it('has two modes where a valley is deep enough between two peaks far enough apart', () => {
    expect(modes([1, 10, 4, 2, 6, 1])).toEqual([1, 4]);
    expect(modesOf({ from: 0, width: 1, counts: [1, 10, 4, 2, 5, 1] }, rule)).toMatchObject({
      bins: [1, 4],
      valleyBin: 3,
      valleyRatio: 0.4,
    });
  });

  it.each([
    { why: 'the valley is shallow', counts: [1, 10, 7, 5, 6, 1] },
    { why: 'the peaks are near', counts: [1, 10, 2, 9, 1] },
    { why: 'the second is scatter of a tail', counts: [10, 8, 5, 0, 0, 1] },
    { why: 'there is one slope', counts: [9, 8, 7, 6, 5, 4, 3] },
  ])('has one mode where $why', ({ counts }) => {
    expect(modes(counts)).toHaveLength(1);
  });

  it('chooses the most prominent of several peaks', () => {
    expect(modes([20, 5, 5, 8, 5, 5, 12, 5])).toEqual([0, 6]);
  });
});
