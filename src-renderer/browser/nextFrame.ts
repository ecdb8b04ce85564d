// Waiting for the screen: what comes faster than it can be shown is slowed down to it.

/** A hidden page gets no frames: it continues at this pace. */
const hiddenFrameMs = 250;

/**
 * Resolves with `drawn`, and at the latest after `maxMs`: several instants are then drawn at once. Why: some chunks are
 * always in flight, and each of them would be as much older as a frame takes.
 */
export async function drawnSoon(drawn: Promise<unknown>, maxMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([drawn, soon]);
  clearTimeout(timer);
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
