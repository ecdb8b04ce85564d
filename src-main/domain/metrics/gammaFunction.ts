// The gamma function and its incomplete ratio, for the law of grass (PHYSICS.md, 4.3).

/** ln Γ(a) for a > 0, by Lanczos's approximation (g = 7, n = 9; relative error below 1e-13). */
export function lnGamma(a: number): number {
  if (a < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * a)) - lnGamma(1 - a);
  const x = a - 1;
  const [first = 0, ...rest] = lanczos;
  const series = rest.reduce((sum, coefficient, n) => sum + coefficient / (x + n + 1), first);
  const t = x + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(series);
}

/**
 * P(a, x) = γ(a, x) / Γ(a) for a > 0, x ≥ 0: by its series below a + 1, by Lentz's continued fraction of
 * 1 − P above (Abramowitz and Stegun 1964, 6.5.29 and 6.5.31).
 */
export function incompleteGammaRatio(a: number, x: number): number {
  if (x <= 0) return 0;
  const scale = Math.exp(a * Math.log(x) - x - lnGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; term > sum * precision; n += 1) {
      term *= x / (a + n);
      sum += term;
    }
    return sum * scale;
  }
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1, change = 0; Math.abs(change - 1) > precision; n += 1) {
    const factor = -n * (n - a);
    b += 2;
    d = 1 / nonZero(factor * d + b);
    c = nonZero(b + factor / c);
    change = d * c;
    fraction *= change;
  }
  return 1 - fraction * scale;
}

const precision = 1e-15;
const tiny = 1e-300;

function nonZero(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];
