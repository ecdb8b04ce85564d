// Waiting for the screen: what comes faster than it can be shown is slowed down to it.

/** A hidden page gets no frames: it continues at this pace. */
const hiddenFrameMs = 250;

/** Resolves with `drawn`, and in a hidden page, where nothing is drawn, at its pace. */
export async function drawnOrHidden(drawn: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const hidden = new Promise<void>((resolve) => {
    timer = setInterval(() => document.hidden && resolve(), hiddenFrameMs);
  });
  await Promise.race([drawn, hidden]);
  clearInterval(timer);
}

/** Resolves with the next frame on screen. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      resolve();
    };
    const frame = requestAnimationFrame(done);
    const timer = setTimeout(done, hiddenFrameMs);
  });
}
