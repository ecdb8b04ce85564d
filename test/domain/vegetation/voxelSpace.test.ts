// Grids of voxels around boxes, and their text.
import { describe, expect, it } from 'vitest';
import { voxelAt, voxelSpaceOf, voxHeader, voxRows } from '#domain/vegetation/voxelSpace.ts';

describe('a voxel space', () => {
  it('around plants has corners at multiples of the edge', () => {
    const space = voxelSpaceOf(
      [
        [-0.3, 0.1, 0],
        [1.1, 0.9, 2.4],
      ],
      0.5,
      true,
    );
    expect(space).toEqual({
      minM: [-0.5, 0, 0],
      maxM: [1.5, 1, 2.5],
      split: [4, 2, 5],
      voxelM: 0.5,
    });
  });

  it('of a box begins at its corner and has no voxel more than it needs', () => {
    const space = voxelSpaceOf(
      [
        [0.1, 0, 0],
        [0.7, 0.31, 0.3],
      ],
      0.1,
      false,
    );
    expect(space.minM).toEqual([0.1, 0, 0]);
    expect(space.split).toEqual([6, 4, 3]);
  });

  it('around plants has a voxel above what lies in the plane between two', () => {
    const faces = [
      [0, 0, 0],
      [1, 1, 1],
    ] as const;
    expect(voxelSpaceOf([[...faces[0]], [...faces[1]]], 0.5, true).split).toEqual([3, 3, 3]);
  });

  it('is written as AMAPvox reads it', () => {
    const space = voxelSpaceOf(
      [
        [0, 0, 0],
        [1, 0.5, 1],
      ],
      0.5,
      false,
    );
    expect(voxHeader(space, ['LeafArea', 'WoodArea']).split('\n')).toEqual([
      'VOXEL SPACE',
      '#min_corner: 0 0 0',
      '#max_corner: 1 0.5 1',
      '#split: 2 1 2',
      '#res: 0.5',
      'i j k PadBVTotal LeafArea WoodArea',
      '',
    ]);
    // (0.25 + 0.5 / 2) m² in 0.125 m³.
    expect(voxRows(space, 1, { leaf: [0.25, 0], wood: [0.5, 0] })).toBe(
      '0 0 1 4 0.25 0.5\n1 0 0 0 0 0\n',
    );
  });

  it('numbers voxels with k fastest', () => {
    const space = voxelSpaceOf(
      [
        [0, 0, 0],
        [2, 3, 4],
      ],
      1,
      false,
    );
    expect(voxelAt(space, 0)).toEqual([0, 0, 0]);
    expect(voxelAt(space, 3)).toEqual([0, 0, 3]);
    expect(voxelAt(space, 4)).toEqual([0, 1, 0]);
    expect(voxelAt(space, 23)).toEqual([1, 2, 3]);
  });
});
