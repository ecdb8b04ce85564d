// The weather of a scene as the native worker is given it: numbers of drops and flakes by size, and media.
import { z } from 'zod';
import { fraction, positive } from './recipeNumbers.ts';

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
  visibilityKm: positive.exactOptional(),
  extinctionPerM: positive.exactOptional(),
  lidarRatioSr: positive.describe('extinction over backscatter'),
});
export type MediumRecipe = z.output<typeof mediumSchema>;

/** PHYSICS.md, 2.8. */
export const weatherRecipeSchema = z.strictObject({
  particles: z.array(particlesSchema).max(16),
  media: z.array(mediumSchema).max(16),
});
export type WeatherRecipe = z.output<typeof weatherRecipeSchema>;

export const weatherRecipeObjects = {
  weather: weatherRecipeSchema,
  particles: particlesSchema,
  medium: mediumSchema,
} as const;
