// How the view of a run is drawn: at what cost, and whether coarser than the screen could show.
import { computed, onScopeDispose, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import { drawingNote } from '#renderer/logic/viewer/drawingNote.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

export interface Drawing {
  triangles: number;
  calls: number;
  /** A sentence where the view is drawn coarser; '' otherwise. */
  note: string;
}

const intervalMs = 1000;

/** Read once a second. Within a set-up. */
export function useDrawing(viewer: Readonly<ShallowRef<RunViewer | null>>): ComputedRef<Drawing> {
  const read = shallowRef({
    triangles: 0,
    calls: 0,
    slowMs: null as number | null,
    isOccluded: false,
  });
  const timer = setInterval(() => {
    const into = viewer.value;
    if (into === null) return;
    const [slowMs, isOccluded] = [into.slowFrameMs(), into.isOccluded()];
    read.value = { ...into.statistics(), slowMs, isOccluded };
  }, intervalMs);
  onScopeDispose(() => clearInterval(timer));
  return computed(() => {
    const { slowMs, isOccluded, ...drawn } = read.value;
    return { ...drawn, note: drawingNote({ slowFrameMs: slowMs, isOccluded }) };
  });
}
