// The truth of plants: trunks, leaves and voxels of bodies whose measures are known, and of the sample tree.
import type { SceneInput } from '#contract/documents/scene.ts';
import { about, closedForm, type ClosedForm, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { solids, type Material, type Solid } from '../scenes.ts';

const leaf: Material = { reflectance: 0.4, part: 'leaf' };
const wood: Material = { reflectance: 0.3, part: 'wood' };

const sides = 64;
const trunkM = { radius: 0.15, height: 4 };
const scale = 1.5;

const trunk: Solid & { scale: number } = {
  shape: { kind: 'cylinder', radiusM: trunkM.radius, heightM: trunkM.height, sides },
  material: wood,
  positionM: [3, 1, 0],
  scale,
};

/** Area of the regular polygon that the section of a cylinder of the engine is. */
const sectionM2 = (sides / 2) * Math.sin((2 * Math.PI) / sides) * trunkM.radius ** 2;

/** A level leaf, off the planes of the voxels. */
const sheet = { sizeM: [2, 1.4], centreM: [0.3, 0.1, 1.05] } as const;

const bodies: SceneInput = solids([
  trunk,
  {
    shape: { kind: 'plane', sizeM: [...sheet.sizeM] },
    material: leaf,
    positionM: [...sheet.centreM],
  },
]);

const ofBodies: Measurement = async ({ bench }) => {
  await bench.build(await bench.scene(bodies, 1));
  const { chunks } = await bench.ask('truth.plants', {});
  const plants = chunks[0]?.columns;
  const values = (name: keyof NonNullable<typeof plants>, row: number): number => {
    return Number(plants?.[name][row] ?? NaN);
  };
  const name = `cylinder of ${sides} sides, scaled by ${scale}`;
  const source = 'area of a regular polygon, n/2·sin(2π/n)·r²';
  return [
    closedForm(
      {
        name: `${name}: diameter at 1.3 m`,
        expected: about(scale * 2 * Math.sqrt(sectionM2 / Math.PI), 1e-6, 'm'),
        source,
      },
      values('dbh_m', 0),
    ),
    closedForm(
      {
        name: `${name}: volume of its wood`,
        expected: about(scale ** 3 * sectionM2 * trunkM.height, 1e-5, 'm³'),
        source,
      },
      values('wood_volume_m3', 0),
    ),
    closedForm(
      {
        name: 'a leaf of two triangles: its area',
        expected: about(sheet.sizeM[0] * sheet.sizeM[1], 1e-5, 'm²'),
        source: 'one side of a rectangle',
      },
      values('leaf_area_m2', 1),
    ),
  ];
};

const voxelM = 0.4;
const grid = {
  minM: [-1, -1, 0] as [number, number, number],
  stepM: [voxelM, voxelM, voxelM] as [number, number, number],
  split: [7, 6, 4] as [number, number, number],
  memoryLimitBytes: 1e9,
};

/** Length that a voxel has of the sheet along an axis. */
function overlapM(axis: 0 | 1, index: number): number {
  const half = sheet.sizeM[axis] / 2;
  const low = grid.minM[axis] + index * voxelM;
  const from = Math.max(low, sheet.centreM[axis] - half);
  const to = Math.min(low + voxelM, sheet.centreM[axis] + half);
  return Math.max(0, to - from);
}

/** The voxel that is farthest from the overlap of two rectangles. */
const ofVoxels: Measurement = async ({ bench }) => {
  await bench.build(await bench.scene(bodies, 1));
  const { chunks } = await bench.ask('truth.voxels', grid);
  const [, ny, nz] = grid.split;
  let worstM2 = 0;
  for (const { body, columns } of chunks) {
    for (const [row, areaM2] of columns.leaf_area_m2.entries()) {
      const number = body.from + row;
      const [i, j, k] = [Math.floor(number / (ny * nz)), Math.floor(number / nz) % ny, number % nz];
      const isLevel = k === Math.floor((sheet.centreM[2] - grid.minM[2]) / voxelM);
      const expectedM2 = isLevel ? overlapM(0, i) * overlapM(1, j) : 0;
      worstM2 = Math.max(worstM2, Math.abs(areaM2 - expectedM2));
    }
  }
  return [
    closedForm(
      {
        name: `a level leaf in voxels of ${voxelM} m: greatest error of a voxel`,
        expected: about(0, 1e-6, 'm²'),
        source: 'overlap of two rectangles; corners are single precision',
      },
      worstM2,
    ),
  ];
};

const treeVoxelM = 0.1;

/** Σ over the voxels of the sample tree, turned, over Σ over its triangles. */
const ofTree: Measurement = async ({ bench }) => {
  const tree: SceneInput = {
    materials: { leaf: { reflectance: 0.4 }, bark: { reflectance: 0.3 } },
    models: { tree: { kind: 'plant', plant: 'broadleaf-tree' } },
    instances: [{ name: 'tree', model: 'tree', positionM: [0.03, 0.02, 0], yawDeg: 33 }],
  };
  await bench.build(await bench.scene(tree, 1));
  const { reply: plants } = await bench.ask('truth.plants', {});
  const { minM, maxM } = plants.body;
  const split = ([0, 1, 2] as const).map((axis) => {
    return Math.ceil((maxM[axis] - minM[axis]) / treeVoxelM) + 1;
  }) as [number, number, number];
  const { reply: voxels } = await bench.ask('truth.voxels', {
    ...grid,
    minM,
    stepM: [treeVoxelM, treeVoxelM, treeVoxelM],
    split,
  });
  const form = (part: string, ofVoxelsM2: number, ofTrianglesM2: number): ClosedForm =>
    closedForm(
      {
        name: `sample tree in voxels of ${treeVoxelM} m: ${part} area of the voxels over that of the triangles`,
        expected: about(1, 1e-6),
        source: 'every piece of a triangle lies in one voxel',
      },
      ofVoxelsM2 / ofTrianglesM2,
    );
  return [
    form('leaf', voxels.body.leafAreaM2, plants.body.leafAreaM2),
    form('wood', voxels.body.woodAreaM2, plants.body.woodAreaM2),
  ];
};

export const plantTruth = formsPiece({
  name: 'plant truth',
  catches: ['truth-two-sided', 'voxels-off-by-one'],
  ours: 'Of each plant: the diameter of its trunk at 1.3 m of the scaled plant, wood by closed surfaces, leaves one-sided. Of each voxel: what it has of every triangle, which is cut at its planes.',
  rows: [ofBodies, ofVoxels, ofTree],
});
