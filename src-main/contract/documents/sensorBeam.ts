// The beam of a sensor file: its spot, the rays that sample it, and what its signal depends on.
// PHYSICS.md, 1.1 and 1.2.
import { z } from 'zod';
import { form } from './formWords.ts';
import { count, finite, notNegative, positive } from './quantities.ts';

// Words of a beam, for the recipe as well.
export const spotShapes = ['circular', 'rectangular', 'elliptical'] as const;
export const stencilKinds = ['moment', 'goodin2018', 'rays'] as const;
export const beamProfiles = ['uniform', 'gaussian'] as const;
export const raySamplings = ['stratified', 'random'] as const;
export const radiometries = ['relative', 'radar-equation'] as const;

const tabulatedProfile = z
  .array(z.tuple([finite.min(0).max(10), notNegative]))
  .min(2)
  .max(1024)
  .describe(
    '[distance from the axis in half divergences, irradiance in any unit], from 0 outwards',
  );

/** N rays drawn from a profile, instead of the nine of a stencil. */
const raysSchema = z.strictObject({
  count: count.max(65536).describe('rays of each pulse'),
  profile: z
    .union([z.enum(beamProfiles), tabulatedProfile])
    .default('uniform')
    .describe(
      'gaussian: the divergence is the full angle of 1/e² irradiance, cut at 1.5 times it and renormalised',
    ),
  sampling: z
    .enum(raySamplings)
    .default('stratified')
    .describe(
      'stratified: one ray in each of equal shares of the energy; random: drawn for each pulse',
    ),
  dither: z
    .boolean()
    .default(false)
    .describe('stratified only: each pulse draws its rays within their shares'),
});

/** How the pulse is sampled. */
export const beamSchema = z.strictObject({
  shape: z.enum(spotShapes).describe('of the spot, seen along the axis (Goodin 2018, figure 1)'),
  divergenceHorizontalMrad: notNegative.max(500).describe('full angle from edge to edge'),
  divergenceVerticalMrad: notNegative.max(500).describe('full angle from edge to edge'),
  apertureHorizontalM: notNegative
    .max(10)
    .default(0)
    .describe('width of the spot at the window; at range r it is wider by divergence times r'),
  apertureVerticalM: notNegative.max(10).default(0).describe('its height'),
  overlapM: z
    .tuple([notNegative, positive])
    .refine(([from, full]) => from < full, 'expected two rising ranges')
    .optional()
    .describe(
      'ranges from which on the receiver sees a part of the beam, and all of it; left out: everywhere, and in weather 0.9 and 1 m (assumed)',
    )
    .meta(form({ parts: ['from', 'full'] })),
  stencil: z
    .enum(stencilKinds)
    .default('moment')
    .describe(
      "nine rays with the ring at 3/4 of the spot's radius (its second moment) or as printed in Goodin 2018; or 'rays'",
    ),
  rays: raysSchema.optional().describe("with stencil 'rays' only"),
});

/** The law by which a hit's intensity falls off. */
export const radiometrySchema = z
  .enum(radiometries)
  .default('relative')
  .describe(
    'relative: reflectance and incidence alone (Goodin 2018); radar-equation: also 1/R² and extinction',
  );

export const wavelengthSchema = positive
  .min(200)
  .max(20000)
  .default(905)
  .describe('of the laser: chooses reflectances from spectra, and extinction');
