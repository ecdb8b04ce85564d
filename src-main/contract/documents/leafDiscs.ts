// Models of kind leaf-discs: a canopy of known leaf area, for estimators of it.
import { z } from 'zod';
import { form } from './formWords.ts';
import { leafAngleNames } from './plant.ts';
import { count, notNegative, positive, seedNumber, shapeLength, slug } from './quantities.ts';

/** Leaves of one model at most. */
export const maxLeafDiscs = 20_000_000;

/** Fields of the model beside those that all models have. */
export const leafDiscsFields = {
  kind: z
    .literal('leaf-discs')
    .describe('leaves at random in a box, discs of one size: a canopy of known leaf area'),
  sizeM: z
    .tuple([shapeLength, shapeLength, shapeLength])
    .describe('of the box in which their middles lie; it stands on the origin')
    .meta(form({ parts: ['x', 'y', 'z'], isWide: true })),
  leafAreaDensity: positive
    .max(1000)
    .describe('one-sided leaf area in the box, m² in 1 m³')
    .meta(form({ label: 'Leaf area density', unit: 'm²/m³' })),
  leafSizeM: shapeLength
    .default(0.05)
    .describe('diameter of a leaf')
    .meta(form({ label: 'Leaf size' })),
  leafAngles: z
    .enum(leafAngleNames)
    .default('spherical')
    .describe('law of the angles between leaves and the vertical')
    .meta(form({ label: 'Leaf angles' })),
  clumpLeaves: count
    .max(maxLeafDiscs)
    .default(1)
    .describe('leaves of a clump; 1: each lies at a place of its own')
    .meta(form({ label: 'Leaves of a clump' })),
  clumpRadiusM: notNegative
    .default(0.1)
    .describe('of the ball in which the leaves of a clump lie')
    .meta(form({ label: 'Clump radius' })),
  seed: seedNumber
    .optional()
    .describe("of places and angles; default: the scenario's")
    .meta(form({ label: 'Individual', hint: "empty: the scenario's seed" })),
  material: slug.describe('of the leaves, with part: leaf').meta(form({ refersTo: 'materials' })),
};

/** Area of a leaf of this size, a disc, one-sided. */
export function oneLeafM2(leafSizeM: number): number {
  return (Math.PI / 4) * leafSizeM ** 2;
}

/** Number of leaves of a model, at least one. */
export function leavesOf({
  sizeM,
  leafAreaDensity,
  leafSizeM,
}: {
  sizeM: readonly [number, number, number];
  leafAreaDensity: number;
  leafSizeM: number;
}): number {
  const areaM2 = leafAreaDensity * sizeM[0] * sizeM[1] * sizeM[2];
  return Math.max(1, Math.round(areaM2 / oneLeafM2(leafSizeM)));
}
