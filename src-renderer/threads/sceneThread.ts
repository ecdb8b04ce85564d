// Work for a scene off the page's own thread: normals and trees of boxes of its models, and the
// image of its ground. One message in, one out, in order.
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH, type SerializedBVH } from 'three-mesh-bvh';
import {
  paintGround,
  type GroundPaint,
  type PaintRequest,
} from '#renderer/logic/scene/groundPaint.ts';
import {
  surfaceMesh,
  type ModelTriangles,
  type SurfaceMesh,
} from '#renderer/logic/scene/surfaceMesh.ts';

export type SceneJob =
  | { job: number; kind: 'mesh'; triangles: ModelTriangles }
  | { job: number; kind: 'paint'; request: PaintRequest };

/** Ready for drawing, and for being met by rays. */
export interface MeshDone {
  surface: SurfaceMesh;
  /** Its triangles are those of `surface`, in their order. */
  tree: SerializedBVH;
}

export type SceneDone =
  { job: number; kind: 'mesh'; done: MeshDone } | { job: number; kind: 'paint'; done: GroundPaint };

addEventListener('message', ({ data }: MessageEvent<SceneJob>) => {
  if (data.kind === 'mesh') answerMesh(data.job, data.triangles);
  else answerPaint(data.job, data.request);
});

function answerMesh(job: number, triangles: ModelTriangles): void {
  const surface = surfaceMesh(triangles);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(surface.positionM, 3));
  geometry.setIndex(new BufferAttribute(surface.index, 1));
  const tree = MeshBVH.serialize(new MeshBVH(geometry, { indirect: true }), {
    cloneBuffers: false,
  });
  answer({ job, kind: 'mesh', done: { surface, tree: { ...tree, index: null } } }, [
    surface.positionM.buffer,
    surface.normal.buffer,
    surface.material.buffer,
    surface.index.buffer,
    ...tree.roots,
    ...(tree.indirectBuffer === null ? [] : [tree.indirectBuffer.buffer]),
  ] as Transferable[]);
}

function answerPaint(job: number, request: PaintRequest): void {
  const done = paintGround(request);
  answer({ job, kind: 'paint', done }, [done.cover.buffer, done.light.buffer]);
}

function answer(message: SceneDone, transfer: Transferable[]): void {
  postMessage(message, { transfer });
}
