// Brings the octree of a cloud into its layer of a viewer, node by node, and says how much of it is drawn.
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue';
import type { CloudNodeChunk } from '#contract/host/cloudMethods.ts';
import { cloudTableOf } from '#renderer/logic/cloud/cloudTable.ts';
import type { DrawnCloud } from '#renderer/logic/cloud/drawnCloud.ts';
import { createNodeLoader, type NodeLoader } from '#renderer/logic/cloud/nodeLoader.ts';
import { drawingNote } from '#renderer/logic/viewer/drawingNote.ts';
import type { CloudOctreeState } from '#renderer/stores/cloud/cloudOctree.ts';
import type { OctreeLayer } from '#renderer/viewer/cloud/octreeLayer.ts';

export interface OctreeView {
  /** Null: no octree is shown. */
  cloud: DrawnCloud | null;
  /** A sentence where the view is drawn coarser than the screen could show; '' otherwise. */
  note: string;
}

/** Read so often: a text that changes with each frame cannot be read. */
const intervalMs = 300;

/** Within a set-up or an effect scope. `layer`: null until the viewer is there; `budget`: most points on screen. */
export function useOctreeView(
  layer: () => OctreeLayer | null,
  state: Pick<CloudOctreeState, 'octree' | 'readNodes' | 'fail'>,
  budget: () => number,
): ComputedRef<OctreeView> {
  const read = shallowRef<OctreeView>({ cloud: null, note: '' });
  let loader: NodeLoader | null = null;
  const timer = setInterval(readDrawn, intervalMs);
  onScopeDispose(() => {
    clearInterval(timer);
    loader?.dispose();
  });

  watch(
    [layer, () => state.octree],
    ([shownBy, octree]) => {
      loader?.dispose();
      loader = null;
      if (shownBy !== null && octree !== null) {
        const { points } = octree.nodes;
        loader = createNodeLoader({
          pointsOf: (node) => points[node] ?? 0,
          read: (nodes, signal) =>
            state.readNodes(octree, nodes, {
              signal,
              onChunk: (body, columns) =>
                shownBy.add((body as CloudNodeChunk).node, cloudTableOf([columns])),
            }),
          onError: state.fail,
        });
        shownBy.onMissing(loader.want);
      }
      shownBy?.showOctree(octree, budget());
      readDrawn();
    },
    { flush: 'post', immediate: true },
  );
  watch(budget, () => layer()?.showOctree(state.octree, budget()));
  return computed(() => read.value);

  function readDrawn(): void {
    const into = layer();
    if (into === null) return;
    const note = drawingNote({ slowFrameMs: into.slowFrameMs() });
    if (state.octree === null) {
      if (read.value.cloud !== null || read.value.note !== note) read.value = { cloud: null, note };
      return;
    }
    const { points, chosenPoints, cutSpacingPx } = into.drawn();
    read.value = { cloud: { points, isComplete: points === chosenPoints, cutSpacingPx }, note };
  }
}
