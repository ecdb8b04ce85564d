// Pace of what is sent to displays of a run: as fast as all of them draw.
import { drawnSoon, nextFrame } from '#renderer/browser/nextFrame.ts';
import type { RunDisplay } from '#renderer/logic/cloud/runDisplay.ts';

/** Resolves once all displays can take the next instant; with the next frame where there are none. */
export async function allDrawn(displays: ReadonlySet<RunDisplay>): Promise<void> {
  if (displays.size === 0) await nextFrame();
  else await drawnSoon(Promise.all([...displays].map((display) => display.drawn())));
}
