// The page's side of threads/meshThread.ts: triangles go out, geometries with their trees come back.
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { ModelTriangles } from '#renderer/logic/surfaceMesh.ts';
import type { MeshDone, MeshJob } from '#renderer/threads/meshThread.ts';

/** A level of a model, ready to be drawn and to be met by rays. */
export interface PreparedMesh {
  geometry: BufferGeometry;
  triangles: number;
  /** Of each vertex. */
  material: Uint16Array;
  areaM2: Float64Array;
  tree: MeshBVH;
}

export interface MeshPreparer {
  /** Never settles after dispose(). */
  prepare(triangles: ModelTriangles): Promise<PreparedMesh>;
  dispose(): void;
}

export function createMeshPreparer(): MeshPreparer {
  const thread = new Worker(new URL('../../threads/meshThread.ts', import.meta.url), {
    type: 'module',
  });
  const waiting = new Map<number, (mesh: PreparedMesh) => void>();
  let jobs = 0;
  thread.addEventListener('message', ({ data }: MessageEvent<MeshDone>) => {
    waiting.get(data.job)?.(meshOf(data));
    waiting.delete(data.job);
  });

  return {
    prepare(triangles) {
      jobs += 1;
      const job = jobs;
      const message: MeshJob = { job, triangles };
      thread.postMessage(message);
      return new Promise((resolve) => waiting.set(job, resolve));
    },
    dispose() {
      thread.terminate();
      waiting.clear();
    },
  };
}

function meshOf({ surface, tree }: MeshDone): PreparedMesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(surface.positionM, 3));
  geometry.setAttribute('normal', new BufferAttribute(surface.normal, 4, true));
  geometry.setAttribute('surface', new BufferAttribute(surface.material, 1));
  geometry.setIndex(new BufferAttribute(surface.index, 1));
  return {
    geometry,
    triangles: surface.index.length / 3,
    material: surface.material,
    areaM2: surface.areaM2,
    tree: MeshBVH.deserialize(tree, geometry, { setIndex: false }),
  };
}
