// Brings clouds, maps, paths and the vehicle into the viewer, live or from a recording, and keeps the colour
// scales' ranges.
import { reactive, ref, shallowRef, watch, type ShallowRef } from 'vue';
import type { Columns } from '#contract/columns.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { isListed, scaledColours, type Colouring } from '#renderer/logic/colours/colouring.ts';
import {
  histogramBy,
  noRanges,
  shownRange,
  widenedBy,
} from '#renderer/logic/colours/colourRanges.ts';
import type { ValueHistogram } from '#renderer/logic/colours/valueHistogram.ts';
import type { DrivenPath, RunDisplay, ShownInstant } from '#renderer/logic/cloud/runDisplay.ts';
import { pointsOf, type PointColumns } from '#renderer/logic/cloud/pointColumns.ts';
import {
  createRunLook,
  type FadedLayer,
  type RunLayer,
  type RunLook,
} from '#renderer/logic/viewer/viewSettings.ts';
import { useClippedView } from '#renderer/composables/frame/useClip.ts';
import { nextFrame } from '#renderer/browser/nextFrame.ts';
import { useMovingObjects } from './useMovingObjects.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

export interface CloudView {
  /** Reactive; the controls may change it. */
  look: RunLook;
  hasPoints: Readonly<{ value: boolean }>;
  /** Counts of the values that colour the newest points; null: there is nothing to scale. */
  histogram: Readonly<ShallowRef<ValueHistogram | null>>;
  /** To be subscribed to a drive or a playback. */
  display: RunDisplay;
}

/** Values are counted no oftener: counting those of every view would be seen in its time. */
const countEveryMs = 1000;

/** Widens the ranges of the scales so that they hold these points. */
export function widenRanges({ ranges }: Pick<Colouring, 'ranges'>, points: PointColumns): void {
  for (const by of scaledColours) ranges[by] = widenedBy(by, ranges[by], points);
}

/**
 * The same for points that are one of many views: the range that is shown, those that are not known yet, and of the
 * others one each time. Why not all: six samples sorted were a fifth of what a view costs.
 */
function widenInTurn({ by: shown, ranges }: Colouring, points: PointColumns, turn: number): void {
  for (const [index, by] of scaledColours.entries()) {
    const isDue = by === shown || ranges[by] === null || index === turn % scaledColours.length;
    if (isDue) ranges[by] = widenedBy(by, ranges[by], points);
  }
}

/** Shows a run in a viewer. `details`: those of the run; another run is framed. */
export function useCloudView(
  viewer: Readonly<ShallowRef<RunViewer | null>>,
  details: () => RunDetails | null,
  look = reactive(createRunLook()),
): CloudView {
  const hasPoints = ref(false);
  const objects = useMovingObjects(
    () => details()?.id ?? null,
    (states) => viewer.value?.showObjects(states),
  );
  const histogram = shallowRef<ValueHistogram | null>(null);
  let newest: PointColumns | null = null;
  let countedAtMs = -Infinity;
  let views = 0;

  watch(
    [viewer, () => look.colouring],
    () => {
      const { by, scale } = look.colouring;
      // Points of scans have no distances, and are not shown with those that have.
      if (by === 'distance') return;
      viewer.value?.setColouring(by, scale, shownRange(look.colouring) ?? [0, 1]);
    },
    { immediate: true, deep: true },
  );
  watch(
    [viewer, () => look.layers, () => look.opacity],
    () => {
      for (const layer of Object.keys(look.layers) as RunLayer[]) {
        viewer.value?.setLayer(layer, look.layers[layer]);
      }
      for (const layer of Object.keys(look.opacity) as FadedLayer[]) {
        viewer.value?.setOpacity(layer, look.opacity[layer]);
      }
    },
    { deep: true },
  );
  watch(
    () => look.colouring.by,
    () => newest !== null && count(newest),
  );
  useClippedView(
    () => viewer.value,
    () => look.clip,
  );
  watch([viewer, () => look.cameraMode], () => viewer.value?.setCameraMode(look.cameraMode));
  watch(viewer, (made) =>
    made?.onDragged(() => {
      if (look.cameraMode === 'follow') look.cameraMode = 'orbit';
    }),
  );
  watch([viewer, details], ([shownBy, run], [, before]) => {
    shownBy?.showMission(run?.mission ?? null);
    if (run === null) return;
    shownBy?.setVehicleSize(run.vehicleSizeM);
    if (run.id !== before?.id) shownBy?.frame();
  });
  return { look, hasPoints, histogram, display: { reset, show, jump, setPath, addHistory, drawn } };

  function count(points: PointColumns): void {
    countedAtMs = performance.now();
    const { by } = look.colouring;
    histogram.value = isListed(by) ? null : histogramBy(by, points);
  }

  function reset(): void {
    hasPoints.value = false;
    newest = null;
    if (!look.hasFixedRanges) look.colouring.ranges = noRanges();
    viewer.value?.clear();
  }

  function jump(path: DrivenPath): void {
    viewer.value?.clearPoints();
    setPath(path);
  }

  function setPath(path: DrivenPath): void {
    viewer.value?.setPath(path);
  }

  function addHistory(points: PointColumns, isNewest: boolean): void {
    if (!look.hasFixedRanges) widenRanges(look.colouring, points);
    viewer.value?.addHistory(points, isNewest);
  }

  function drawn(): Promise<void> {
    return viewer.value?.whenDrawn() ?? nextFrame();
  }

  function show({ tick, map }: ShownInstant, columns: Columns): void {
    const into = viewer.value;
    if (into === null) return;
    into.moveVehicle(tick.truth);
    into.setTime(tick.timeNs / 1e9);
    objects.showAt(tick.timeNs / 1e9);
    if (tick.gpsM !== undefined && tick.gpsM !== null) into.addFix(tick.gpsM);
    const points = pointsOf(columns);
    if (points !== null) {
      if (!look.hasFixedRanges) widenInTurn(look.colouring, points, views);
      views += 1;
      into.addPoints(points);
      newest = points;
      if (performance.now() - countedAtMs > countEveryMs) count(points);
    }
    const { cost, path_x_m: pathXM, path_y_m: pathYM } = columns;
    if (cost instanceof Uint8Array && map !== null) into.showMap(map, cost);
    if (pathXM instanceof Float32Array && pathYM instanceof Float32Array) {
      into.showPlannedPath(pathXM, pathYM);
    }
    if (hasPoints.value) return;
    hasPoints.value = true;
    into.frame();
  }
}
