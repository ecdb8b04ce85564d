// The brush in the view of a scene: strokes paint the area of the selected scatter, stand or landscape.
import { computed, reactive, watch, type ComputedRef, type ShallowRef } from 'vue';
import { clamp } from '#domain/shared/numbers.ts';
import type { Stroke } from '#renderer/logic/sceneEdit/areaBrush.ts';
import { brushEdits, canPaint, type BrushMode } from '#renderer/logic/sceneEdit/brushEdits.ts';
import { titleOfParts } from '#renderer/logic/sceneEdit/manyParts.ts';
import { useCommands } from '#renderer/stores/frame/commands.ts';
import { usePartStates } from '#renderer/stores/scene/partStates.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { usePanel } from '../frame/usePanel.ts';
import { shapeColours } from './shapeColours.ts';

export interface BrushState {
  isOn: boolean;
  mode: BrushMode;
  radiusM: number;
}

export interface SceneBrush {
  state: BrushState;
  /** Name of the part that is painted; null: none that is selected can be. */
  target: ComputedRef<string | null>;
  toggle: () => void;
  /** Ends painting; false where nothing is painted. */
  leave: () => boolean;
}

/** The least and the greatest. */
export const brushRadiiM = [0.1, 500] as const;
const radiusStep = 1.25;

export function useSceneBrush(viewer: Readonly<ShallowRef<SceneViewer | null>>): SceneBrush {
  const scene = useScene();
  const edit = useSceneEdit();
  const states = usePartStates();
  const { isShown, isActive } = usePanel();
  const state = reactive<BrushState>({ isOn: false, mode: 'add', radiusM: 2 });
  const path = computed(() => {
    const { selectedPath } = edit;
    const can =
      scene.contents !== null &&
      selectedPath !== null &&
      canPaint(edit.data, selectedPath) &&
      !states.isLocked(selectedPath);
    return can ? selectedPath : null;
  });
  const target = computed(() =>
    path.value === null ? null : titleOfParts(edit.data, [path.value]),
  );
  const isPainting = (): boolean => state.isOn && path.value !== null;

  watch([viewer, state, path], () => {
    viewer.value?.brush.set(
      isPainting()
        ? {
            radiusM: Number.isFinite(state.radiusM) ? clamp(state.radiusM, ...brushRadiiM) : 2,
            tone: state.mode === 'add' ? 'area' : 'clear',
            onStroke: (stroke) => void paint(stroke),
          }
        : null,
    );
  });
  watch(path, (now) => {
    if (now === null) state.isOn = false;
  });
  watch(viewer, (made) => made?.brush.setColours(shapeColours()));
  const isHere = (): boolean => isShown.value && isActive.value;
  useCommands([
    {
      id: 'scene.brush',
      title: 'Paint the area of a scatter',
      keys: 'R',
      when: () => isHere() && path.value !== null,
      run: toggle,
    },
    {
      id: 'scene.brush-mode',
      title: 'Paint: add or exclude',
      keys: 'Shift+R',
      when: () => isHere() && isPainting(),
      run: () => (state.mode = state.mode === 'add' ? 'exclude' : 'add'),
    },
    {
      id: 'scene.brush-smaller',
      title: 'Smaller brush',
      keys: '[',
      isRepeated: true,
      when: () => isHere() && isPainting(),
      run: () => size(1 / radiusStep),
    },
    {
      id: 'scene.brush-larger',
      title: 'Larger brush',
      keys: ']',
      isRepeated: true,
      when: () => isHere() && isPainting(),
      run: () => size(radiusStep),
    },
  ]);
  return {
    state,
    target,
    toggle,
    leave() {
      const wasOn = state.isOn;
      state.isOn = false;
      return wasOn;
    },
  };

  function toggle(): void {
    state.isOn = !state.isOn && path.value !== null;
  }

  function size(factor: number): void {
    state.radiusM = Math.round(100 * clamp(state.radiusM * factor, ...brushRadiiM)) / 100;
  }

  async function paint(stroke: Stroke): Promise<void> {
    if (path.value === null) return;
    const edits = brushEdits(edit.data, path.value, state.mode, stroke);
    if (edits === null) edit.error = 'A stroke must touch the area: an area is one polygon.';
    else if (edits.length > 0) {
      const verb = state.mode === 'add' ? 'Paint the area of' : 'Exclude from';
      await edit.apply(edits, `${verb} ${target.value ?? ''}`);
    }
  }
}
