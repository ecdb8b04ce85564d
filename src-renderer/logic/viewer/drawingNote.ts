// The sentence of a view about how coarsely this machine draws it.

interface DrawnView {
  /** Mean time of a frame while the view changes, where it is drawn coarser for it; null: it is not. */
  slowFrameMs: number | null;
  shadows?: { isCoarse: boolean };
  /** Sky occlusion is on. */
  isOccluded?: boolean;
}

/** A sentence where it is drawn coarser than the screen could show; '' otherwise. */
export function drawingNote({ slowFrameMs, shadows, isOccluded }: DrawnView): string {
  const isCoarse = shadows?.isCoarse === true;
  if (slowFrameMs === null) return isCoarse ? 'Coarse shadows on this machine' : '';
  const without = isOccluded === true ? ', no contact shadows' : '';
  const frame = `Coarser while it changes${without}: ${Math.round(slowFrameMs)} ms a frame`;
  return isCoarse ? `${frame}; coarse shadows` : frame;
}
