// Files dropped on the page: whether one can be opened or imported, and if not, what would help.
import { pointFileEndings } from '#contract/host/cloudMethods.ts';

/** Larger than any scenario that a person wrote (a scenario names its meshes, it does not hold them). */
const maxBytes = 16e6;

/** More than the head of a PLY has. */
const plyHeadBytes = 1 << 16;

/** A sentence that says why a file cannot be opened; null: it may be a scenario. */
export function refusalOf({ name, size }: { name: string; size: number }): string | null {
  const lower = name.toLowerCase();
  if (/\.understory\.ya?ml$/.test(lower)) {
    return size <= maxBytes ? null : `“${name}” is too large to be a scenario.`;
  }
  if (/\.ya?ml$/.test(lower)) {
    return `“${name}” is not a scenario (.understory.yaml). Open sensors in the panel Sensor.`;
  }
  if (/\.e57$/.test(lower)) {
    return `“${name}” is a scan in E57, which is not read. Convert it: pdal translate ${name} cloud.laz.`;
  }
  if (/\.(obj|ply|stl|gltf|glb)$/.test(lower)) {
    return `“${name}” is a mesh. Open a scene and use Add, Mesh.`;
  }
  return `“${name}” is neither a scenario (.understory.yaml) nor a bundle (.understory), a recording (.mcap) or a file of points (${pointFileEndings.join(', ')}).`;
}

/** Whether a file, by its name, holds runs: a bundle or a recording. */
export function isRunsFile(name: string): boolean {
  return /\.(understory|mcap)$/i.test(name);
}

/** Whether a file, by its name, holds points: they are shown as a cloud. A PLY may be a mesh. */
export function isPointFile(name: string): boolean {
  return pointFileEndings.some((ending) => name.toLowerCase().endsWith(ending));
}

/** Whether a file begins as a PLY with faces does. */
export async function isMeshPly(file: Blob): Promise<boolean> {
  const head = await file
    .slice(0, plyHeadBytes)
    .text()
    .catch(() => '');
  return /^ply\b[^]*^element face 0*[1-9]/m.test(head.split('end_header')[0] ?? '');
}

/** The last part of a path, of any system. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/**
 * The name of a text without a known file: a browser does not report the path of a dropped file.
 * Absolute, so that nothing it names is found by chance.
 */
export function nameWithoutPlace(name: string): string {
  return `/dropped without its folder/${name}`;
}
