// Truth of voxels from texts: our own CSV and .vox, and grids that do not fit.
import { describe, expect, it } from 'vitest';
import { voxelSpaceOf, voxHeader, voxRows } from '#domain/vegetation/voxelSpace.ts';
import { createVoxelTruthText } from '#domain/vegetation/voxelTruthText.ts';

const space = voxelSpaceOf(
  [
    [10, 20, 0],
    [11, 21, 1.5],
  ],
  0.5,
  false,
);

function read(...lines: string[]): {
  faults: string[];
  density: Float64Array;
  fault: string | null;
} {
  const text = createVoxelTruthText(space);
  const faults = lines.flatMap((line) => text.take(line) ?? []);
  return { faults, ...text.finish() };
}

describe('the truth of voxels', () => {
  it('by their middles is found whatever their numbers are', () => {
    const head = 'i,j,k,x_m,y_m,z_m,leaf_area_m2,wood_area_m2';
    const { density, faults, fault } = read(
      head,
      '7,7,7,10.75,20.25,1.25,0.25,0',
      '0,0,0,0.25,0.25,0.25,9,0',
    );
    expect([faults, fault]).toEqual([[], null]);
    // i 1, j 0, k 2; the other voxel lies outside.
    expect(density[(1 * 2 + 0) * 3 + 2]).toBeCloseTo(2, 12);
    expect(density.filter((value) => value > 0)).toHaveLength(1);
  });

  it('by numbers belongs to the grid of the estimate, as a density too', () => {
    expect(read('i,j,k,lad', '1,1,0,3').density[(1 * 2 + 1) * 3]).toBe(3);
  });

  it('of a voxel space is moved by whole voxels', () => {
    const whole = voxelSpaceOf(
      [
        [9.5, 20, 0],
        [11, 21, 1.5],
      ],
      0.5,
      false,
    );
    const leaf = Float64Array.from({ length: 18 }, (_, n) => n / 8);
    const text = voxHeader(whole) + voxRows(whole, 0, { leaf, wood: new Float64Array(18) });
    const { density, faults } = read(...text.split('\n'));
    expect(faults).toEqual([]);
    expect([...density]).toEqual(Array.from({ length: 12 }, (_, n) => n + 6));
  });

  it.each([
    [['i,j,k,wood'], 'expected one of the columns'],
    [['i,j,lad'], 'expected columns x_m, y_m, z_m or i, j, k'],
    [['x_m,y_m,z_m,lad', '10.3,20.25,0.25,1'], 'expected a voxel of the grid of the estimate'],
    [
      ['VOXEL SPACE', '#res: 0.4', '#min_corner: 10 20 0', 'i j k LeafArea'],
      'expected voxels of 0.5 m',
    ],
    [
      ['VOXEL SPACE', '#res: 0.5', '#min_corner: 10.1 20 0', 'i j k LeafArea'],
      'expected a corner that is whole voxels from',
    ],
  ])('refuses %j', (lines, message) => {
    expect(read(...lines).faults.join()).toContain(message);
  });

  it('without a line of names is refused at its end', () => {
    expect(read('').fault).toContain('expected a line with the names of columns');
  });
});
