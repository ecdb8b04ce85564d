// Pace of what is sent to displays of a run: as fast as all of them draw.
import { drawnSoon, nextFrame } from '#renderer/browser/nextFrame.ts';
import type { RunDisplay } from '#renderer/logic/cloud/runDisplay.ts';

/** To a view whose frames take longer, instants come at this pace. */
const slowFrameMs = 250;

/**
 * Resolves once all displays can take the next instant, at the latest after `maxMs`; with the next frame where there are
 * none.
 */
export async function allDrawn(
  displays: ReadonlySet<RunDisplay>,
  maxMs = slowFrameMs,
): Promise<void> {
  if (displays.size === 0) await nextFrame();
  else await drawnSoon(Promise.all([...displays].map((display) => display.drawn())), maxMs);
}
