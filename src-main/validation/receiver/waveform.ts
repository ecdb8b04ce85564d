// Waveform: the peak of one surface lies at its range; two equal ones are two from 3.3 σ apart on; two unequal
// ones have theirs where the derivative of the sum vanishes.
import { about, closedForm, form, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { plates } from '../scenes.ts';
import { singleLaser } from '../simpleSensors.ts';

const [pulseWidthNs, binNs] = [4, 0.25];
/** Half the speed of light, in metres of range for each nanosecond. */
const rangePerNs = 0.299792458 / 2;
const sigmaM = (pulseWidthNs * rangePerNs) / (2 * Math.sqrt(2 * Math.LN2));
const binM = binNs * rangePerNs;
const nearM = 10;
const bright = 0.8;
const divergenceMrad = 1;
/** Separations in σ, beside the limit. */
const separations = Array.from({ length: 17 }, (_, n) => 3.1 + n * 0.025);
/** 2·exp(−d²/8), the sum between two, is half of 1 + exp(−d²/2), that at either. */
const halvingSeparation = 3.3255;

const [dark, apartM] = [bright / 3, 1.2 * sigmaM];

const twoRays = {
  sensor: singleLaser({
    divergenceMrad,
    beam: { stencil: 'rays', rays: { count: 2 } },
    returns: { mode: 'all', maxReturns: 4, signalCutoffM: 1, waveform: { binNs, pulseWidthNs } },
  }),
  columns: ['range_m'],
} as const;

/** A plate above the axis, a wall behind it. */
function plateBefore(apartM: number, reflectance: number): ReturnType<typeof plates> {
  return plates([
    { material: { reflectance: bright }, faceM: [nearM, 0, 2], sizeM: [4, 4] },
    { material: { reflectance }, faceM: [nearM + apartM, 0, 0] },
  ]);
}

/** The least separation with two peaks. */
const separation: Measurement = async ({ fire }) => {
  let limit = NaN;
  for (const [n, apart] of separations.entries()) {
    const { rows } = await fire({ ...twoRays, scene: plateBefore(apart * sigmaM, bright) });
    if (rows < 2) continue;
    limit = (apart + (separations[n - 1] ?? NaN)) / 2;
    break;
  }
  const law = {
    name: 'waveform: separation of two equal surfaces with two peaks, in σ',
    // Half a step; bins widen σ by b²/(24σ²) (0.1 %).
    expected: about(halvingSeparation, 0.02),
    source: 'the sum of two equal normal densities halves between them from 3.3255 σ on',
  };
  return [closedForm(law, limit)];
};

export const waveform = formsPiece({
  name: 'waveform',
  catches: ['half-a-bin'],
  ours: `Waveform: a pulse of ${pulseWidthNs} ns (σ = ${sigmaM.toFixed(4)} m of range) in bins of ${binNs} ns; two rays above each other meet two plates.`,
  rows: [
    form({
      name: 'waveform: peak of one surface',
      ...twoRays,
      scene: plates([{ material: { reflectance: bright }, faceM: [nearM, 0, 0] }]),
      statistic: 'range_m',
      // Rays at ±γ/4 above the axis: 10 m·(γ/4)²/2 = 3e-7; the vertex of a parabola of logarithms is exact.
      expected: about(nearM, 1e-5, 'm'),
      source: 'symmetry of the pulse',
    }),
    separation,
    form({
      name: 'waveform: peak of two unequal surfaces 1.2 σ apart',
      ...twoRays,
      scene: plateBefore(apartM, dark),
      statistic: 'range_m',
      // The vertex of the parabola through three bins, off by the third derivative: some b³/σ² = 0.8 mm.
      expected: about(nearM + modeOfSum(apartM, bright, dark), binM ** 3 / sigmaM ** 2, 'm'),
      source: 'root of the derivative of the sum of two normal densities',
    }),
  ],
});

/** Behind the nearer of two pulses with these energies: Newton's method from the middle of gravity on. */
function modeOfSum(apartM: number, near: number, far: number): number {
  const slopes = (xM: number): [slope: number, curvature: number] => {
    const [a, b] = [xM / sigmaM, (xM - apartM) / sigmaM];
    const [p, q] = [near * Math.exp(-(a ** 2) / 2), far * Math.exp(-(b ** 2) / 2)];
    return [-(a * p + b * q), (p * (a ** 2 - 1) + q * (b ** 2 - 1)) / sigmaM];
  };
  let xM = (far * apartM) / (near + far);
  for (let step = 0; step < 50; step += 1) {
    const [slope, curvature] = slopes(xM);
    xM -= slope / curvature;
  }
  return xM;
}
