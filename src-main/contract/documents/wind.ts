// The wind of a scene, and how plants give way to it (PHYSICS.md, 2.9).
import { z } from 'zod';
import { form } from './formWords.ts';
import { finite, fraction, notNegative } from './quantities.ts';

/** Beyond it (Beaufort 12) plants break. */
const maxSpeedMPerS = 40;

export const windSchema = z.strictObject({
  speedMPerS: notNegative
    .max(maxSpeedMPerS)
    .describe('mean speed; 0: nothing sways')
    .meta(form({ label: 'Speed', slider: [0, 20] })),
  directionDeg: finite
    .min(-360)
    .max(360)
    .default(0)
    .describe('where it blows to, counter-clockwise from east: 90 is a wind from the south')
    .meta(form({ label: 'Blows towards', slider: [-180, 180] })),
  topM: notNegative
    .max(10)
    .default(0.1)
    .describe('by how far the mean wind displaces tops at 10 m/s; it grows as the square of speed')
    .meta(form({ label: 'Displacement of tops', hint: 'at 10 m/s', slider: [0, 0.5] })),
  maxLean: fraction
    .default(0.3)
    .describe('largest displacement of a top by the mean wind, as a share of the height')
    .meta(form({ label: 'Largest lean', hint: 'share of the height' })),
  gusts: fraction
    .default(0.5)
    .describe('how far tops swing to each side of that displacement, as a share of it')
    .meta(form({ label: 'Gusts', hint: 'share of the lean' })),
  frequencyHz: finite
    .min(0.1)
    .max(10)
    .default(2.1)
    .describe('first mode of a plant of 1 m; it falls as 1/√height, within 0.5 and 3 Hz')
    .meta(form({ label: 'Frequency', hint: 'of a plant of 1 m' })),
});

export type WindDocument = z.output<typeof windSchema>;
