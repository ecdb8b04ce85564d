// Scatters: copies of a model at random places of an area.
import { z } from 'zod';
import { form } from './formWords.ts';
import { count, exclusionZones, positive, slug, span, vector2 } from './quantities.ts';

/** The reference by name to an entry of `scene.models`. */
export const modelOfScene = slug
  .describe('a model of the scene')
  .meta(form({ refersTo: 'models' }));

export const scatterPatterns = ['uniform', 'poisson-disk'] as const;

export const scatterSchema = z.strictObject({
  name: slug.describe('instances are called NAME-1, NAME-2, …'),
  model: modelOfScene,
  class: slug.optional().describe("default: the model's name"),
  count: count.max(20_000_000).describe('instances; poisson-disk may fit fewer'),
  pattern: z
    .enum(scatterPatterns)
    .default('uniform')
    .describe('independent places, or places at least minSpacingM apart'),
  minSpacingM: positive
    .optional()
    .describe('poisson-disk only')
    .meta(form({ label: 'Spacing', hint: 'least' })),
  areaM: z
    .array(vector2)
    .min(3)
    .describe('polygon, in order')
    .meta(form({ hint: 'one corner per line' })),
  yawDeg: span.default([0, 360]).describe('drawn for each instance, uniformly'),
  scale: span.default([1, 1]).describe('drawn for each instance, uniformly'),
  tiltDeg: span.default([0, 0]).describe('from the vertical, in a random direction'),
  keepClear: exclusionZones,
});
