// A glTF scene as models and instances: each mesh becomes one OBJ with its materials by name, each node with a mesh an
// instance. Axes turn from y up to z up. What a still scene of surfaces cannot hold is counted.
import { type Mesh, Primitive } from '@gltf-transform/core';
import type { Parsed } from '#contract/documents/problems.ts';
import { mtlText, objText, type ObjPart } from '../geometry/objText.ts';
import {
  apply3,
  determinant3,
  identity3,
  multiply3,
  transpose3,
  turnOf,
  zUpFromYUp,
  type Matrix3,
} from '../geometry/placement.ts';
import { finishScene } from '../finishScene.ts';
import { createNames, createTally, emptyScene, slugOf, tidy } from '../importedScene.ts';
import type { ImportedScene, Tally } from '../importedScene.ts';
import { refused } from '../table.ts';
import type { GltfDocument } from './gltfDocument.ts';
import { isApplied } from './gltfExtensions.ts';
import { createGltfMaterials, type GltfMaterials } from './gltfMaterials.ts';
import { placedMeshes, type PlacedMesh } from './gltfNodes.ts';

/** @param stem of the files beside the scenario */
export function gltfScene({ document, json }: GltfDocument, stem: string): Parsed<ImportedScene> {
  const shown = json.scenes?.[json.scene ?? 0];
  if (!shown) return refused('(file)', 'expected a scene, found none');
  const meshes = document.getRoot().listMeshes();
  for (const mesh of meshes) {
    const problem = cornerProblem(mesh);
    if (problem !== null) return refused('(file)', problem);
  }
  const scene = emptyScene();
  const ignored = createTally();
  const materials = createGltfMaterials(stem, scene, ignored);
  const models = createModels(stem, scene, materials, ignored);
  const objectName = createNames();
  const accessors = document.getRoot().listAccessors();
  for (const placed of placedMeshes(json, shown.nodes ?? [], accessors)) {
    const mesh = meshes[placed.mesh];
    if (mesh === undefined) continue;
    const { linear, positionM } = zUp(placed);
    const turn = turnOf(linear);
    const model = models(mesh, turn === null ? linear : identity3);
    if (model === null) continue;
    const name = slugOf(placed.name || mesh.getName(), 'object');
    scene.instances.push({
      name: objectName(name),
      model,
      positionM,
      onGround: false,
      ...turn,
    });
  }
  if (scene.instances.length === 0) return refused('(file)', 'expected triangles, found none');
  countIgnored(json, ignored);
  finishScene(scene, ignored);
  scene.imported.push(...materials.images().filter(({ count }) => count > 0));
  scene.notes.push(...materials.notes());
  return { value: scene, problems: [] };
}

/** The place of a mesh with z up in a world with z up. */
function zUp({ linear, translation }: PlacedMesh): {
  linear: Matrix3;
  positionM: [number, number, number];
} {
  const [x, y, z] = apply3(zUpFromYUp, translation);
  return {
    linear: multiply3(zUpFromYUp, multiply3(linear, transpose3(zUpFromYUp))),
    positionM: [tidy(x, 6), tidy(y, 6), tidy(z, 6)],
  };
}

/** Makes the model of a mesh; `linear` other than the identity goes into its vertices. null: it has no triangles. */
function createModels(
  stem: string,
  scene: ImportedScene,
  materials: GltfMaterials,
  ignored: Tally,
): (mesh: Mesh, linear: Matrix3) => string | null {
  const known = new Map<Mesh, Map<string, string | null>>();
  const parts = new Map<Mesh, ObjPart[]>();
  const modelName = createNames();
  return (mesh, linear) => {
    const ofMesh = known.get(mesh) ?? new Map<string, string | null>();
    known.set(mesh, ofMesh);
    const key = linear.map((value) => value.toPrecision(7)).join(' ');
    const found = ofMesh.get(key);
    if (found !== undefined) return found;
    const whole =
      parts.get(mesh) ?? mesh.listPrimitives().flatMap((p) => partOf(p, materials, ignored));
    parts.set(mesh, whole);
    const name = whole.length === 0 ? null : modelName(slugOf(mesh.getName(), 'mesh'));
    ofMesh.set(key, name);
    if (name === null) return null;
    const file = `${stem}-${name}`;
    const named = [...new Set(whole.map(({ material }) => material))];
    const { library, threshold } = materials.libraryOf(named);
    const [first = ''] = named;
    scene.files.push(
      {
        name: `${file}.obj`,
        content: objText(
          `${file}.mtl`,
          whole.map((part) => mapped(part, linear)),
        ),
      },
      { name: `${file}.mtl`, content: mtlText(library) },
    );
    scene.models[name] = {
      kind: 'mesh',
      file: `${file}.obj`,
      unit: 'm',
      upAxis: 'z',
      material: first,
      materials: Object.fromEntries(named.map((material) => [material, material])),
      ...(threshold !== null && { alphaThreshold: threshold }),
    };
    return name;
  };
}

/** Triangles of a primitive, z up; nothing for points and lines. */
function partOf(primitive: Primitive, materials: GltfMaterials, ignored: Tally): ObjPart[] {
  const position = primitive.getAttribute('POSITION');
  const triangles = trianglesOf(primitive, position?.getCount() ?? 0);
  if (position === null || triangles === null) {
    ignored.add('points and lines');
    return [];
  }
  if (triangles.length === 0) return [];
  const { name, coordinateSet } = materials.use(primitive.getMaterial());
  const positions = new Float64Array(3 * position.getCount());
  const corner: number[] = [];
  for (let vertex = 0; vertex < position.getCount(); vertex += 1) {
    const [x = NaN, y = NaN, z = NaN] = position.getElement(vertex, corner);
    positions.set(apply3(zUpFromYUp, [x, y, z]), 3 * vertex);
  }
  const uv = coordinateSet === null ? null : primitive.getAttribute(`TEXCOORD_${coordinateSet}`);
  const coordinates = new Float64Array(coordinateSet === null ? 0 : 2 * position.getCount());
  for (let vertex = 0; uv !== null && vertex < uv.getCount(); vertex += 1) {
    const [u = 0, v = 0] = uv.getElement(vertex, corner);
    // v of glTF goes down.
    coordinates.set([u, 1 - v], 2 * vertex);
  }
  return [
    {
      material: name,
      positions,
      coordinates: coordinateSet === null ? null : coordinates,
      triangles,
    },
  ];
}

/** Three vertices a triangle; null: the primitive has no triangles. */
function trianglesOf(primitive: Primitive, vertices: number): Uint32Array | null {
  const { TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN } = Primitive.Mode;
  const mode = primitive.getMode();
  if (mode !== TRIANGLES && mode !== TRIANGLE_STRIP && mode !== TRIANGLE_FAN) return null;
  const indices = primitive.getIndices()?.getArray();
  const at = (n: number): number => indices?.[n] ?? n;
  const count = indices ? indices.length : vertices;
  const isList = mode === TRIANGLES;
  const triangles = new Uint32Array(isList ? count - (count % 3) : 3 * Math.max(0, count - 2));
  for (let corner = 0; corner < triangles.length; corner += 1) {
    const triangle = Math.floor(corner / 3);
    const place = corner % 3;
    if (isList) triangles[corner] = at(corner);
    else if (mode === TRIANGLE_FAN) triangles[corner] = at(place === 0 ? 0 : triangle + place);
    else {
      // Every second triangle of a strip is turned, so that all face one side.
      const order = triangle % 2 === 1 && place > 0 ? 3 - place : place;
      triangles[corner] = at(triangle + order);
    }
  }
  return triangles;
}

/** The problem of the corners of a mesh; null: there is none. */
function cornerProblem(mesh: Mesh): string | null {
  for (const primitive of mesh.listPrimitives()) {
    const vertices = primitive.getAttribute('POSITION')?.getCount() ?? 0;
    const wrong = primitive
      .getIndices()
      ?.getArray()
      ?.find((vertex) => vertex >= vertices);
    if (wrong === undefined) continue;
    return `expected corners among ${vertices} vertices in mesh '${mesh.getName()}', found ${wrong}`;
  }
  return null;
}

/** A part under a linear map; a mirrored one keeps its outer side. */
function mapped(part: ObjPart, linear: Matrix3): ObjPart {
  if (linear === identity3) return part;
  const positions = new Float64Array(part.positions.length);
  for (let at = 0; at + 2 < positions.length; at += 3) {
    const [x = 0, y = 0, z = 0] = [
      part.positions[at],
      part.positions[at + 1],
      part.positions[at + 2],
    ];
    positions.set(apply3(linear, [x, y, z]), at);
  }
  if (determinant3(linear) > 0) return { ...part, positions };
  const triangles = Uint32Array.from(part.triangles);
  for (let at = 0; at + 2 < triangles.length; at += 3) {
    [triangles[at + 1], triangles[at + 2]] = [triangles[at + 2] ?? 0, triangles[at + 1] ?? 0];
  }
  return { ...part, positions, triangles };
}

function countIgnored(json: GltfDocument['json'], ignored: Tally): void {
  ignored.add('animations (objects do not move)', json.animations?.length ?? 0);
  ignored.add('skins (meshes stay in their rest pose)', json.skins?.length ?? 0);
  ignored.add('cameras', json.cameras?.length ?? 0);
  const lights = json.extensions?.['KHR_lights_punctual'] as { lights?: unknown[] } | undefined;
  ignored.add('lights', lights?.lights?.length ?? 0);
  for (const { primitives } of json.meshes ?? []) {
    for (const { targets } of primitives) ignored.add('morph targets', targets?.length ?? 0);
  }
  ignored.add('scenes besides the shown one', (json.scenes?.length ?? 1) - 1);
  const others = (json.extensionsUsed ?? []).filter((name) => !isApplied(name));
  for (const name of others) ignored.add(`extension ${name}`);
}
