// Weather and wind in the view of a scene, as the edited scenario states them, before the scene is built again.
import { computed, ref, watch, type ComputedRef, type ShallowRef } from 'vue';
import { clearAir, sceneAir, type SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** The air of the open scenario as it was last without problems; null: clear and calm. */
export function useSceneAir(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  shown: { air: boolean },
): ComputedRef<SceneAir | null> {
  const scene = useScene();
  const edit = useSceneEdit();
  const last = ref<SceneAir>(clearAir);
  watch(
    () => [edit.document, edit.value] as const,
    ([document, value], before) => {
      if (value !== null) last.value = sceneAir(value.scene);
      else if (document !== before?.[0]) last.value = clearAir;
    },
    { immediate: true },
  );
  const air = computed(() => (edit.document === scene.scenario ? last.value : clearAir));
  watch(
    [viewer, air, () => shown.air],
    () => viewer.value?.setAir(shown.air ? air.value : clearAir),
    { immediate: true },
  );
  return computed(() =>
    air.value.extinctionPerM === 0 && air.value.wind === null ? null : air.value,
  );
}
