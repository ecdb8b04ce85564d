// Brings the chosen log, model and sample of the Learn page into its viewer, and clicks out of it.
import { onScopeDispose, ref, watch, type ShallowRef } from 'vue';
import { isClick } from '#renderer/browser/pointerClick.ts';
import { noPoints } from '#renderer/logic/cloud/cloudTable.ts';
import { rangeOf, sampleColours } from '#renderer/logic/learn/modelColours.ts';
import { useDocks } from '#renderer/stores/frame/docks.ts';
import { useLearnView } from '#renderer/stores/learn/learnView.ts';
import { usePlaceRanges } from '#renderer/stores/learn/placeRanges.ts';
import type { LearnViewer } from '#renderer/viewer/learn/learnViewer.ts';

/** The camera rests before more of a model is asked for. */
const restMs = 500;

const nothing = {
  cloud: noPoints,
  sample: { positionsM: new Float32Array(0), underSampled: new Uint8Array(0) },
};

export function useLearnScene(viewer: Readonly<ShallowRef<LearnViewer | null>>) {
  const view = useLearnView();
  const ranges = usePlaceRanges();
  const docks = useDocks();
  /** A click found nothing. */
  const isMissed = ref(false);
  let resting: ReturnType<typeof setTimeout> | undefined;
  let pressed: PointerEvent | null = null;
  let framed = '';
  onScopeDispose(() => clearTimeout(resting));

  watch(viewer, (now) => {
    now?.onCameraMoved(() => {
      clearTimeout(resting);
      resting = setTimeout(() => view.lookFrom(now.eyeM()), restMs);
    });
  });
  watch(
    [viewer, () => view.cloud.table],
    () => {
      viewer.value?.log.show(view.cloud.table ?? nothing.cloud);
      frameOnce();
    },
    { flush: 'post' },
  );
  watch(
    [viewer, () => view.colours.cloud, () => view.colours.scale, () => view.ranges],
    () => {
      const { cloud, scale } = view.colours;
      viewer.value?.log.colour(cloud, scale, rangeOf(cloud, view.ranges));
    },
    { flush: 'post' },
  );
  watch(
    [
      viewer,
      () => view.sample.table,
      () => view.colours.sample,
      () => view.colours.scale,
      () => view.ranges,
    ],
    () => {
      const table = view.sample.table ?? nothing.sample;
      const { sample, scale } = view.colours;
      viewer.value?.showSample(table.positionsM, sampleColours(table, sample, view.ranges, scale));
    },
    { flush: 'post' },
  );
  watch(
    [viewer, () => view.model.table, () => view.modelOffsetM],
    ([shownBy, table, offsetM]) => {
      if (table !== undefined) shownBy?.showModel(table, offsetM);
      else shownBy?.clearModel();
      frameOnce();
    },
    { flush: 'post' },
  );
  watch(
    [viewer, view.colours, view.filter, () => view.ranges],
    () => {
      const { model: by, scale } = view.colours;
      viewer.value?.setLook({ by, scale, range: rangeOf(by, view.ranges), ...view.filter });
    },
    { flush: 'post' },
  );
  watch([viewer, () => view.shownSide], () => viewer.value?.setRight(view.shownSide), {
    flush: 'post',
  });
  watch([viewer, () => ranges.placeInView], () => viewer.value?.showPlace(ranges.placeInView), {
    flush: 'post',
  });
  return { isMissed, pointerDown, pointerUp, lookAtCentre };

  /** Frames the log or the model, whichever is shown first. */
  function frameOnce(): void {
    const now = view.cloud.reply?.hash ?? (view.model.table === undefined ? '' : 'model');
    if (now === '' || now === framed || viewer.value === null) return;
    framed = now;
    viewer.value.frame();
  }

  function pointerDown(event: PointerEvent): void {
    pressed = event.button === 0 ? event : null;
  }

  function pointerUp(event: PointerEvent): void {
    if (pressed !== null && isClick(pressed, event)) lookAt(event.clientX, event.clientY);
    pressed = null;
  }

  /** For the keyboard: the place in the middle of the log. */
  function lookAtCentre(canvas: HTMLElement): void {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    lookAt(left + width / (view.shownSide === null ? 2 : 4), top + height / 2);
  }

  function lookAt(clientX: number, clientY: number): void {
    const found = viewer.value?.pointAt(clientX, clientY) ?? null;
    isMissed.value = found === null;
    if (found === null) return;
    ranges.look(found);
    docks.show('learn-ranges');
  }
}
