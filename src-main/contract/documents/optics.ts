// How surfaces and air treat light: the materials and the atmosphere of a scene. PHYSICS.md, 1.2 and 2.
import { z } from 'zod';
import { colourHex, fraction, notNegative, positive } from './quantities.ts';

const reflectanceSchema = z
  .union([
    fraction,
    z
      .array(z.tuple([positive, fraction]))
      .min(1)
      .max(4096),
  ])
  .describe(
    'diffuse reflectance, both sides: a number, or a spectrum of [wavelength in nm, reflectance], linear in between and constant beyond; of a mirror it counts for nothing',
  );

const surfaceSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('lambertian').describe('intensity: reflectance times the cosine of incidence'),
  }),
  z.strictObject({
    kind: z.literal('oren-nayar').describe('rough: Oren and Nayar 1994, seen from where it is lit'),
    roughnessDeg: notNegative.max(90).describe("standard deviation of the facets' slope angle"),
  }),
  z.strictObject({
    kind: z
      .literal('mirror')
      .describe(
        'returns nothing itself; the whole ray continues mirrored, and what it meets is reported along its first direction (Gschwandtner 2011, section 3.5)',
      ),
  }),
  z.strictObject({
    kind: z
      .literal('retroreflector')
      .describe('signs and tapes: much light back to where it came from'),
    gain: positive
      .max(1e6)
      .describe('intensity of head-on light, in those of a white diffuse surface'),
    halfWidthDeg: positive
      .max(90)
      .describe('angle of incidence at which the gain has fallen to half'),
  }),
]);

/** Of the surfaces of a scene. */
export const materialSchema = z
  .strictObject({
    reflectance: reflectanceSchema,
    surface: surfaceSchema.default({ kind: 'lambertian' }).describe('how it reflects'),
    transmittance: fraction
      .default(0)
      .describe(
        'share of a ray that goes straight on through it: thin leaves, gauze; with the reflectance at most 1',
      ),
    colour: colourHex.default('#9a9a9a').describe('for pictures only'),
  })
  .superRefine(checkSpectrum)
  .superRefine(checkShares)
  .superRefine(checkMirror);

/** Of the air between. Extinctions of all parts add up; they count with radiometry 'radar-equation'. */
export const atmosphereSchema = z.strictObject({
  visibilityKm: positive.max(1000).optional().describe('meteorological visibility at 550 nm'),
  visibilityLaw: z
    .enum(['kruse', 'kim'])
    .default('kruse')
    .describe('how extinction follows from visibility; they differ below 6 km, kim is for fog'),
  rainMmPerH: notNegative
    .max(1000)
    .default(0)
    .describe('rate of rainfall: Carbonneau and Wisely 1998'),
  extinctionPerM: notNegative.max(100).default(0).describe('given outright, at every wavelength'),
});

interface MaterialDocument {
  reflectance: number | [number, number][];
  surface: { kind: string };
  transmittance: number;
}

function checkSpectrum({ reflectance }: MaterialDocument, context: z.core.$RefinementCtx): void {
  if (!Array.isArray(reflectance)) return;
  for (const [index, [wavelengthNm]] of reflectance.entries()) {
    const before = reflectance[index - 1]?.[0];
    if (before === undefined || before < wavelengthNm) continue;
    const message = `expected a wavelength above ${before}, found ${wavelengthNm}`;
    context.addIssue({ code: 'custom', path: ['reflectance', index, 0], message });
  }
}

/** What is reflected and what continues cannot be more than what came. */
function checkShares(
  { reflectance, transmittance }: MaterialDocument,
  context: z.core.$RefinementCtx,
): void {
  const most = Array.isArray(reflectance)
    ? Math.max(...reflectance.map(([, share]) => share))
    : reflectance;
  // Beyond 1 the reflectance itself is wrong, which is reported already.
  if (most > 1 || most + transmittance <= 1) return;
  const left = Number((1 - most).toPrecision(6));
  const message = `expected at most ${left}, since ${most} is reflected, found ${transmittance}`;
  context.addIssue({ code: 'custom', path: ['transmittance'], message });
}

function checkMirror(
  { surface, transmittance }: MaterialDocument,
  context: z.core.$RefinementCtx,
): void {
  if (surface.kind !== 'mirror' || transmittance === 0) return;
  const message = `expected 0, a mirror lets nothing through, found ${transmittance}`;
  context.addIssue({ code: 'custom', path: ['transmittance'], message });
}
