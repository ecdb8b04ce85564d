// Scenes of `bench scan` that are voxel models, beside the mesh that each is made from: into the data folder, once. They are
// a cache: deleted, they are made again.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pose } from '#contract/commands/commandOptions.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import { voxHeader, voxRows, type VoxelSpace } from '#domain/vegetation/voxelSpace.ts';
import { copyRegularFileSync } from '#files/regularFileSync.ts';
import type { Session } from './session.ts';

/** `voxels`: the leaves and the wood of a stand. `voxels-discs`: a model of kind leaf-discs. */
export const voxelScenes = ['voxels', 'voxels-discs'] as const;
export type VoxelScene = (typeof voxelScenes)[number];

/** Another value where what follows changes. */
const edition = 2;
const stand = 'mixed-stand';
const standVoxelM = 0.5;
/** A homogeneous layer of discs. */
const leafSizeM = 0.06;
const leafAreaDensity = 1;
const [widthM, heightM] = [3.6, 1.8];
const layer: VoxelSpace = {
  minM: [-widthM / 2, -widthM / 2, 0],
  maxM: [widthM / 2, widthM / 2, heightM],
  split: [8, 8, 4],
  voxelM: 0.45,
};

interface VoxelPair {
  folder: string;
  scenario: string;
  reference: string;
  /** Pose of the sensor, unless another is asked for: among the leaves. */
  pose: Pose;
}

export function voxelPair(name: VoxelScene, cacheFolder: string): VoxelPair {
  const folder = join(cacheFolder, `${name}-${edition}`);
  const scenario = join(folder, 'scene.understory.yaml');
  return name === 'voxels'
    ? { folder, scenario, reference: stand, pose: { positionM: [0, 0, 1.6], yawDeg: 0 } }
    : {
        folder,
        scenario,
        reference: join(folder, 'discs.understory.yaml'),
        pose: { positionM: [0, 0, 0.9], yawDeg: 0 },
      };
}

/** Writes the scenarios of a pair. The voxels are written last. */
export async function makeVoxelPair(
  session: Session,
  name: VoxelScene,
  { folder, scenario, reference }: VoxelPair,
): Promise<void> {
  session.terminal.say(`making the scene '${name}': once`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (name === 'voxels') {
    // Results are refused in this part of the data folder.
    const outside = mkdtempSync(join(tmpdir(), 'understory-bench-'));
    const voxelsOut = join(outside, 'leaves.npz');
    await session.call('scenario.truth', { scenario: stand, voxelM: standVoxelM, voxelsOut });
    copyRegularFileSync(voxelsOut, join(folder, 'leaves.npz'));
    rmSync(outside, { recursive: true });
    writeScenario(scenario, voxelScene('leaves.npz', 0.05));
    return;
  }
  writeScenario(reference, discScene());
  const voxels = layer.split.reduce((product, count) => product * count, 1);
  const leaf = new Float64Array(voxels).fill(leafAreaDensity * layer.voxelM ** 3);
  const rows = voxRows(layer, 0, { leaf, wood: new Float64Array(voxels) });
  writeFileSync(join(folder, 'leaves.vox'), voxHeader(layer, ['LeafArea', 'WoodArea']) + rows);
  writeScenario(scenario, voxelScene('leaves.vox', leafSizeM));
}

const materials: NonNullable<SceneInput['materials']> = {
  leaf: { reflectance: 0.5, part: 'leaf' },
  soil: { reflectance: 0.3 },
};
const ground: NonNullable<SceneInput['ground']> = {
  kind: 'plane',
  sizeM: [120, 120],
  material: 'soil',
};

function voxelScene(file: string, leafSizeM: number): SceneInput {
  return {
    materials,
    ground,
    models: { canopy: { kind: 'voxels', file, leafSizeM, material: 'leaf' } },
    instances: [{ name: 'canopy', model: 'canopy', positionM: [0, 0, 0], onGround: false }],
  };
}

function discScene(): SceneInput {
  return {
    materials,
    ground,
    models: {
      canopy: {
        kind: 'leaf-discs',
        sizeM: [widthM, widthM, heightM],
        leafAreaDensity,
        leafSizeM,
        material: 'leaf',
      },
    },
    instances: [{ name: 'canopy', model: 'canopy', positionM: [0, 0, 0], onGround: false }],
  };
}

/** JSON is YAML. */
function writeScenario(file: string, scene: SceneInput): void {
  const document = { understory: 2, name: 'Benchmark', seed: 1, scene };
  writeFileSync(file, `${JSON.stringify(document)}\n`);
}
