// Brings clouds, maps, paths and the vehicle into the viewer, live or from a recording, and keeps the colour
// scales' ranges.
import { reactive, ref, watch, type Ref, type ShallowRef } from 'vue';
import type { Columns } from '#contract/columns.ts';
import type { RunDetails } from '#contract/methods.ts';
import type { MapGeometry, TickFacts } from '#contract/run.ts';
import type { ScaleName } from '#renderer/logic/colourMaps.ts';
import type { PointColumns } from '#renderer/logic/pointColumns.ts';
import { widenRange, type ValueRange } from '#renderer/logic/valueRange.ts';
import type { CameraMode } from '#renderer/viewer/cameras.ts';
import type { ColourBy } from '#renderer/viewer/pointCloud.ts';
import type { Layer, Viewer } from '#renderer/viewer/viewer.ts';

/** How the cloud is coloured: shared by viewer and legend. */
export interface Colouring {
  by: ColourBy;
  scale: ScaleName;
  /** Metres above the world's zero; intensity without unit. Null until points came. */
  heightM: ValueRange | null;
  intensity: ValueRange | null;
}

/** Why not all of them: a few tree tops would leave the grass one colour. Higher ones share the last. */
const heightsInScale = 0.97;
/** Ranges widen in these steps. */
const heightStepM = 0.5;
const intensityStep = 0.1;

/** What may be shown of an instant. */
export interface ShownInstant {
  tick: TickFacts;
  /** Geometry of the column cost, where there is one. */
  map: MapGeometry | null;
}

/** How clouds are looked at: one view's own, or shared by views that are compared. */
export interface CloudLook {
  /** Reactive; the controls may change it. */
  colouring: Colouring;
  layers: Record<Layer, boolean>;
  cameraMode: Ref<CameraMode>;
  /** The ranges stay as they are, whatever comes. */
  hasFixedRanges: Ref<boolean>;
}

export interface CloudView extends CloudLook {
  hasPoints: Readonly<{ value: boolean }>;
  /** Takes everything off: another run is shown from now on. */
  reset: () => void;
  /** Adds an instant to the picture. Columns as in RunView (contract/run.ts). */
  show: (instant: ShownInstant, columns: Columns) => void;
}

export function createCloudLook(): CloudLook {
  return {
    colouring: reactive<Colouring>({
      by: 'height',
      scale: 'viridis',
      heightM: null,
      intensity: null,
    }),
    layers: reactive<Record<Layer, boolean>>({ cloud: true, map: true, paths: true }),
    cameraMode: ref<CameraMode>('orbit'),
    hasFixedRanges: ref(false),
  };
}

/** Widens the ranges of the scales so that they hold these points. */
export function widenRanges(colouring: Colouring, { zM, intensity }: PointColumns): void {
  colouring.heightM = widenRange(colouring.heightM, zM, heightStepM, heightsInScale);
  colouring.intensity = widenRange(colouring.intensity, intensity, intensityStep);
}

/** What a viewer shows of a run, and how. `details`: of the run; another one is framed. */
export function useCloudView(
  viewer: Readonly<ShallowRef<Viewer | null>>,
  details: () => RunDetails | null,
  look = createCloudLook(),
): CloudView {
  const { colouring, layers, cameraMode, hasFixedRanges } = look;
  const hasPoints = ref(false);

  watch(
    [viewer, colouring],
    () => {
      const range = colouring.by === 'intensity' ? colouring.intensity : colouring.heightM;
      viewer.value?.setColouring(colouring.by, colouring.scale, range ?? [0, 1]);
    },
    { immediate: true },
  );
  watch([viewer, layers], () => {
    for (const layer of ['cloud', 'map', 'paths'] as const) {
      viewer.value?.setLayer(layer, layers[layer]);
    }
  });
  watch([viewer, cameraMode], () => viewer.value?.setCameraMode(cameraMode.value));
  watch([viewer, details], ([shownBy, run], [, before]) => {
    shownBy?.showMission(run?.mission ?? null);
    if (run === null) return;
    shownBy?.setVehicleSize(run.vehicleSizeM);
    if (run.id !== before?.id) shownBy?.frame();
  });
  return { ...look, hasPoints, reset, show };

  function reset(): void {
    hasPoints.value = false;
    if (!hasFixedRanges.value) {
      colouring.heightM = null;
      colouring.intensity = null;
    }
    viewer.value?.clear();
  }

  function show({ tick, map }: ShownInstant, columns: Columns): void {
    const into = viewer.value;
    if (into === null) return;
    into.moveVehicle(tick.truth);
    const points = pointsOf(columns);
    if (points !== null) {
      if (!hasFixedRanges.value) widenRanges(colouring, points);
      into.addPoints(points);
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

/** The columns of points, or null where one is missing or of another length. */
export function pointsOf(columns: Columns): PointColumns | null {
  const { x_m: xM, y_m: yM, z_m: zM, intensity, class_id: classId } = columns;
  if (!(xM instanceof Float32Array && yM instanceof Float32Array && zM instanceof Float32Array)) {
    return null;
  }
  if (!(intensity instanceof Float32Array && classId instanceof Uint16Array)) return null;
  const isTable = [yM, zM, intensity, classId].every(({ length }) => length === xM.length);
  return isTable ? { xM, yM, zM, intensity, classId } : null;
}
