// Settings of the tools of the scene view, applied to the view.
import { computed, reactive, ref, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { GizmoMode } from '#renderer/viewer/scene/gizmo.ts';
import type { SceneCameraMode } from '#renderer/logic/viewer/viewSettings.ts';
import { useSunHour } from '#renderer/stores/preferences/sunHour.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

export interface SceneSettings {
  cameraMode: Ref<SceneCameraMode>;
  shown: { labels: boolean; grid: boolean; areas: boolean; air: boolean; occlusion: boolean };
  detail: Ref<'auto' | 'full'>;
  gizmoMode: Ref<GizmoMode | 'none'>;
  hasAllAxes: Ref<boolean>;
  /** How the camera is steered. */
  steering: ComputedRef<string>;
}

const steerings: Record<SceneCameraMode, string> = {
  orbit: 'Drag to turn · right drag to move · wheel to zoom · double-click to set the centre',
  fly: 'W A S D to move · Q E down, up · drag to look · Shift for faster · wheel sets the speed',
  top: 'Right drag or arrow keys to move · wheel to zoom',
};

/** Applies the settings of the tools to the scene view, and gives them to the tools. */
export function useSceneSettings(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
): SceneSettings {
  const cameraMode = ref<SceneCameraMode>('orbit');
  const shown = reactive({ labels: true, grid: false, areas: false, air: true, occlusion: true });
  const detail = ref<'auto' | 'full'>('auto');
  const gizmoMode = ref<GizmoMode | 'none'>('none');
  const hasAllAxes = ref(false);
  const steering = computed(() => steerings[cameraMode.value]);

  watch([viewer, cameraMode], () => {
    viewer.value?.camera.setMode(cameraMode.value);
    // Why: in flight the keys steer, wherever the mode was chosen.
    if (cameraMode.value === 'fly') canvas.value?.focus({ preventScroll: true });
  });
  const { hour } = useSunHour();
  watch([viewer, hour], () => viewer.value?.setHour(hour.value));
  watch([viewer, shown], () => viewer.value?.setShown(shown), { immediate: true });
  watch([viewer, () => shown.occlusion], () => viewer.value?.setSkyOcclusion(shown.occlusion));
  watch([viewer, detail], () => viewer.value?.setFullDetail(detail.value === 'full'));
  return { cameraMode, shown, detail, gizmoMode, hasAllAxes, steering };
}
