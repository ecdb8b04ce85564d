// Laws of grass against what defines them: densities integrate to their distribution functions, and special
// cases that have closed forms.
import { describe, expect, it } from 'vitest';
import { incompleteGammaRatio, lnGamma } from '#domain/metrics/gammaFunction.ts';
import {
  exactLaw,
  exponentialLaw,
  gammaLaw,
  macedoLaw,
  type GrassStand,
} from '#domain/metrics/grassLaws.ts';

const stand: GrassStand = {
  densityPerM2: 50,
  diameterM: 0.01,
  distanceM: 30,
  divergenceRad: 1e-3,
};
const laws = { exponentialLaw, gammaLaw, macedoLaw, exactLaw };

/** Simpson's rule in 2n pieces. */
function integral(of: (x: number) => number, from: number, to: number, n = 2000): number {
  const step = (to - from) / (2 * n);
  let sum = of(from) + of(to);
  for (let piece = 1; piece < 2 * n; piece += 1) {
    sum += (piece % 2 === 1 ? 4 : 2) * of(from + piece * step);
  }
  return (sum * step) / 3;
}

describe('laws of grass', () => {
  it.each(Object.entries(laws))('%s: the density integrates to the law, and to 1', (_, lawOf) => {
    const { pdf, cdf } = lawOf(stand);
    for (const xM of [0.3, 1, 2.5, 7]) {
      expect(integral(pdf, 0.01, xM)).toBeCloseTo(cdf(xM) - cdf(0.01), 8);
    }
    expect(cdf(200)).toBeCloseTo(1, 12);
    expect(cdf(-0.1)).toBe(0);
    expect(pdf(-0.1)).toBe(0);
  });

  it('without divergence all are the exponential law', () => {
    const thin = { ...stand, divergenceRad: 0 };
    for (const xM of [0.1, 1, 4]) {
      const expected = 1 - Math.exp(-0.5 * xM);
      for (const lawOf of Object.values(laws))
        expect(lawOf(thin).cdf(xM)).toBeCloseTo(expected, 12);
    }
  });

  it("the corrected law of Macedo is the exact law where its a has the stem's diameter below it", () => {
    // λd·x(1 + a(r + D)/2) with a = γ/d is λ[d·x + γ(R² − D²)/2]: PHYSICS.md, 4.3.
    const perDiameter = { ...stand, divergenceRad: 2 * Math.atan(1e-3 / 0.01 / 2) };
    for (const xM of [0.2, 1, 3]) {
      expect(macedoLaw(perDiameter).cdf(xM)).toBeCloseTo(exactLaw(stand).cdf(xM), 12);
    }
  });

  it('the gamma law has shape 1 + γD² and mean 1/(λd)', () => {
    const { pdf } = gammaLaw(stand);
    expect(integral((xM) => xM * pdf(xM), 1e-6, 60, 20_000)).toBeCloseTo(2, 6);
    // Its mode is (α − 1)/(αλd), here 0.9/(1.9·0.5).
    const mode = 0.9 / (1.9 * 0.5);
    expect(pdf(mode)).toBeGreaterThan(pdf(mode - 0.01));
    expect(pdf(mode)).toBeGreaterThan(pdf(mode + 0.01));
  });
});

describe('gamma function', () => {
  it('is the factorial, and the root of π', () => {
    expect(lnGamma(11)).toBeCloseTo(Math.log(3_628_800), 12);
    expect(lnGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(lnGamma(0.25)).toBeCloseTo(Math.log(3.6256099082219083), 12);
  });

  it('has the closed incomplete ratios of whole shapes, on both sides of a + 1', () => {
    for (const x of [0.1, 1, 2.9, 3.1, 10, 40]) {
      expect(incompleteGammaRatio(1, x)).toBeCloseTo(1 - Math.exp(-x), 13);
      const third = 1 - Math.exp(-x) * (1 + x + x ** 2 / 2);
      expect(incompleteGammaRatio(3, x)).toBeCloseTo(third, 13);
    }
    expect(incompleteGammaRatio(2, 0)).toBe(0);
  });
});
