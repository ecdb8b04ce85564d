// Parameters of estimates of leaf area: voxels and leaves, for logs (`understory estimate`) and for the beams of a run.
import { z } from 'zod';
import { form } from './formWords.ts';
import { leafAngleNames } from './plant.ts';
import { notNegative, positive, vector3 } from './quantities.ts';

/** Two corners in the world. */
export const voxelBox = z.tuple([vector3, vector3]).optional();

/** Fields of every estimate; what its voxels lie around without a box is said where it is asked for. */
export const estimateFields = {
  voxelM: positive
    .max(1000)
    .default(0.5)
    .describe('edge of a voxel')
    .meta(form({ label: 'Voxel size' })),
  angles: z
    .enum(leafAngleNames)
    .default('spherical')
    .describe('law of the angles of leaves')
    .meta(form({ label: 'Leaf angles' })),
  leafSizeM: notNegative
    .default(0)
    .describe('diameter of a leaf, at most half a voxel; 0: leaves are small')
    .meta(form({ label: 'Leaf size', hint: '0: small' })),
  minBeams: z
    .int()
    .min(1)
    .default(30)
    .describe('with fewer a voxel is not known')
    .meta(form({ label: 'Min beams of a voxel' })),
};

/** The estimate of a scenario: what its runs state of the leaf area beside its truth. */
export const estimateSchema = z
  .strictObject({
    ...estimateFields,
    boxM: voxelBox
      .describe(
        'two corners in the world; default: around the plants of the scene, in whole voxels',
      )
      .meta(form({ label: 'Box of the voxels', hint: 'empty: around the plants', isWide: true })),
  })
  .superRefine((estimate, context) => {
    const message = estimate.voxelM > 0 ? leafSizeFault(estimate) : null;
    if (message !== null) context.addIssue({ code: 'custom', path: ['leafSizeM'], message });
    const [from, to] = estimate.boxM ?? [];
    if (from?.some((low, axis) => !(low < (to?.[axis] ?? NaN)))) {
      const expected = 'expected a second corner beyond the first along each axis';
      context.addIssue({ code: 'custom', path: ['boxM'], message: expected });
    }
  });

export type Estimate = z.output<typeof estimateSchema>;

/** Why leaves are too large for voxels; null: they are not. In half a voxel λ₁·z stays far below 1 (PHYSICS.md, 2.14). */
export function leafSizeFault({
  voxelM,
  leafSizeM,
}: Pick<Estimate, 'voxelM' | 'leafSizeM'>): string | null {
  if (leafSizeM <= voxelM / 2) return null;
  return `expected leaves of at most half a voxel (${voxelM / 2} m), found ${leafSizeM}`;
}
