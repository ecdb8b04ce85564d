// Retro-reflectors: the gain at 0, at the half width and at multiples of it, and the diffuse law beyond the lobe.
import { radians } from '#domain/shared/numbers.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

const [gain, halfWidthDeg, reflectance] = [1000, 10, 0.5];
const plateM = 10;
/** A lobe that halves at one width falls by 2^-(n²) at n of them. */
const widths = [
  { count: 0, expected: gain },
  { count: 1, expected: gain / 2 },
  { count: 2, expected: gain / 16 },
  { count: 3, expected: gain / 512 },
];
const beyondDeg = 60;
/** Rounding of the angle: a 32-bit cosine c is off by 6e-8, its angle by 6e-8/sin θ, and near head-on by √(2·6e-8). */
const cosineRounding = 1.2e-7;

export const retroReflector: Piece = {
  name: 'retro-reflector',
  async run(bench) {
    const forms: ClosedForm[] = [];
    for (const { count, expected } of widths) {
      const turnRad = radians(count * halfWidthDeg);
      const offRad = turnRad === 0 ? Math.sqrt(2 * cosineRounding) : cosineRounding / turnRad;
      // d ln I/dθ = −2 ln 2·θ/h²; at 0 the second order, ln 2·θ²/h².
      const halfRad = radians(halfWidthDeg);
      const relative = (Math.LN2 * offRad * Math.max(offRad, 2 * turnRad)) / halfRad ** 2;
      forms.push(
        closedForm(`retro-reflector at ${count} half widths`, {
          measured: await intensityAt(bench, count * halfWidthDeg),
          expected,
          tolerance: expected * (relative + 1e-6),
          source:
            'definition of the half width: the lobe falls to 1/2, 1/16, 1/512 at 1, 2, 3 of it',
        }),
      );
    }
    forms.push(
      closedForm('retro-reflector beyond its lobe', {
        measured: await intensityAt(bench, beyondDeg),
        expected: reflectance / 2,
        tolerance: 1e-6,
        source: 'Lambert 1760: ρ/2 at 60°',
      }),
    );
    return formsPart(
      `Retro-reflector: gain ${gain}, half width ${halfWidthDeg}°, diffuse reflectance ${reflectance}; one ray at a plate turned by multiples of the half width.`,
      forms,
    );
  },
};

async function intensityAt(bench: ValidationBench, yawDeg: number): Promise<number> {
  const surface = { kind: 'retroreflector' as const, gain, halfWidthDeg };
  await buildPlates(bench, { sign: { reflectance, surface } }, [
    { material: 'sign', faceM: [plateM, 0, 0], yawDeg },
  ]);
  const { intensity } = await fire(bench, singleLaser({ beam: singleRay }), ['intensity']);
  return intensity[0] ?? NaN;
}
