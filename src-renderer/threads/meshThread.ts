// Makes the triangles of models ready, off the page's own thread: normals for drawing, and a tree of boxes
// for picking. One message in, one out, in order.
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH, type SerializedBVH } from 'three-mesh-bvh';
import { surfaceMesh, type ModelTriangles, type SurfaceMesh } from '#renderer/logic/surfaceMesh.ts';

export interface MeshJob {
  job: number;
  triangles: ModelTriangles;
}

export interface MeshDone {
  job: number;
  surface: SurfaceMesh;
  /** Its triangles are those of `surface`, in their order. */
  tree: SerializedBVH;
}

addEventListener('message', ({ data }: MessageEvent<MeshJob>) => {
  const surface = surfaceMesh(data.triangles);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(surface.positionM, 3));
  geometry.setIndex(new BufferAttribute(surface.index, 1));
  const tree = MeshBVH.serialize(new MeshBVH(geometry, { indirect: true }), {
    cloneBuffers: false,
  });
  const done: MeshDone = { job: data.job, surface, tree: { ...tree, index: null } };
  const transfer = [
    surface.positionM.buffer,
    surface.normal.buffer,
    surface.material.buffer,
    surface.index.buffer,
    ...tree.roots,
    ...(tree.indirectBuffer === null ? [] : [tree.indirectBuffer.buffer]),
  ] as Transferable[];
  postMessage(done, { transfer });
});
