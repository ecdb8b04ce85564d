// The weather of a scene as the native worker is given it: numbers of drops and flakes by size, and media.
import { z } from 'zod';
import { fraction, leftOut, notNegative, positive, vector2 } from './recipeNumbers.ts';

/** Things that the air can hold; their returns have the class of this name. */
export const airKinds = ['rain', 'snow', 'fog', 'smoke', 'dust'] as const;
export type AirKind = (typeof airKinds)[number];

/** N(D) = numberPerM3Mm·exp(−sizesPerMm·D), D in mm; a disc of diameter sizeFactor·D, of Lambertian reflectance. */
const particlesSchema = z.strictObject({
  kind: z.enum(airKinds),
  numberPerM3Mm: positive,
  sizesPerMm: positive,
  sizeFactor: positive,
  reflectance: fraction,
});
export type ParticlesRecipe = z.output<typeof particlesSchema>;

/** Extinction at every wavelength, or that of a visibility at 550 nm by Kim 2001. */
const mediumSchema = z.strictObject({
  kind: z.enum(airKinds),
  visibilityKm: leftOut(positive, 0),
  extinctionPerM: leftOut(positive, 0),
  lidarRatioSr: positive.describe('extinction over backscatter'),
});
export type MediumRecipe = z.output<typeof mediumSchema>;

/** How much dust wheels raise, and whose. */
const raisedDustSchema = z.strictObject({
  extinctionM2PerM: positive.describe('cross-section for each metre of way, at 1 m/s'),
  byVehicle: z.boolean().describe('by the vehicle that carries the sensors'),
  motions: z.array(z.int().min(0)).describe('indices of motions whose frames are vehicles'),
});

/** Dust that wheels raise: puffs, which each scan brings along. PHYSICS.md, 2.10. */
const plumeSchema = z.strictObject({
  raised: raisedDustSchema,
  windMPerS: vector2,
  firstM: positive.describe('standard deviation of a puff when it is raised'),
  mixingM2PerS: positive,
  settlingMPerS: notNegative,
  lidarRatioSr: positive.describe('extinction over backscatter'),
});
export type PlumeRecipe = z.output<typeof plumeSchema>;

/**
 * Beside a trajectory, for scenes with a plume. `puffs`, in its frame: five numbers each, the place, the time in ns at
 * which it was raised, and the cross-section in m² of all of it. Every one that was raised within puffLastsNs before a
 * pulse; others do no harm.
 */
export const puffColumns = { puffs: 'f64' } as const;

/** Older dust is left out: spread over metres, it takes a hundredth of the light. */
export const puffLastsNs = 60_000_000_000;

/** PHYSICS.md, 2.8. */
export const weatherRecipeSchema = z.strictObject({
  particles: z.array(particlesSchema).max(16),
  media: z.array(mediumSchema).max(16),
  plume: plumeSchema.exactOptional(),
});
export type WeatherRecipe = z.output<typeof weatherRecipeSchema>;

export const weatherRecipeObjects = {
  weather: weatherRecipeSchema,
  particles: particlesSchema,
  medium: mediumSchema,
  plume: plumeSchema,
} as const;
