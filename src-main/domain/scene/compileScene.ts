// A scene as a person writes it becomes the recipe that the worker builds: names become indices and ids, degrees
// radians, world positions relative to the origin, walls boxes, the ground an instance. Ids count from 1 in the order
// ground, walls, instances, trees of stands, scatters, landscapes.
import { leavesOf } from '#contract/documents/leafDiscs.ts';
import { plantMaterials, type Plant } from '#contract/documents/plant.ts';
import { formatPath, type Parsed, type Problem } from '#contract/documents/problems.ts';
import type {
  ModelRecipe,
  ModelSource,
  SceneRecipe,
  ScatterRecipe,
} from '#contract/worker/recipe.ts';
import type { WeatherRecipe } from '#contract/worker/weatherRecipe.ts';
import { sceneFromWorld } from './georeference.ts';
import { atmosphereRecipe, materialRecipe } from './optics.ts';
import { plumeRecipe } from './wheelDust.ts';
import { idsOf, landscapeRecipe } from './landscapes.ts';
import { addStands, type StandFiles } from './stands.ts';
import type { StandTarget } from './standTarget.ts';
import {
  isVolumeModel,
  type ModelDocument,
  type SceneDocument,
} from '#contract/documents/scene.ts';
import type { WeatherDocument } from '#contract/documents/weather.ts';
import { metresPerUnit } from '#domain/shared/lengths.ts';
import { degrees, radians } from '#domain/shared/numbers.ts';
import { frameAt } from '#domain/shared/motion/frames.ts';
import { motionRecipes, type PosesOfMotions } from '#domain/shared/motion/laws.ts';
import { compose, rotationFromDegrees } from '#domain/shared/pose.ts';
import { weatherRecipe } from '#domain/shared/weather.ts';
import { swaysInWind, windRecipe } from '#domain/shared/wind.ts';

type MeshSource = Extract<ModelSource, { kind: 'mesh' }>;

/** The files of a scene document, read: plants, and meshes and learned models by the name of the model that uses them. */
export interface SceneReferences {
  plants: ReadonlyMap<string, Plant>;
  meshes: ReadonlyMap<string, Pick<MeshSource, 'file' | 'format'>>;
  /** Posts of the height field or terrain; null where the ground is none. */
  heightField: { columns: number; rows: number } | null;
  /** Relative to the origin of the scene. */
  poses: PosesOfMotions;
  stands: StandFiles;
}

/** Resolves a checked scene. Reports plants whose materials the scene does not have. */
export function compileScene(
  document: SceneDocument,
  references: SceneReferences,
  seed: number,
): Parsed<SceneRecipe> {
  const scene = sceneFromWorld(document);
  const problems: Problem[] = [];
  const wind = windRecipe(scene);
  const materialNames = Object.keys(scene.materials);
  const recipe: SceneRecipe = {
    seed,
    materials: Object.entries(scene.materials).map(([name, material]) =>
      materialRecipe(name, material),
    ),
    classes: [],
    models: [],
    instances: [],
    scatters: [],
    ground: -1,
    ...(scene.motions && { motions: motionRecipes(scene.motions, references.poses) }),
    ...(wind && { wind }),
    ...(scene.atmosphere && { atmosphere: atmosphereRecipe(scene.atmosphere) }),
    ...(scene.weather && { weather: airOf(scene.weather, scene) }),
    mirrorDepth: scene.mirrorDepth,
  };
  const materialOf = (name: string): number => materialNames.indexOf(name);
  const modelIndices = new Map<string, number>();
  for (const [name, model] of Object.entries(scene.models)) {
    modelIndices.set(name, recipe.models.length);
    const source = modelSource(name, model, references, materialOf, seed, problems);
    const sways = wind !== null && swaysInWind(model);
    if (source) {
      recipe.models.push({
        name,
        solid: solidOf(model, source),
        ...(sways && { sways }),
        source,
      });
    }
  }
  if (problems.length > 0) return { value: null, problems };

  addGround(scene, references, recipe, materialOf);
  addWalls(scene, recipe, materialOf);
  const motionNames = Object.keys(scene.motions ?? {});
  for (const placed of scene.instances) {
    const motion = motionNames.indexOf(placed.motion ?? '');
    const law = recipe.motions?.[motion]?.law;
    const rotation = rotationFromDegrees(placed.yawDeg, placed.pitchDeg, placed.rollDeg);
    const inFrame = { positionM: placed.positionM, rotation };
    recipe.instances.push({
      id: recipe.instances.length + 1,
      name: placed.name,
      class: classIndex(recipe, placed.class ?? placed.model),
      model: modelIndices.get(placed.model) ?? -1,
      ...(law === undefined ? inFrame : compose(frameAt(law, 0), inFrame)),
      onGround: placed.onGround,
      scale: placed.scale,
      ...(law !== undefined && { motion }),
    });
  }
  const target = standTarget(recipe, materialOf);
  problems.push(...addStands(scene, references.stands, seed, target));
  if (problems.length > 0) return { value: null, problems };
  let firstId = recipe.instances.length + 1;
  for (const scatter of scene.scatters) {
    const model = modelIndices.get(scatter.model) ?? -1;
    recipe.scatters.push(scatterRecipe(scatter, firstId, model, recipe));
    firstId += scatter.count;
  }
  for (const [index, landscape] of (scene.landscapes ?? []).entries()) {
    const made = landscapeRecipe(
      landscape,
      { index, firstId, sceneSeed: seed },
      references.stands,
      {
        ...target,
        class: (name) => classIndex(recipe, name),
        scatter: (scatter) =>
          scatterRecipe(scatter, 1, modelIndices.get(scatter.model) ?? -1, recipe),
      },
      problems,
    );
    if (made === null) continue;
    (recipe.landscapes ??= []).push(made);
    firstId += idsOf(made);
  }
  if (problems.length > 0) return { value: null, problems };
  classIndex(recipe, noiseClass);
  const { particles = [], media = [], plume } = recipe.weather ?? {};
  for (const { kind } of [...particles, ...media]) classIndex(recipe, kind);
  if (plume) classIndex(recipe, 'dust');
  return { value: recipe, problems: [] };
}

function airOf(weather: WeatherDocument, scene: SceneDocument): WeatherRecipe {
  const { wheelDust } = weather;
  return {
    ...weatherRecipe(weather),
    ...(wheelDust && { plume: plumeRecipe(wheelDust, scene) }),
  };
}

function modelSource(
  name: string,
  model: ModelDocument,
  references: SceneReferences,
  materialOf: (name: string) => number,
  seed: number,
  problems: Problem[],
): ModelSource | null {
  if (model.kind === 'plant') {
    const plant = references.plants.get(name);
    if (!plant) throw new Error(`model '${name}': its plant was not read`);
    const needed = plantMaterials(plant);
    const missing = needed.filter((material) => materialOf(material) < 0);
    for (const material of missing) {
      problems.push({
        path: formatPath(['scene', 'materials', material]),
        code: 'missing',
        message: `expected a material '${material}' for plant '${plant.id}' of model '${name}', found nothing`,
      });
    }
    const materials = Object.fromEntries(needed.map((key) => [key, materialOf(key)]));
    return { kind: 'plant', plant, seed: model.seed ?? plant.seed, materials };
  }
  const material = materialOf(model.material);
  if (isVolumeModel(model)) {
    const file = references.meshes.get(name);
    if (!file) throw new Error(`model '${name}': its file was not found`);
    const whole = {
      kind: 'mesh',
      ...file,
      unitM: 1,
      upAxis: 'z',
      material,
      materials: {},
    } as const;
    if (model.kind === 'learned') return whole;
    return { ...whole, leafSizeM: model.leafSizeM, leafAngles: model.leafAngles };
  }
  if (model.kind === 'mesh') {
    const mesh = references.meshes.get(name);
    if (!mesh) throw new Error(`model '${name}': its mesh file was not found`);
    const materials = Object.fromEntries(
      Object.entries(model.materials).map(([inFile, ofScene]) => [inFile, materialOf(ofScene)]),
    );
    const { upAxis, textures, alphaThreshold } = model;
    return {
      kind: 'mesh',
      ...mesh,
      unitM: metresPerUnit[model.unit],
      upAxis,
      material,
      materials,
      ...(textures === undefined ? {} : { textures }),
      ...(alphaThreshold === undefined ? {} : { alphaThreshold }),
    };
  }
  if (model.kind === 'leaf-discs') {
    const { kind, sizeM, leafSizeM, leafAngles, clumpLeaves, clumpRadiusM } = model;
    const law = { leafSizeM, leafAngles, clumpLeaves, clumpRadiusM };
    return { kind, sizeM, leaves: leavesOf(model), ...law, seed: model.seed ?? seed, material };
  }
  const shape = { ...model };
  delete shape.solid;
  delete shape.sways;
  if (shape.kind !== 'root-step') return { ...shape, material };
  return { ...shape, material, barkMaterial: materialOf(shape.barkMaterial) };
}

/** Class of false alarms of a receiver: every scene has it, after the classes of its instances, before those of weather. */
const noiseClass = 'noise';

function solidOf(model: ModelDocument, source: ModelSource): ModelRecipe['solid'] {
  const isTree = source.kind === 'plant' && source.plant.generator === 'tree';
  // Why never: its footprint is that of a whole site. The worker finds what its surface stops (scene.ground).
  // Leaves in voxels stop none.
  if (isVolumeModel(model)) return 'none';
  const isSolid = model.solid ?? (isTree || !isFoliage(source));
  if (!isSolid) return 'none';
  return isTree ? 'wood' : 'all';
}

function isFoliage({ kind }: ModelSource): boolean {
  return kind === 'plant' || kind === 'leaf-discs';
}

/** Trees of stands are instances like others. */
function standTarget(recipe: SceneRecipe, materialOfScene: (name: string) => number): StandTarget {
  const sways = recipe.wind !== undefined;
  return {
    material(name, material) {
      const known = recipe.materials.findIndex((one) => one.name === name);
      return known >= 0 ? known : recipe.materials.push(materialRecipe(name, material)) - 1;
    },
    model: (name, source, solid) =>
      recipe.models.push({
        name,
        solid,
        ...(sways && source.kind === 'plant' && { sways }),
        source,
      }) - 1,
    materialOfScene,
    instance({ name, class: className, model, positionM, scale, ...placed }) {
      const rotation = rotationFromDegrees(placed.yawDeg, placed.pitchDeg ?? 0, 0);
      const id = recipe.instances.length + 1;
      const lies = placed.liesOnGround && { liesOnGround: true };
      const place = { positionM, onGround: true, ...lies, rotation, scale };
      recipe.instances.push({ id, name, class: classIndex(recipe, className), model, ...place });
    },
  };
}

/** The ground is never an obstacle, however steep: vehicles drive on it. */
function addGround(
  { ground }: SceneDocument,
  { heightField }: SceneReferences,
  recipe: SceneRecipe,
  materialOf: (name: string) => number,
): void {
  if (ground.kind === 'none') return;
  const [centreX, centreY] = ground.centreM;
  const [sizeX, sizeY] = ground.sizeM;
  const material = materialOf(ground.material);
  let source: ModelSource;
  if (ground.kind === 'plane') {
    source = { kind: 'plane', sizeM: ground.sizeM, divisions: 1, material };
  } else {
    if (!heightField) throw new Error('the height field was not read');
    const { columns, rows } = heightField;
    source = {
      kind: 'height-field',
      columns,
      rows,
      originM: [centreX - sizeX / 2, centreY - sizeY / 2],
      stepM: [sizeX / (columns - 1), sizeY / (rows - 1)],
      material,
    };
  }
  recipe.ground = recipe.instances.length;
  recipe.models.push({ name: 'ground:surface', solid: 'none', source });
  recipe.instances.push({
    id: recipe.instances.length + 1,
    name: 'ground',
    class: classIndex(recipe, 'ground'),
    model: recipe.models.length - 1,
    positionM: ground.kind === 'plane' ? [centreX, centreY, ground.zM] : [0, 0, 0],
    onGround: false,
    rotation: [0, 0, 0, 1],
    scale: 1,
  });
}

/** A wall is a box centred on its line, as long as the line, from the ground at its middle upwards. */
function addWalls(
  { walls }: SceneDocument,
  recipe: SceneRecipe,
  materialOf: (name: string) => number,
): void {
  for (const wall of walls) {
    const [fromX, fromY] = wall.fromM;
    const [toX, toY] = wall.toM;
    const lengthM = Math.hypot(toX - fromX, toY - fromY);
    const yawRad = Math.atan2(toY - fromY, toX - fromX);
    const source: ModelSource = {
      kind: 'box',
      sizeM: [lengthM, wall.thicknessM, wall.heightM],
      material: materialOf(wall.material),
    };
    // Why the colon: names of the scene's own models cannot hold one.
    recipe.models.push({ name: `wall:${wall.name}`, solid: 'all', source });
    recipe.instances.push({
      id: recipe.instances.length + 1,
      name: wall.name,
      class: classIndex(recipe, 'wall'),
      model: recipe.models.length - 1,
      positionM: [(fromX + toX) / 2, (fromY + toY) / 2, wall.heightM / 2],
      onGround: true,
      rotation: rotationFromDegrees(degrees(yawRad), 0, 0),
      scale: 1,
    });
  }
}

function scatterRecipe(
  scatter: SceneDocument['scatters'][number],
  firstId: number,
  model: number,
  recipe: SceneRecipe,
): ScatterRecipe {
  return {
    firstId,
    name: scatter.name,
    class: classIndex(recipe, scatter.class ?? scatter.model),
    model,
    count: scatter.count,
    pattern: scatter.pattern,
    minSpacingM: scatter.minSpacingM ?? 0,
    areaM: scatter.areaM,
    yawRad: [radians(scatter.yawDeg[0]), radians(scatter.yawDeg[1])],
    scale: scatter.scale,
    tiltRad: [radians(scatter.tiltDeg[0]), radians(scatter.tiltDeg[1])],
    keepClear: scatter.keepClear,
  };
}

/** Index of a class by name; a new name is added. */
function classIndex(recipe: SceneRecipe, name: string): number {
  const known = recipe.classes.indexOf(name);
  return known >= 0 ? known : recipe.classes.push(name) - 1;
}
