// The size of a canvas that fills its parent.

/** Finer than this costs frames and shows nothing more. */
const maxPixelRatio = 2;

/** Calls back with the size of the canvas' parent now and whenever it changes, in CSS pixels. Returns what ends that. */
export function observeCanvasSize(
  canvas: HTMLCanvasElement,
  resize: (widthPx: number, heightPx: number, pixelRatio: number) => void,
): () => void {
  const parent = canvas.parentElement;
  if (parent === null) return () => undefined;
  const observer = new ResizeObserver(() => {
    if (parent.clientWidth === 0) return;
    const ratio = Math.min(devicePixelRatio * (parent.currentCSSZoom ?? 1), maxPixelRatio);
    resize(parent.clientWidth, parent.clientHeight, ratio);
  });
  observer.observe(parent);
  return () => observer.disconnect();
}
