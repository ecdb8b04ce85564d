// A MAVS scene as models, instances and scatters. Meshes stay where they are; the scenario names them.
import { parseWith, type Parsed } from '#contract/documents/problems.ts';
import { createForeignMeshes, stemOf } from '../foreignMeshes.ts';
import type { ForeignFiles, ForeignMeshes } from '../foreignMeshes.ts';
import { finishScene } from '../finishScene.ts';
import {
  identity3,
  multiply3,
  rotation3,
  scale3,
  zUpFromYUp,
  type Matrix3,
} from '../geometry/placement.ts';
import {
  countProblem,
  createNames,
  createTally,
  emptyScene,
  slugOf,
  tidy,
} from '../importedScene.ts';
import type { ImportedScene, Tally } from '../importedScene.ts';
import { refused } from '../table.ts';
import { mavsFileSchema, type MavsFile, type MavsObject, type MavsPlace } from './mavsFile.ts';

/** @param data the JSON of the scene's file; @param stem of the files beside the scenario */
export async function mavsScene(
  data: unknown,
  files: ForeignFiles,
  stem: string,
): Promise<Parsed<ImportedScene>> {
  const tooMany = countProblem(instancesIn(data));
  if (tooMany !== null) return refused('Objects', tooMany);
  const parsed = parseWith(mavsFileSchema, data);
  if (parsed.value === null) return parsed;
  const { Objects: objects, 'Surface Mesh': surfaces } = parsed.value;
  const scene = emptyScene();
  const ignored = createTally();
  const meshes = createForeignMeshes(scene, files, stem);
  const fullName = nameUnder(parsed.value);
  const isObject = new Set(objects.map(({ Mesh }) => Mesh));
  for (const surface of surfaces) {
    // Why not twice: rays of MAVS meet Objects only, so that its scenes list a visible surface in both.
    if (isObject.has(surface.Mesh)) continue;
    const placed = { ...surface, Mesh: surface.Mesh, Instances: [surface] };
    await addInstances(placed, 'surface', fullName(surface.Mesh), meshes);
  }
  const scatterName = createNames();
  for (const object of objects) {
    const mesh = fullName(object.Mesh);
    const name = stemOf(mesh);
    await addInstances(object, name, mesh, meshes);
    if (object.Random) {
      await addScatter(object, scatterName(slugOf(name, 'scatter')), mesh, meshes, scene, ignored);
    }
    countKeys(object, knownObjectKeys, ignored);
  }
  const missing = meshes.missing();
  if (missing.length > 0) {
    const problems = missing.map((name) => {
      const message = `expected a mesh file: --meshes names the folder of meshes, found no '${name}'`;
      return { path: 'Mesh', code: 'not-found', message };
    });
    return { value: null, problems };
  }
  const uncopied = meshes.uncopied('Mesh');
  if (uncopied.length > 0) return { value: null, problems: uncopied };
  if (Object.keys(scene.models).length === 0) {
    return refused('(file)', 'expected Objects or a Surface Mesh of a MAVS scene, found none');
  }
  countKeys(parsed.value, knownKeys, ignored);
  if (scene.scatters.length > 0) {
    scene.notes.push('scatters are drawn again, on level ground at z = 0: a mesh is no ground');
  }
  finishScene(scene, ignored);
  scene.notes.push('meshes stay where they are', ...meshes.notes());
  return { value: scene, problems: [] };
}

/** Instances of all objects. Why before the schema: it takes as long as everything else. */
function instancesIn(data: unknown): number {
  const { Objects: objects } = (data ?? {}) as { Objects?: unknown };
  if (!Array.isArray(objects)) return 0;
  return (objects as ({ Instances?: unknown } | null)[]).reduce((sum, object) => {
    const instances = object?.Instances;
    return sum + (Array.isArray(instances) ? instances.length : 0);
  }, 0);
}

const knownKeys = new Set(['PathToMeshes', 'UseFullPaths', 'Surface Mesh', 'Objects']);
const knownObjectKeys = new Set([
  'Mesh',
  'Rotate Y to Z',
  'Rotate X to Y',
  'Rotate Y to X',
  'Instances',
  'Random',
  // Rays meet flat triangles.
  'Smooth Normals',
]);

function countKeys(data: object, known: ReadonlySet<string>, ignored: Tally): void {
  for (const key of Object.keys(data)) if (!known.has(key)) ignored.add(`'${key}'`);
}

/** Names of meshes as MAVS finds them: below PathToMeshes, unless they are whole. */
function nameUnder({ PathToMeshes: folder, UseFullPaths: isWhole }: MavsFile) {
  return (name: string): string => {
    if (folder === undefined || isWhole || /^([a-z]:)?[\\/]/i.test(name)) return name;
    return `${folder.replace(/[\\/]+$/, '')}/${name}`;
  };
}

/** The turns that a mesh gets once for all its instances. */
function uprightOf(object: MavsObject): Matrix3 {
  let upright = identity3;
  if (object['Rotate Y to Z']) upright = multiply3(zUpFromYUp, upright);
  if (object['Rotate X to Y']) upright = multiply3(rotation3('z', Math.PI / 2), upright);
  if (object['Rotate Y to X']) upright = multiply3(rotation3('z', -Math.PI / 2), upright);
  return upright;
}

/**
 * Rotation and scale of a place. MAVS takes the transpose of glm::orientate3, radians: [about x, about z, about y],
 * each clockwise, whatever the key says; scales apply first.
 */
function linearOf({ YawPitchRoll: [x, z, y], Scale: scale }: MavsPlace): Matrix3 {
  const turn = multiply3(multiply3(rotation3('z', -z), rotation3('x', -x)), rotation3('y', -y));
  return multiply3(turn, scale3(...scale));
}

async function addInstances(
  object: MavsObject,
  name: string,
  mesh: string,
  meshes: ForeignMeshes,
): Promise<void> {
  const upright = uprightOf(object);
  for (const place of object.Instances ?? []) {
    const [x, y, z] = place.Position;
    const positionM: [number, number, number] = [x, y, z];
    await meshes.place(
      { mesh, name, linear: linearOf(place), positionM, onGround: false },
      upright,
    );
  }
}

async function addScatter(
  object: MavsObject,
  name: string,
  mesh: string,
  meshes: ForeignMeshes,
  scene: ImportedScene,
  ignored: Tally,
): Promise<void> {
  const { Random: random } = object;
  if (!random || random.Number === 0) return;
  const model = await meshes.modelOf(mesh, uprightOf(object));
  if (model === null) return;
  const [shiftX, shiftY, shiftZ] = random.Offset;
  if (shiftZ !== 0) ignored.add('heights of scatters (Offset)');
  const [first] = random.Scale;
  const isPerAxis = typeof first !== 'number';
  if (isPerAxis) ignored.add('scales of scatters along y and z');
  const [low, high] = isPerAxis ? first : (random.Scale as [number, number]);
  const spacing = random['Minimum Spacing'];
  scene.scatters.push({
    name,
    model,
    count: random.Number,
    ...(spacing > 0 && { pattern: 'poisson-disk', minSpacingM: spacing }),
    areaM: random.Polygon.map(([x, y]) => [tidy(x + shiftX), tidy(y + shiftY)]),
    scale: [Math.min(low, high), Math.max(low, high)],
  });
}
