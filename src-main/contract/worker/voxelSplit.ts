// The size of a grid of voxels in requests of the worker.
import { z } from 'zod';

/** Voxels along an axis. */
export const maxVoxelsAlongAxis = 65_536;

const voxels = z.int().min(1).max(maxVoxelsAlongAxis);

export const voxelSplit = z.tuple([voxels, voxels, voxels]).describe('voxels along x, y, z');
