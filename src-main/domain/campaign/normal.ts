// The normal distribution and its inverse. Only exp, log and sqrt are used, which V8 brings along: the same bits on every
// machine.

/**
 * Φ(x), relative error below 1e-12 for x ≤ 0: by Hart 1968 (algorithm 5666, as West 2005 prints it) near the middle, by
 * the continued fraction of the tail (Abramowitz and Stegun 1964, 26.2.14) outside.
 */
export function normalCdf(x: number): number {
  const size = Math.abs(x);
  if (size > 37) return x > 0 ? 1 : 0;
  const density = Math.exp(-(size * size) / 2);
  const tail =
    size < 3
      ? (density * polynomial(hartNumerator, size)) / polynomial(hartDenominator, size)
      : density / (tailFraction(size) * Math.sqrt(2 * Math.PI));
  return x > 0 ? 1 - tail : tail;
}

/** Φ⁻¹(p) for 0 < p < 1, by Wichura 1988 (AS 241, PPND16); relative error about 1e-16. */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(centreNumerator, r)) / polynomial(centreDenominator, r);
  }
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const size =
    r <= 5
      ? polynomial(middleNumerator, r - 1.6) / polynomial(middleDenominator, r - 1.6)
      : polynomial(tailNumerator, r - 5) / polynomial(tailDenominator, r - 5);
  return q < 0 ? -size : size;
}

/**
 * The value at share u (0 to 1) of a normal distribution that is truncated to [min, max], which may be infinite; by
 * inversion, so that equal shares give values in the same order.
 */
export function truncatedNormal(
  u: number,
  { mean, sigma }: { mean: number; sigma: number },
  min = -Infinity,
  max = Infinity,
): number {
  const [low, high] = [(min - mean) / sigma, (max - mean) / sigma];
  // Why mirrored: in the upper tail Φ is near 1, where differences lose their digits.
  const isUpper = low > 0;
  const [from, to] = isUpper
    ? [normalCdf(-low), normalCdf(-high)]
    : [normalCdf(low), normalCdf(high)];
  const share = Math.min(
    Math.max(from + u * (to - from), Number.MIN_VALUE),
    1 - Number.EPSILON / 2,
  );
  const z = isUpper ? -normalQuantile(share) : normalQuantile(share);
  return Math.min(max, Math.max(min, mean + sigma * z));
}

/** Coefficients from the constant term up. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}

/** x + 1/(x + 2/(x + 3/(x + …))): 80 levels are more than 15 digits from x = 3 on. */
function tailFraction(x: number): number {
  let fraction = x;
  for (let level = 80; level >= 1; level -= 1) fraction = x + level / fraction;
  return fraction;
}

const hartNumerator = [
  220.206867912376, 221.213596169931, 112.079291497871, 33.912866078383, 6.37396220353165,
  0.700383064443688, 0.0352624965998911,
];
const hartDenominator = [
  440.413735824752, 793.826512519948, 637.333633378831, 296.564248779674, 86.7807322029461,
  16.064177579207, 1.75566716318264, 0.0883883476483184,
];
const centreNumerator = [
  3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
  45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
];
const centreDenominator = [
  1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867,
  39307.89580009271061, 28729.085735721942674, 5226.495278852854561,
];
const middleNumerator = [
  1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
  1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833,
  7.7454501427834140764e-4,
];
const middleDenominator = [
  1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,
  0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9,
];
const tailNumerator = [
  6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
  0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5,
  2.01033439929228813265e-7,
];
const tailDenominator = [
  1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525,
  7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7,
  2.04426310338993978564e-15,
];
