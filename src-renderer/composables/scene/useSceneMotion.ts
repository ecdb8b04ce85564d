// Moving instances in the view of a scene: drawn where it is at the time of the timeline, with the way of the selected motion.
import { computed, onBeforeUnmount, watch, type Ref, type ShallowRef } from 'vue';
import { themeColours } from '#renderer/browser/themeColour.ts';
import { motionWay } from '#renderer/logic/scene/motionWay.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';
import { useCommands } from '#renderer/stores/frame/commands.ts';
import { useMotionTime } from '#renderer/stores/scene/motionTime.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { usePanel } from '../frame/usePanel.ts';
import { createMotionMarks } from '#renderer/viewer/scene/motionMarks.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** Follows the timeline while the component lives. */
export function useSceneMotion(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  theme: Readonly<Ref<Theme>>,
): void {
  const scene = useScene();
  const motion = useMotionTime();
  const { isShown, isActive } = usePanel();
  const marks = createMotionMarks();
  const law = computed(
    () => scene.contents?.motions.find(({ name }) => name === motion.motion)?.law ?? null,
  );
  const way = computed(() => (law.value === null ? null : motionWay(law.value, motion.span)));

  useCommands([
    {
      id: 'scene.play',
      title: 'Play or pause motion',
      keys: 'Space',
      when: () => isShown.value && isActive.value && motion.hasMotions,
      run: motion.toggle,
    },
    {
      id: 'scene.add-keyframe',
      title: 'Add keyframe at this time',
      keys: 'K',
      when: () => isShown.value && isActive.value && motion.isKeyframed,
      run: motion.add,
    },
    {
      id: 'scene.delete-keyframe',
      title: 'Delete selected keyframe',
      when: () => isShown.value && isActive.value && motion.keyframe !== null,
      run: () => motion.remove(motion.keyframe ?? 0),
    },
  ]);
  watch([viewer, () => motion.timeS], () => viewer.value?.setTime(motion.timeS), {
    immediate: true,
  });
  // Why: a hidden view would draw every frame.
  watch(isShown, (shown) => {
    if (!shown) motion.pause();
  });
  watch(viewer, (made) => made?.overlay('motions').add(marks.object));
  watch([viewer, way, () => motion.keyframe], show);
  watch([viewer, theme], setColours, { flush: 'post' });
  onBeforeUnmount(() => {
    motion.pause();
    marks.dispose();
  });

  function show(): void {
    marks.show(way.value, motion.keyframe);
    viewer.value?.invalidate();
  }

  function setColours(): void {
    const named = themeColours();
    marks.setColours({
      way: named('--accent'),
      keyframe: named('--warning'),
      chosen: named('--accent'),
    });
    viewer.value?.invalidate();
  }
}
