// The voxels of scenario.truth as a file: AMAPvox text and NPZ have all, CSV those with a part of a plant.
import {
  decimal,
  plantAreaDensity,
  voxelAt,
  voxHeader,
  voxRows,
  type VoxelSpace,
} from '#domain/vegetation/voxelSpace.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import { openVoxelArrays, plantDensityName } from '#services/voxelArrays.ts';

/** Leaf and wood area of voxels one after another, m². */
export interface VoxelAreas {
  leaf: Float64Array;
  wood: Float64Array;
}

export interface VoxelFile {
  /** Voxels from a number on, in order. */
  write(from: number, areas: VoxelAreas): Promise<void>;
  close(): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

type Open = (
  exporters: Exporters,
  file: string,
  space: VoxelSpace,
  target: ExportTarget,
) => Promise<VoxelFile>;

/** Starts FILE.csv, FILE.npz, or FILE.vox. @throws UnderstoryError as Exporters */
export const openVoxelFile: Open = (exporters, file, space, target) => {
  const name = file.toLowerCase();
  const open = name.endsWith('.npz') ? openNpz : name.endsWith('.csv') ? openCsv : openVox;
  return open(exporters, file, space, target);
};

async function openVox(...[exporters, file, space, target]: Parameters<Open>): Promise<VoxelFile> {
  const text = await exporters.createText(file, target);
  let head = voxHeader(space, ['LeafArea', 'WoodArea']);
  return {
    async write(from, areas) {
      await text.write(head + voxRows(space, from, areas));
      head = '';
    },
    close: () => text.close(),
    abort: () => text.abort(),
  };
}

async function openCsv(...[exporters, file, space, target]: Parameters<Open>): Promise<VoxelFile> {
  const heads = ['i', 'j', 'k', 'x_m', 'y_m', 'z_m', 'leaf_area_m2', 'wood_area_m2'];
  const table = await exporters.createTable(file, [...heads, plantDensityName], target);
  const { minM, voxelM } = space;
  return {
    async write(from, { leaf, wood }) {
      const rows: number[][] = [];
      for (const [row, leafAreaM2] of leaf.entries()) {
        const woodAreaM2 = wood[row] ?? 0;
        if (leafAreaM2 + woodAreaM2 === 0) continue;
        const at = voxelAt(space, from + row);
        const middleM = at.map((index, axis) => (minM[axis] ?? 0) + (index + 0.5) * voxelM);
        const density = plantAreaDensity(space, leafAreaM2, woodAreaM2);
        rows.push([...at, ...[...middleM, leafAreaM2, woodAreaM2, density].map(decimal)]);
      }
      await table.write(rows);
    },
    close: () => table.close(),
    abort: () => table.abort(),
  };
}

async function openNpz(...[exporters, file, space, target]: Parameters<Open>): Promise<VoxelFile> {
  const names = ['leaf_area_m2', 'wood_area_m2'];
  const arrays = await openVoxelArrays(exporters, file, space, names, target);
  return {
    async write(_from, { leaf, wood }) {
      await arrays.append('leaf_area_m2', leaf);
      await arrays.append('wood_area_m2', wood);
      const density = leaf.map((areaM2, row) => plantAreaDensity(space, areaM2, wood[row] ?? 0));
      await arrays.append(plantDensityName, density);
    },
    close: () => arrays.close(),
    abort: () => arrays.abort(),
  };
}
