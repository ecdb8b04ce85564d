// The hint below the view of a scene: what the pointer and keys do now.
import { computed, ref, watch, type ComputedRef } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import type { SceneSettings } from './useSceneSettings.ts';

const hints = {
  measure: 'Click points to measure · snaps to corners and edges (not with Shift) · Esc clears',
  paint: 'Drag to paint · [ ] radius · Shift+R add or exclude · Esc ends',
  box: 'Drag a rectangle to select the objects in it · Shift adds them · Esc ends',
  point: 'Drag or arrow keys (Shift: 1 m) move the point · Delete removes it · V next point',
};

/** `tool`: what the pointer is for; null: the camera, of which those who have moved it in this mode need no hint. */
export function useSceneHint(
  { cameraMode, steering }: SceneSettings,
  tool: () => keyof typeof hints | null,
): { hint: ComputedRef<string>; onSteered: () => void } {
  const steered = computed(() => storedInBrowser(`scene.steered.${cameraMode.value}`));
  const hasSteered = ref(false);
  watch(steered, (now) => (hasSteered.value = now.read() !== null), { immediate: true });
  return {
    hint: computed(() => {
      const now = tool();
      if (now !== null) return hints[now];
      return hasSteered.value ? '' : steering.value;
    }),
    onSteered() {
      if (!hasSteered.value) steered.value.write('yes');
    },
  };
}
