// How surfaces and air treat light: the materials and the atmosphere of a scene. PHYSICS.md, 1.2 and 2.3.
import { z } from 'zod';
import { form } from './formWords.ts';
import { plantParts } from './plant.ts';
import { colourHex, finite, fraction, notNegative, positive } from './quantities.ts';

const spectrumOf = <Value extends z.ZodType>(value: Value) =>
  z
    .array(z.tuple([positive, value]))
    .min(1)
    .max(4096);

const share = z
  .union([fraction, spectrumOf(fraction)])
  .meta(form({ control: 'spectrum', isWide: true }));

/** A share of the light: of every wavelength, or [wavelength in nm, share], rising. */
export type Share = number | [number, number][];

const refractiveIndex = finite.min(1).max(10);
const coefficient = finite.min(0).max(1e6);
const absorptionPerM = z
  .union([coefficient, spectrumOf(coefficient)])
  .meta(form({ control: 'spectrum', unit: 'per m', isWide: true }));

/**
 * Absorption of pure water, [nm, 1/m]: about the values of Hale and Querry 1973 (Applied Optics 12, 555), recalled;
 * that of 905 nm is 7. Natural water absorbs more at short wavelengths.
 */
const waterAbsorptionPerM: [number, number][] = [
  [532, 0.045],
  [680, 0.46],
  [750, 2.6],
  [850, 4.3],
  [905, 7],
  [950, 39],
  [1064, 14],
  [1550, 1000],
];

export const glassSchema = z.strictObject({
  kind: z
    .literal('glass')
    .describe(
      'a thin pane, one sheet of facets: a part of the ray goes straight through, a part is mirrored, by Fresnel; the diffuse reflectance is that of dirt on it',
    ),
  refractiveIndex: refractiveIndex.default(1.5).describe('of the pane over that of air'),
  absorptionPerM: absorptionPerM
    .default(0)
    .describe('inside the pane: a number, or a spectrum of [wavelength in nm, 1/m]'),
  thicknessM: notNegative.max(10).default(0.004).describe('of the pane; for its absorption alone'),
});

export const waterSchema = z.strictObject({
  kind: z
    .literal('water')
    .describe(
      'the face of still water, one sheet of facets: a part of the ray is mirrored, the rest refracted to what lies below and back, its range longer by the index; the diffuse reflectance is that of foam or cloudy water',
    ),
  refractiveIndex: refractiveIndex.default(1.33).describe('of the water over that of air'),
  absorptionPerM: absorptionPerM
    .default(waterAbsorptionPerM)
    .describe(
      'a number, or a spectrum of [wavelength in nm, 1/m]; left out: pure water, 7 at 905 nm',
    )
    .meta(form({ control: 'spectrum', unit: 'per m', isWide: true, hint: 'empty: pure water' })),
  depthM: notNegative
    .max(1000)
    .default(10)
    .describe('below the face; what lies deeper returns nothing')
    .meta(form({ label: 'Max depth' })),
});

const surfaceSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('lambertian').describe('intensity: reflectance times the cosine of incidence'),
  }),
  z.strictObject({
    kind: z.literal('oren-nayar').describe('rough: Oren and Nayar 1994, seen from where it is lit'),
    roughnessDeg: notNegative
      .max(90)
      .describe("standard deviation of the facets' slope angle")
      .meta(form({ slider: [0, 90] })),
  }),
  z.strictObject({
    kind: z
      .literal('mirror')
      .describe(
        'returns nothing itself; the whole ray continues mirrored, and what it meets is reported along its first direction (Gschwandtner 2011, section 3.5)',
      ),
    specularReflectance: share
      .default(1)
      .describe('share of the ray that continues, a number or a spectrum as the reflectance'),
  }),
  z.strictObject({
    kind: z
      .literal('retroreflector')
      .describe(
        'signs and tapes: much light back to where it came from, by the front alone (corners counter-clockwise); the back is lambertian',
      ),
    gain: positive
      .max(1e6)
      .describe('intensity of head-on light, in those of a white diffuse surface')
      .meta(form({ hint: 'relative to a white surface' })),
    halfWidthDeg: positive
      .max(90)
      .describe('angle of incidence at which the gain has fallen to half')
      .meta(form({ slider: [0.5, 90] })),
  }),
  glassSchema,
  waterSchema,
]);

/** A surface of the scene. */
export const materialSchema = z
  .strictObject({
    reflectance: share.describe(
      'diffuse reflectance, both sides: a number, or a spectrum of [wavelength in nm, reflectance], linear in between and constant beyond; of a mirror it counts for nothing, on glass and water it is that of a film',
    ),
    surface: surfaceSchema.default({ kind: 'lambertian' }).describe('how it reflects'),
    transmittance: share
      .default(0)
      .describe(
        'diffuse transmittance of a leaf, a number or a spectrum as the reflectance; with it at most 1 at every wavelength. Nothing goes straight on: a return sees the reflectance alone',
      )
      .meta(form({ control: 'spectrum', isWide: true, hint: 'diffuse, through a leaf' })),
    gapFraction: fraction
      .default(0)
      .describe(
        'share of a ray that meets nothing here, out and back alike: needles, gauze, a leaf with holes',
      )
      .meta(form({ hint: 'passes straight through' })),
    wetness: fraction
      .default(0)
      .describe(
        'share of the surface under a film of water, which darkens the reflectance ρ there to ρ/(1.33²·(1 − ρ) + ρ) (Ångström 1925)',
      )
      .meta(form({ hint: 'share under a film of water' })),
    part: z
      .enum(plantParts)
      .optional()
      .describe(
        'part of a plant that it is in mesh files, for the truth of leaf and wood area; left out: a leaf where it has a transmittance',
      )
      .meta(form({ label: 'Plant part', hint: 'in mesh files of plants' })),
    colour: colourHex
      .default('#9a9a9a')
      .describe('for pictures only')
      .meta(form({ control: 'colour', hint: 'for rendering' })),
  })
  .superRefine(checkSpectra)
  .superRefine(checkShares)
  .superRefine(checkSmooth);

export const visibilityLaws = ['kruse', 'kim'] as const;

/**
 * The air of the scene. Extinctions of all parts add up. They count for intensities with radiometry 'radar-equation',
 * and for what is detected, for waveforms and for the gate with either.
 */
export const atmosphereSchema = z.strictObject({
  visibilityKm: positive
    .max(1000)
    .optional()
    .describe('meteorological visibility at 550 nm')
    .meta(form({ hint: 'at 550 nm' })),
  visibilityLaw: z
    .enum(visibilityLaws)
    .default('kruse')
    .describe('how extinction follows from visibility; they differ below 6 km, kim is for fog')
    .meta(form({ label: 'Extinction law', hint: 'kim: for fog' })),
  rainMmPerH: notNegative
    .max(1000)
    .default(0)
    .describe('rate of rainfall: Carbonneau and Wisely 1998')
    .meta(form({ label: 'Rain', unit: 'mm/h', slider: [0, 100] })),
  extinctionPerM: notNegative
    .max(100)
    .default(0)
    .describe('given outright, at every wavelength')
    .meta(form({ unit: 'per m' })),
});

interface MaterialDocument {
  reflectance: Share;
  surface: {
    kind: string;
    specularReflectance?: Share;
    absorptionPerM?: number | [number, number][];
  };
  transmittance: Share;
  gapFraction: number;
}

function checkSpectra(material: MaterialDocument, context: z.core.$RefinementCtx): void {
  for (const name of ['reflectance', 'transmittance'] as const) {
    checkRising(material[name], [name], context);
  }
  for (const name of ['specularReflectance', 'absorptionPerM'] as const) {
    checkRising(material.surface[name] ?? 0, ['surface', name], context);
  }
}

function checkRising(
  spectrum: Share,
  path: (string | number)[],
  context: z.core.$RefinementCtx,
): void {
  if (!Array.isArray(spectrum)) return;
  for (const [index, [wavelengthNm]] of spectrum.entries()) {
    const before = spectrum[index - 1]?.[0];
    if (before === undefined || before < wavelengthNm) continue;
    const message = `expected a wavelength above ${before}, found ${wavelengthNm}`;
    context.addIssue({ code: 'custom', path: [...path, index, 0], message });
  }
}

/**
 * Reflected and transmitted light together must not exceed the incident light. Both are linear between their points,
 * so their sum is greatest at a point of either.
 */
function checkShares(
  { reflectance, transmittance }: MaterialDocument,
  context: z.core.$RefinementCtx,
): void {
  const wavelengthsNm = [...wavelengthsOf(reflectance), ...wavelengthsOf(transmittance)];
  const sums = wavelengthsNm.map((wavelengthNm) => {
    const [reflected, passes] = [
      shareAt(reflectance, wavelengthNm),
      shareAt(transmittance, wavelengthNm),
    ];
    return { wavelengthNm, reflected, passes, sum: reflected + passes };
  });
  const worst = sums.reduce((most, one) => (one.sum > most.sum ? one : most));
  // Beyond 1 the share itself is wrong, which is reported already. Sums of decimals round.
  if (worst.reflected > 1 || worst.passes > 1 || worst.sum <= 1 + 1e-9) return;
  const isSpectral = Array.isArray(reflectance) || Array.isArray(transmittance);
  const left = decimal(1 - worst.reflected);
  const message = `expected at most ${left}${isSpectral ? ` at ${worst.wavelengthNm} nm` : ''}, since ${decimal(worst.reflected)} is reflected, found ${decimal(worst.passes)}`;
  const index = Array.isArray(transmittance)
    ? transmittance.findIndex(([wavelengthNm]) => wavelengthNm === worst.wavelengthNm)
    : -1;
  const path = index < 0 ? ['transmittance'] : ['transmittance', index, 1];
  context.addIssue({ code: 'custom', path, message });
}

function wavelengthsOf(spectrum: Share): number[] {
  return Array.isArray(spectrum) ? spectrum.map(([wavelengthNm]) => wavelengthNm) : [0];
}

/** Linear between the points, constant beyond them. */
function shareAt(spectrum: Share, wavelengthNm: number): number {
  if (!Array.isArray(spectrum)) return spectrum;
  const after = spectrum.findIndex(([pointNm]) => pointNm > wavelengthNm);
  const [fromNm, from] = spectrum.at(after < 0 ? -1 : Math.max(0, after - 1)) ?? [0, 0];
  const [toNm, to] = spectrum[Math.max(0, after)] ?? [0, 0];
  if (after <= 0) return from;
  return from + ((to - from) * (wavelengthNm - fromNm)) / (toNm - fromNm);
}

function decimal(value: number): number {
  return Number(value.toPrecision(6));
}

const smooth: Record<string, string> = {
  mirror: 'a mirror lets nothing through',
  glass: 'glass has its own law',
  water: 'water has its own law',
};

/** Mirrors, glass and water transmit by their own laws, so their material states no transmittance. */
function checkSmooth(material: MaterialDocument, context: z.core.$RefinementCtx): void {
  const why = smooth[material.surface.kind];
  if (why === undefined) return;
  for (const name of ['transmittance', 'gapFraction'] as const) {
    const value = material[name];
    if (value === 0) continue;
    const found = Array.isArray(value) ? 'a spectrum' : value;
    const message = `expected 0, ${why}, found ${found}`;
    context.addIssue({ code: 'custom', path: [name], message });
  }
}
