// The potted shrub of the experiment on shrubs, and the quarter circle from which it is scanned.
import type { Plant } from '#contract/documents/plant.ts';
import type { Pose } from '#contract/host/run.ts';
import { radians } from '#domain/shared/numbers.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import type { Scene } from '#services/scans/sceneWork.ts';
import type { ValidationBench } from '../bench.ts';
import type { Picture } from '../section.ts';
import { poseByPose } from '../trajectories.ts';

/** Height of the sensor above the ground. */
export const sensorHeightM = 1.6;
/** On the quarter circle. */
export const places = 91;
const distanceM = 8;
const rotationHz = 5;
const rotationNs = 1e9 / rotationHz;
/** On either side of the shrub, of a rotation: 7°, where the shrub has 3°. */
const shrubShare = 7 / 360;
/** A trunk and stems this thin are met by no ray. */
const vanishingM = 1e-6;

/** Materials as in the sample scenarios. */
export async function shrubScene(bench: ValidationBench): Promise<Scene> {
  return bench.scene(
    {
      materials: {
        soil: { reflectance: 0.25, colour: '#8b7a62' },
        leaf: { reflectance: 0.5, colour: '#3f7a2e' },
        bark: { reflectance: 0.3, colour: '#6b5138' },
      },
      models: { shrub: { kind: 'plant', plant: 'potted-shrub' } },
      ground: { kind: 'plane', sizeM: [60, 60], material: 'soil' },
      instances: [{ name: 'shrub', model: 'shrub', positionM: [0, 0, 0] }],
    },
    1,
  );
}

/** Another plant of the same file. */
export function individual({ recipe, heights }: Scene, seed: number): Scene {
  const models = recipe.models.map((model) =>
    model.source.kind === 'plant' ? { ...model, source: { ...model.source, seed } } : model,
  );
  return { recipe: { ...recipe, models }, heights };
}

/** The same leaves in the same places; what bore them is too thin to be met. */
export function withoutStems({ recipe, heights }: Scene): Scene {
  const models = recipe.models.map((model) => {
    const { source } = model;
    if (source.kind !== 'plant' || source.plant.generator !== 'shrub') return model;
    const trunk = { ...source.plant.trunk, radiusM: vanishingM };
    const plant = { ...source.plant, trunk, stemRadiusM: vanishingM };
    return { ...model, source: { ...source, plant } };
  });
  return { recipe: { ...recipe, models }, heights };
}

/** The returns of the shrub. */
export interface ShrubReturns {
  rangesM: Float64Array;
  /** For each return: a leaf, or wood. */
  isLeaf: boolean[];
  /** For each return: at or above the base of the crown, where a ray meets wood through leaves only. */
  isInCrown: boolean[];
}

/**
 * The returns of the shrub itself; n-th rotation from the n-th place. Only the part of each rotation that can meet the
 * shrub is traced.
 */
export async function scanAround(bench: ValidationBench, { recipe }: Scene): Promise<ShrubReturns> {
  const sensor = await bench.sensor('hdl-64e-goodin2018', { rateHz: rotationHz });
  const leaf = recipe.materials.findIndex(({ name }) => name === 'leaf');
  const id = recipe.instances.find(({ name }) => name === 'shrub')?.id;
  const crownBaseM = shrubPlant(recipe).crownBaseM;
  const rangesM: number[] = [];
  const [isLeaf, isInCrown]: [boolean[], boolean[]] = [[], []];
  const trajectory = poseByPose(quarterCircle(), rotationNs);
  for (let place = 0; place < places; place += 1) {
    const middleNs = (place + 0.5) * rotationNs;
    const { columns } = await bench.scan({
      sensor,
      trajectory,
      fromNs: Math.round(middleNs - shrubShare * rotationNs),
      toNs: Math.round(middleNs + shrubShare * rotationNs),
      seed: 1,
      columns: ['range_m', 'object_id', 'material_id', 'hit_z_m'],
    });
    for (const [row, object] of columns.object_id.entries()) {
      if (object !== id) continue;
      rangesM.push(columns.range_m[row] ?? Number.NaN);
      isLeaf.push(columns.material_id[row] === leaf);
      isInCrown.push((columns.hit_z_m[row] ?? Number.NaN) >= crownBaseM);
    }
  }
  return { rangesM: Float64Array.from(rangesM), isLeaf, isInCrown };
}

/** The parameters of the shrub of a scene. */
function shrubPlant({ models }: Scene['recipe']): ShrubPlant {
  for (const { source } of models) {
    if (source.kind === 'plant' && source.plant.generator === 'shrub') return source.plant;
  }
  throw new TypeError('the scene of the experiment has no shrub');
}

type ShrubPlant = Extract<Plant, { generator: 'shrub' }>;

/** One degree apart, the middle of a rotation towards the shrub at the origin. */
function quarterCircle(): Pose[] {
  return Array.from({ length: places }, (_, degree) => {
    const [cosine, sine] = [Math.cos(radians(degree)), Math.sin(radians(degree))];
    return {
      positionM: [-distanceM * cosine, -distanceM * sine, sensorHeightM],
      rotation: rotationFromDegrees(degree + 180, 0, 0),
    };
  });
}

/** A picture of it. */
export function rendering(bench: ValidationBench): Promise<Picture> {
  return bench.render(
    {
      positionM: [-2.2, 0, 0.8],
      yawRad: 0,
      pitchRad: 0.12,
      verticalFovRad: 0.62,
      widthPx: 420,
      heightPx: 480,
      samplesPerPixel: 16,
    },
    'The shrub (asset potted-shrub), 1 m high',
  );
}
