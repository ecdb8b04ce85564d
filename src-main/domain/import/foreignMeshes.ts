// Objects of foreign scenes that name mesh files: one model for each file and orientation, instances that turn and
// scale it. A map that is no rotation with one scale (unequal scales, mirrors) is written into a mesh of its own.
import type { Problem } from '#contract/documents/problems.ts';
import { objUnderMap } from './geometry/objMap.ts';
import { identity3, multiply3, turnOf, zUpFromYUp, type Matrix3 } from './geometry/placement.ts';
import { createNames, slugOf, tidy, type ImportedScene } from './importedScene.ts';
import { assumedMaterial } from './materials.ts';

/** A mesh file as it was found. */
export interface ForeignMesh {
  /** As the scenario names it. */
  file: string;
  /** Names of materials that its faces use, and their colours: '#rrggbb'. */
  materials: readonly string[];
  colours: Readonly<Record<string, string>>;
}

/** Files that an importer asks for. */
export interface ForeignFiles {
  /** A mesh by the name of the foreign file; null: there is none. */
  findMesh(name: string): Promise<ForeignMesh | null>;
  /** Bytes of a mesh that was found. */
  readMesh(name: string): Promise<Uint8Array>;
}

export interface ForeignObject {
  mesh: string;
  name: string;
  /** From the mesh's coordinates to the scene's, z up, without the shift. */
  linear: Matrix3;
  positionM: [number, number, number];
  onGround: boolean;
}

export interface ForeignMeshes {
  /** The model of a mesh under `upright`, a rotation into z up; null: it is missing, or cannot be copied. */
  modelOf(mesh: string, upright: Matrix3): Promise<string | null>;
  /** Adds an instance; false where there is no model. `upright` is the part of `linear` that models share. */
  place(object: ForeignObject, upright: Matrix3): Promise<boolean>;
  /** Names of files that are missing, each once. */
  missing(): string[];
  /** Files that are no OBJ, each once, where a copy under a map is needed. @param path of the problems */
  uncopied(path: string): Problem[];
  notes(): string[];
}

/** Adds models, materials and instances to the scene. @param stem of the files beside the scenario */
export function createForeignMeshes(
  scene: ImportedScene,
  files: ForeignFiles,
  stem: string,
): ForeignMeshes {
  const found = new Map<string, Promise<ForeignMesh | null>>();
  const models = new Map<string, string>();
  const modelName = createNames();
  const objectName = createNames();
  const missing = new Set<string>();
  const uncopied = new Set<string>();
  const notes = new Set<string>();

  async function meshOf(name: string): Promise<ForeignMesh | null> {
    const asked = found.get(name) ?? files.findMesh(name);
    found.set(name, asked);
    const mesh = await asked;
    if (mesh === null) missing.add(name);
    return mesh;
  }

  /** The model of a mesh under a map: `upAxis` where that is enough, otherwise a mesh of its own. */
  async function modelUnder(name: string, map: Matrix3): Promise<string | null> {
    const key = `${name} ${map.map((value) => value.toPrecision(7)).join(' ')}`;
    const known = models.get(key);
    if (known !== undefined) return known;
    const mesh = await meshOf(name);
    if (mesh === null) return null;
    const upAxis = isSame(map, identity3) ? 'z' : isSame(map, zUpFromYUp) ? 'y' : null;
    if (upAxis === null && !/\.obj$/i.test(name)) {
      uncopied.add(name);
      return null;
    }
    const model = modelName(slugOf(stemOf(name), 'mesh'));
    models.set(key, model);
    const materials = materialsOf(mesh);
    const file = upAxis === null ? `${stem}-${model}.obj` : mesh.file;
    if (upAxis === null) {
      scene.files.push({ name: file, content: objUnderMap(await files.readMesh(name), map) });
      notes.add(
        `${file}: a copy of '${name}' with unequal scales, mirrored or turned; without images`,
      );
    }
    const [first = 'material'] = Object.values(materials);
    scene.materials[first] ??= assumedMaterial(stemOf(name));
    const common = { file, unit: 'm', upAxis: upAxis ?? 'z', material: first } as const;
    scene.models[model] = { kind: 'mesh', ...common, materials };
    return model;
  }

  /** Material of the scene for each name in the file. */
  function materialsOf({ materials, colours }: ForeignMesh): Record<string, string> {
    const ofScene: Record<string, string> = {};
    for (const name of materials) {
      const own = slugOf(name, 'material');
      ofScene[name] = own;
      scene.materials[own] ??= assumedMaterial(name, colours[name]);
    }
    return ofScene;
  }

  return {
    modelOf: (mesh, upright) => modelUnder(mesh, upright),
    place: async ({ mesh, name, linear, positionM, onGround }, upright) => {
      const turn = turnOf(linear);
      const own = turn === null ? multiply3(linear, upright) : upright;
      const model = await modelUnder(mesh, own);
      if (model === null) return false;
      const place = positionM.map((metres) => tidy(metres, 6)) as [number, number, number];
      const instance = { name: objectName(slugOf(name, 'object')), model, positionM: place };
      scene.instances.push({ ...instance, ...(!onGround && { onGround }), ...turn });
      return true;
    },
    missing: () => [...missing],
    uncopied: (path) =>
      [...uncopied].map((name) => {
        const message = `expected an OBJ where a mesh has unequal scales, is mirrored or turned, found '${name}': convert it`;
        return { path, code: 'format', message };
      }),
    notes: () => [...notes],
  };
}

function isSame(a: Matrix3, b: Matrix3): boolean {
  return a.every((value, at) => Math.abs(value - (b[at] ?? 0)) < 1e-6);
}

/** 'pine' for …/pine.obj. */
export function stemOf(name: string): string {
  const file = name.split(/[\\/]/).at(-1) ?? name;
  return file.replace(/\.[^.]*$/, '');
}
