// Whether the view of a run is behind the numbers beside it, as on a machine that draws slowly while a drive is under way.
import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';
import { secondsText } from '#domain/shared/formats.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

/** A view that is behind for a shorter time is drawn before one has read a sentence. */
const minLagMs = 400;

/**
 * A sentence with the simulated time of the view, where that is not the one of the numbers; '' otherwise. `timeS`: of the
 * numbers; null: there are none. Within a set-up.
 */
export function useViewLag(
  viewer: Readonly<ShallowRef<Pick<RunViewer, 'onDrawn'> | null>>,
  timeS: () => number | null,
): Readonly<ShallowRef<string>> {
  const drawnS = shallowRef<number | null>(null);
  const text = shallowRef('');
  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(viewer, (made) => made?.onDrawn((nowS) => (drawnS.value = nowS)), { immediate: true });
  watch([drawnS, timeS], ([ofView, ofNumbers]) => {
    if (ofView === null || ofNumbers === null || ofView === ofNumbers) {
      clearTimeout(timer);
      timer = undefined;
      text.value = '';
    } else if (text.value !== '') say();
    else timer ??= setTimeout(say, minLagMs);
  });
  onScopeDispose(() => clearTimeout(timer));
  return text;

  function say(): void {
    text.value = `View of ${secondsText(drawnS.value)}`;
  }
}
