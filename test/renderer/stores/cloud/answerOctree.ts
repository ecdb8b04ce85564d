// Answers of a host that has an octree of two nodes: a root with two points and a child with the rest.
import { WithColumns, type FakePage } from '../pageOf.ts';

/** The reply to cloud.open. The root is in row 1. */
export function openedOctree(key: string, points: number): WithColumns {
  const octree = {
    key,
    points,
    originM: [100, 0, 0],
    minM: [0, 0, 0],
    edgeM: 128,
    spacingM: 1,
    classes: ['leaf'],
    hasColour: false,
    distances: null,
  };
  return new WithColumns(
    { octree },
    {
      level: Uint8Array.of(1, 0),
      x: Uint32Array.of(1, 0),
      y: new Uint32Array(2),
      z: new Uint32Array(2),
      points: Uint32Array.of(points - 2, 2),
    },
  );
}

/** Answers cloud.nodes: two points for each node. */
export function answerNodes(page: FakePage): void {
  page.answer('cloud.nodes', (request, { onChunk }) => {
    const { nodes } = request as { nodes: number[] };
    const position = Float32Array.of(1, 2, 3, 4, 5, 6);
    const columns = { position, intensity: new Float32Array(2), class_id: new Uint16Array(2) };
    for (const node of nodes) void onChunk?.({ node }, columns);
    return { nodes: nodes.length };
  });
}
