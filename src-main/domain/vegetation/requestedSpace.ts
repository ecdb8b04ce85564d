// The voxels that a request asks for: in its box, or around the objects that are given.
import { badInput } from '#contract/errors.ts';
import { maxVoxelsAlongAxis } from '#contract/worker/voxelSplit.ts';
import { voxelSpaceOf, type Corner, type VoxelSpace } from './voxelSpace.ts';

export type Box = [Corner, Corner];

interface SpaceRequest {
  boxM?: Box | undefined;
  voxelM: number;
}

/**
 * @param around used without a box; null: there is nothing, for the reason `without`
 * @throws 'bad-input' for a box without an extent, for none around nothing, and for too many voxels along an axis
 */
export function requestedSpace(
  { boxM, voxelM }: SpaceRequest,
  around: Box | null,
  { without, ...failure }: { title?: string; without: string },
): VoxelSpace {
  const box = boxM ?? around;
  if (box === null) throw badInput('boxM', `expected a box, since ${without}`, failure);
  const [from, to] = box;
  if (boxM !== undefined && from.some((low, axis) => !(low < (to[axis] ?? NaN)))) {
    const message = `expected a second corner beyond the first, found ${String(boxM)}`;
    throw badInput('boxM', message, failure);
  }
  const space = voxelSpaceOf(box, voxelM, boxM === undefined);
  const longest = Math.max(...space.split);
  if (longest <= maxVoxelsAlongAxis) return space;
  const message = `expected at most ${maxVoxelsAlongAxis} voxels along an axis, found ${longest}: a larger edge, or a smaller box, gives fewer`;
  throw badInput('voxelM', message, failure);
}
