// A summary of a mesh file without its faces: materials, their colours, bounds.
import type { Replies } from '#contract/host/methods.ts';
import { createObjSummary, mtlColours } from '#domain/scene/objSummary.ts';
import type { Files } from '../ports/files.ts';
import { maxMeshBytes } from './sceneFiles.ts';

/** Summary of an OBJ, with the colours of its libraries; nothing for other formats. @param mesh absolute */
export async function meshSummary(
  files: Files,
  mesh: string,
  signal?: AbortSignal,
): Promise<Replies['document.mesh']> {
  if (!mesh.toLowerCase().endsWith('.obj')) return { materials: [], colours: {}, bounds: null };
  const reader = createObjSummary();
  await files.pieces(mesh, (bytes) => reader.push(bytes), signal, maxMeshBytes);
  const { materials, bounds, libraries } = reader.end();
  const colours: Record<string, string> = {};
  for (const library of libraries) {
    // Why no failure: a mesh without its material library still has its faces.
    const text = await files.readText(files.resolveFrom(mesh, library), signal).catch(() => '');
    Object.assign(colours, mtlColours(text));
  }
  return { materials, colours, bounds };
}
