// Which importer reads a file.
import type { ImportFormat } from '#contract/host/importMethods.ts';

/** The format by a file's name; null: none of them. */
export function importFormatOf(file: string): ImportFormat | null {
  if (/\.(csv|tsv)$/i.test(file)) return 'tree-list';
  if (/\.asc$/i.test(file)) return 'ascii-grid';
  if (/\.tiff?$/i.test(file)) return 'geotiff';
  if (/\.(glb|gltf)$/i.test(file)) return 'gltf';
  if (/\.json$/i.test(file)) return 'mavs';
  if (/\.xml$/i.test(file)) return 'helios';
  return null;
}

/** How a file of another format comes over; null: nothing is known of it. */
export function conversionAdvice(file: string): string | null {
  if (/\.dae$/i.test(file)) {
    return "COLLADA is not read: Blender or 'assimp export x.dae x.glb' makes glTF of it";
  }
  if (/\.(urdf|xacro|sdf|world)$/i.test(file)) {
    return "URDF and SDF are not read: import the meshes that it names ('assimp export' makes .glb of .dae) and place them in the scene";
  }
  if (/\.(fbx|3ds|off|3mf|usdz?|blend|ifc|x3d|wrl)$/i.test(file)) {
    return 'this format is not read: Blender exports glTF (.glb)';
  }
  if (/\.(obj|ply|stl)$/i.test(file)) {
    return 'a mesh becomes a model of a scenario: models.NAME with kind: mesh and its file';
  }
  return null;
}
