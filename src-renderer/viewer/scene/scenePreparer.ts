// The page's side of threads/sceneThread.ts: triangles go out, geometries with their trees come back; rows go
// out, the image of the ground comes back.
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { GroundPaint, PaintRequest } from '#renderer/logic/scene/groundPaint.ts';
import type { ModelTriangles } from '#renderer/logic/scene/surfaceMesh.ts';
import type { MeshDone, SceneDone, SceneJob } from '#renderer/threads/sceneThread.ts';

/** A level of a model, ready to be drawn and to be met by rays. */
export interface PreparedMesh {
  geometry: BufferGeometry;
  triangles: number;
  /** Material of each vertex. */
  material: Uint16Array;
  areaM2: Float64Array;
  tree: MeshBVH;
}

/** Its promises never settle after dispose(). */
export interface ScenePreparer {
  prepare(triangles: ModelTriangles): Promise<PreparedMesh>;
  paint(request: PaintRequest): Promise<GroundPaint>;
  dispose(): void;
}

/** Prepares meshes and ground on a thread of its own, in order. dispose() ends it. */
export function createScenePreparer(): ScenePreparer {
  const thread = new Worker(new URL('../../threads/sceneThread.ts', import.meta.url), {
    type: 'module',
  });
  const waiting = new Map<number, (message: SceneDone) => void>();
  let jobs = 0;
  thread.addEventListener('message', ({ data }: MessageEvent<SceneDone>) => {
    const take = waiting.get(data.job);
    waiting.delete(data.job);
    take?.(data);
  });

  return {
    prepare: (triangles) =>
      new Promise((resolve) => {
        ask({ job: jobs, kind: 'mesh', triangles }, (message) => {
          if (message.kind === 'mesh') resolve(meshOf(message.done));
        });
      }),
    paint: (request) =>
      new Promise((resolve) => {
        ask({ job: jobs, kind: 'paint', request }, (message) => {
          if (message.kind === 'paint') resolve(message.done);
        });
      }),
    dispose() {
      thread.terminate();
      waiting.clear();
    },
  };

  function ask(message: SceneJob, take: (message: SceneDone) => void): void {
    waiting.set(message.job, take);
    thread.postMessage(message);
    jobs += 1;
  }
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
