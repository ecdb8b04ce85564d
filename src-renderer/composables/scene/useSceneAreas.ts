// The areas of scatters, stands and landscapes in the view of a scene: of the chosen one, or of all while they are switched on.
import { computed, onBeforeUnmount, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import { themeColours } from '#renderer/browser/themeColour.ts';
import { areaOutlines } from '#renderer/logic/scene/areaOutlines.ts';
import type { NameLabel } from '#renderer/logic/scene/nameLabels.ts';
import { partAt } from '#renderer/logic/sceneEdit/sceneParts.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { createAreaMarks } from '#renderer/viewer/scene/areaMarks.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';

/** Returns their labels. */
export function useSceneAreas(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  shown: { areas: boolean },
  theme: Readonly<Ref<Theme>>,
): ComputedRef<NameLabel[]> {
  const scene = useScene();
  const edit = useSceneEdit();
  const marks = createAreaMarks();
  const chosen = computed(() => {
    const path = edit.selectedPath;
    const kind = path === null ? undefined : partAt(path)?.kind;
    const hasArea = kind === 'scatter' || kind === 'stand' || kind === 'landscape';
    return hasArea ? `${path?.[1]} ${path?.[2]}` : null;
  });
  const outlines = computed(() =>
    scene.contents === null || edit.document !== scene.scenario
      ? []
      : areaOutlines(
          edit.data,
          (index, list) => shown.areas || `${list} ${index}` === chosen.value,
        ),
  );
  watch(viewer, (made) => {
    made?.overlay('areas').add(marks.object);
    made?.onScene(show);
  });
  watch([viewer, outlines], show);
  watch([viewer, theme], colour, { flush: 'post' });
  onBeforeUnmount(marks.dispose);
  return computed(() =>
    outlines.value.map(({ label, labelM }) => ({
      text: label,
      kind: 'name' as const,
      isFirst: true,
      positionM: [...labelM, viewer.value?.groundAt(labelM) ?? 0] as const,
    })),
  );

  function show(): void {
    const made = viewer.value;
    if (made === null) return;
    marks.show(outlines.value, made.groundAt);
    made.invalidate();
  }

  function colour(): void {
    const named = themeColours();
    marks.setColours({ area: named('--accent'), clear: named('--warning') });
    viewer.value?.invalidate();
  }
}
