// Tools of a view that get its pointer before the camera and what selects by clicks.

/** Captured, since the others listen on the canvas, too; returns what ends it. */
export function listenFirst(
  canvas: HTMLCanvasElement,
  on: {
    onDown: (event: PointerEvent) => void;
    onMove: (event: PointerEvent) => void;
    onUp: (event: PointerEvent) => void;
    cancel: () => void;
    isDragged: () => boolean;
  },
): () => void {
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  canvas.addEventListener('pointerdown', on.onDown, options);
  canvas.addEventListener('pointermove', on.onMove, options);
  canvas.addEventListener('pointerup', on.onUp, options);
  canvas.addEventListener('pointercancel', on.cancel, options);
  // Why on the window: Escape ends the drag alone, wherever the focus is.
  const onKey = (event: KeyboardEvent): void => {
    if (!on.isDragged() || event.key !== 'Escape') return;
    event.stopImmediatePropagation();
    on.cancel();
  };
  addEventListener('keydown', onKey, options);
  return () => listening.abort();
}
