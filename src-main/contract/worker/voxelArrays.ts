// Voxels in archives of NumPy (.npz): what `scenario truth` and `estimate` write, and voxel models read.

/**
 * `min_m`: three values, the corner of the grid, in the world or in the frame of a model; `voxel_m`: one, the edge of a
 * voxel, or three, its edges along x, y and z; `plant_area_density_m2_per_m3`: three axes, voxels by x, y and z, so that
 * z is fastest; NaN: not known, and empty in a voxel model.
 */
export const voxelArrays = {
  min_m: 'f64',
  voxel_m: 'f64',
  plant_area_density_m2_per_m3: 'f64',
} as const;
