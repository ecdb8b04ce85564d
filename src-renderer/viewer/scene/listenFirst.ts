// Tools of a view that get its pointer before the camera and what selects by clicks.

/** The part of a view that a tool takes over. */
export interface PointedView {
  canvas: HTMLCanvasElement;
  setCameraEnabled: (isEnabled: boolean) => void;
}

export interface PointerTool {
  /** True: the tool has the pointer until `end` or `cancel`. */
  begin: (event: PointerEvent) => boolean;
  /** The pointer moves, and the tool has it not. */
  hover: (event: PointerEvent) => void;
  drag: (event: PointerEvent) => void;
  end: (event: PointerEvent) => void;
  cancel: () => void;
}

export interface ListeningTool {
  /** Ends a drag, if there is one. */
  cancel: () => void;
  dispose: () => void;
}

/** Captured, since the others listen on the canvas, too. Escape cancels a drag. */
export function listenFirst(view: PointedView, tool: PointerTool): ListeningTool {
  const { canvas } = view;
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  let isDragged = false;
  const release = (): void => {
    isDragged = false;
    view.setCameraEnabled(true);
  };
  const cancel = (): void => {
    if (!isDragged) return;
    release();
    tool.cancel();
  };
  const onDown = (event: PointerEvent): void => {
    if (isDragged || event.button !== 0 || !tool.begin(event)) return;
    event.stopImmediatePropagation();
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    view.setCameraEnabled(false);
    isDragged = true;
  };
  const onMove = (event: PointerEvent): void => {
    if (!isDragged) return tool.hover(event);
    event.stopImmediatePropagation();
    tool.drag(event);
  };
  const onUp = (event: PointerEvent): void => {
    if (!isDragged) return;
    event.stopImmediatePropagation();
    canvas.releasePointerCapture(event.pointerId);
    release();
    tool.end(event);
  };
  // Why on the window: Escape ends the drag alone, wherever the focus is.
  const onKey = (event: KeyboardEvent): void => {
    if (!isDragged || event.key !== 'Escape') return;
    event.stopImmediatePropagation();
    cancel();
  };
  canvas.addEventListener('pointerdown', onDown, options);
  canvas.addEventListener('pointermove', onMove, options);
  canvas.addEventListener('pointerup', onUp, options);
  canvas.addEventListener('pointercancel', cancel, options);
  addEventListener('keydown', onKey, options);
  return { cancel, dispose: () => listening.abort() };
}
