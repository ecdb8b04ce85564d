// Brings the octree of the chosen log into the viewer of the Learn page, node by node, and says how much of it is drawn.
import {
  computed,
  onScopeDispose,
  shallowRef,
  watch,
  type ComputedRef,
  type ShallowRef,
} from 'vue';
import type { CloudNodeChunk } from '#contract/host/cloudMethods.ts';
import { createNodeLoader, type NodeLoader } from '#renderer/logic/cloud/nodeLoader.ts';
import { cloudTableOf } from '#renderer/logic/learn/modelTables.ts';
import type { DrawnLog } from '#renderer/logic/learn/shownParts.ts';
import { drawingNote } from '#renderer/logic/viewer/drawingNote.ts';
import { usePointBudget } from '#renderer/stores/preferences/pointBudget.ts';
import { useLogOctree } from '#renderer/stores/learn/logOctree.ts';
import type { LearnViewer } from '#renderer/viewer/learn/learnViewer.ts';

export interface OctreeView {
  /** Null: no octree is shown. */
  log: DrawnLog | null;
  /** A sentence where the view is drawn coarser than the screen could show; '' otherwise. */
  note: string;
}

/** Read so often: a text that changes with each frame cannot be read. */
const intervalMs = 300;

/** Within a set-up. */
export function useOctreeView(
  viewer: Readonly<ShallowRef<LearnViewer | null>>,
): ComputedRef<OctreeView> {
  const store = useLogOctree();
  const { budget } = usePointBudget();
  const read = shallowRef<OctreeView>({ log: null, note: '' });
  let loader: NodeLoader | null = null;
  const timer = setInterval(readDrawn, intervalMs);
  onScopeDispose(() => {
    clearInterval(timer);
    loader?.dispose();
  });

  watch(
    [viewer, () => store.octree],
    ([shownBy, octree]) => {
      loader?.dispose();
      loader = null;
      if (shownBy !== null && octree !== null) {
        const { points } = octree.nodes;
        loader = createNodeLoader({
          pointsOf: (node) => points[node] ?? 0,
          read: (nodes, signal) =>
            store.readNodes(octree, nodes, {
              signal,
              onChunk: (body, columns) =>
                shownBy.log.add((body as CloudNodeChunk).node, cloudTableOf([columns])),
            }),
          onError: store.fail,
        });
        shownBy.log.onMissing(loader.want);
      }
      shownBy?.log.showOctree(octree, budget.value);
      readDrawn();
    },
    { flush: 'post' },
  );
  watch(budget, () => viewer.value?.log.showOctree(store.octree, budget.value));
  return computed(() => read.value);

  function readDrawn(): void {
    const into = viewer.value;
    if (into === null) return;
    const note = drawingNote({ slowFrameMs: into.slowFrameMs() });
    if (store.octree === null) {
      if (read.value.log !== null || read.value.note !== note) read.value = { log: null, note };
      return;
    }
    const { points, chosenPoints, cutSpacingPx } = into.log.drawn();
    read.value = { log: { points, isComplete: points === chosenPoints, cutSpacingPx }, note };
  }
}
