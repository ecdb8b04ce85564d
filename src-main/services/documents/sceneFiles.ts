// The files that a scene refers to: plants, meshes, the height field under it, which can be generated too.
import { bodyNames } from '#contract/documents/motion.ts';
import type { Plant } from '#contract/documents/plant.ts';
import { formatPath, type Parsed, type Problem } from '#contract/documents/problems.ts';
import type { meshFormats, SceneRecipe } from '#contract/worker/recipe.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import type { FileModelKind } from '#contract/documents/scene.ts';
import { compileScene, type SceneReferences } from '#domain/scene/compileScene.ts';
import { sceneFromWorld } from '#domain/scene/georeference.ts';
import { writeHeights } from '#domain/scene/heightField.ts';
import { terrainHeights } from '#domain/scene/terrain.ts';
import { withBody } from '#domain/scene/vehicleBody.ts';
import { terrainOf } from '#domain/truth/terrain.ts';
import { failed, problem, readable, readReferred } from './documentFiles.ts';
import type { Files } from '#services/ports/files.ts';
import { sha256 } from '#services/sha256.ts';
import { withBake } from './bakeFile.ts';
import { readMotions } from './motionFiles.ts';
import { readStands } from './standFiles.ts';

/** A scene compiled, with what its recipe refers to. */
export interface LoadedScene {
  recipe: SceneRecipe;
  heights: Float32Array;
  /** SHA-256 of each mesh file by absolute name. */
  meshes: Record<string, string>;
}

/** How a scene is read. */
export interface SceneOptions {
  /** Bodies are where they begin, without a body of the vehicle: their bake is not read. */
  isBaking?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Reads everything that a scenario's scene refers to, from the folder of the file `from`, and compiles it. */
export async function loadScene(
  files: Files,
  scenario: Scenario,
  from: string,
  { isBaking = false, signal }: SceneOptions = {},
): Promise<Parsed<LoadedScene>> {
  const { scene, seed } = scenario;
  const problems: Problem[] = [];
  const plants = new Map<string, Plant>();
  const meshFiles = new Map<string, MeshFile>();
  const meshes: Record<string, string> = {};
  for (const [name, model] of Object.entries(scene.models)) {
    if (model.kind === 'plant') {
      const at = formatPath(['scene', 'models', name, 'plant']);
      const reference = { kind: 'plant', name: model.plant, from, at, signal } as const;
      const plant = await readReferred(files, reference);
      for (const found of plant.problems) problems.push(found);
      if (plant.value !== null) plants.set(name, plant.value);
    } else if ('file' in model) {
      const at = formatPath(['scene', 'models', name, 'file']);
      const path = files.resolveFrom(from, model.file);
      const mesh = await readMesh(files, path, at, model.kind, signal);
      if (mesh.value === null) {
        for (const found of mesh.problems) problems.push(found);
      } else {
        const { file, format, hash } = mesh.value;
        meshFiles.set(name, { file, format });
        meshes[file] = hash;
      }
    }
  }
  const motions = await readMotions(files, scene, from, signal);
  for (const found of motions.problems) problems.push(found);
  const field = await readGround(files, scenario, from, signal);
  for (const found of field.problems) problems.push(found);
  const stands = await readStands(files, scene, from, signal);
  for (const found of stands.problems) problems.push(found);
  if (
    field.value === null ||
    motions.value === null ||
    stands.value === null ||
    problems.length > 0
  ) {
    return failed(problems);
  }
  const { heights, heightField } = field.value;
  const references = {
    plants,
    meshes: meshFiles,
    heightField,
    poses: motions.value,
    stands: stands.value,
  };
  const recipe = compileScene(scene, references, seed);
  if (recipe.value === null) return recipe;
  const { physics } = scene;
  let inMotion: Parsed<SceneRecipe> = recipe;
  if (physics !== undefined && bodyNames(scene).length > 0) {
    if (isBaking) return { value: { recipe: recipe.value, heights, meshes }, problems: [] };
    const contents = { meshes, heights: await heightsHash(heights) };
    const withPhysics = { ...scene, physics };
    inMotion = await withBake(files, withPhysics, recipe.value, contents, from, signal);
  }
  if (inMotion.value === null) return inMotion;
  const whole = withBody(inMotion.value, scenario, terrainOf(recipe.value, heights));
  return { value: { recipe: whole, heights, meshes }, problems: [] };
}

/** SHA-256, hex, of the heights of the ground. */
export function heightsHash({ buffer, byteOffset, byteLength }: Float32Array): Promise<string> {
  return sha256(new Uint8Array(buffer, byteOffset, byteLength));
}

/** Endings of the files of a kind of model, and their formats. */
const endingsOf = {
  mesh: { obj: 'obj', ply: 'ply', stl: 'stl' },
  learned: { ply: 'learned' },
  voxels: { vox: 'voxels', csv: 'voxels', npz: 'voxels' },
} as const satisfies Record<FileModelKind, Record<string, MeshFile['format']>>;

/** A worker reads a mesh whole (native-workers/core/scene/readers/meshFile.h). */
export const maxMeshBytes = 2 ** 36;

export interface MeshFile {
  /** Absolute. */
  file: string;
  format: (typeof meshFormats)[number];
}

/** A mesh, a learned model or voxels, by the absolute name of their file; problems at `at`. What is in the file is the worker's to read. */
export async function readMesh(
  files: Files,
  file: string,
  at: string,
  kind: FileModelKind,
  signal?: AbortSignal,
): Promise<Parsed<MeshFile & { hash: string }>> {
  const formats: [ending: string, MeshFile['format']][] = Object.entries(endingsOf[kind]);
  const found = formats.find(([ending]) => file.toLowerCase().endsWith(`.${ending}`));
  if (found === undefined) {
    const expected = formats.map(([ending]) => `.${ending}`);
    const last = expected.pop() ?? '';
    const endings = expected.length === 0 ? last : `${expected.join(', ')} or ${last}`;
    return failed([problem(at, `expected a file ${endings}, found '${file}'`)]);
  }
  const [, format] = found;
  const hash = await readable(at, () => files.hash(file, signal, maxMeshBytes));
  if (hash.value === null) return hash;
  return { value: { file, format, hash: hash.value }, problems: [] };
}

async function readGround(
  files: Files,
  { scene, seed }: Scenario,
  from: string,
  signal?: AbortSignal,
): Promise<Parsed<{ heights: Float32Array; heightField: SceneReferences['heightField'] }>> {
  // Relative to the origin, as compileScene places everything else.
  const { ground } = sceneFromWorld({
    ...scene,
    instances: [],
    scatters: [],
    stands: [],
    walls: [],
  });
  if (ground.kind === 'terrain') {
    const { heights, columns, rows } = await files.generated(terrainHeights(ground, seed), signal);
    return { value: { heights, heightField: { columns, rows } }, problems: [] };
  }
  if (ground.kind !== 'height-field') {
    return { value: { heights: new Float32Array(), heightField: null }, problems: [] };
  }
  const file = files.resolveFrom(from, ground.file);
  let heights = new Float32Array();
  const read = await readable('scene.ground.file', () =>
    files.readGreyPicture(
      file,
      ({ columns, rows }) => {
        heights = new Float32Array(columns * rows);
        return (row, values) => writeHeights(heights, { row, rows, values }, ground.zM);
      },
      signal,
    ),
  );
  if (read.value === null) return read;
  const { columns, rows } = read.value;
  return { value: { heights, heightField: { columns, rows } }, problems: [] };
}
