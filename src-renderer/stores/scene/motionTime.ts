// The time at which the open scene is shown, as its timeline plays or is scrubbed; and the motion whose keyframes are on
// the timeline: that of the selected part.
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import { field } from '#contract/documents/unknownData.ts';
import { clamp } from '#domain/shared/numbers.ts';
import { nextFrame } from '#renderer/browser/nextFrame.ts';
import { motionSpan } from '#renderer/logic/scene/motionSpan.ts';
import {
  addKeyframe,
  keyframeTimes,
  moveKeyframe,
  removeKeyframe,
} from '#renderer/logic/sceneEdit/keyframeEdits.ts';
import { lawNamed } from '#renderer/logic/sceneEdit/motionEdits.ts';
import { valueAt } from '#renderer/logic/sceneEdit/sceneOutline.ts';
import { partAt } from '#renderer/logic/sceneEdit/sceneParts.ts';
import { useScene } from './scene.ts';
import { useSceneEdit } from './sceneEdit.ts';

/** Simulated seconds per second. */
export const motionSpeeds = [0.1, 0.25, 0.5, 1, 2, 4, 8] as const;
/** A step on the timeline. */
export const motionStepS = 0.1;

export const useMotionTime = defineStore('motionTime', () => {
  const scene = useScene();
  const edit = useSceneEdit();
  const timeS = ref(0);
  const speed = ref(1);
  const isPlaying = ref(false);
  /** Index of the selected keyframe; null: none. */
  const keyframe = ref<number | null>(null);
  /** Without that of the vehicle itself, which is where its drive starts. */
  const motions = computed(() =>
    (scene.contents?.motions ?? []).filter(({ law }) => law.kind !== 'vehicle'),
  );
  const hasMotions = computed(() => motions.value.length > 0);
  /** Start of scans, where it is not the default of 0 and anything moves. */
  const scanStart = computed(() => {
    const fromS = Math.round(timeS.value * 100) / 100;
    return hasMotions.value && fromS !== 0 ? { fromS } : {};
  });
  const span = computed(() => motionSpan(motions.value));
  /** Name of the motion on the timeline; null: the selected part has none. */
  const motion = computed(() => {
    const part = edit.selectedPath === null ? null : partAt(edit.selectedPath);
    if (part?.kind === 'motion') return String(part.path.at(-1));
    const name = part?.kind === 'instance' ? field(valueAt(edit.data, part.path), 'motion') : null;
    return typeof name === 'string' ? name : null;
  });
  const data = computed(() =>
    motion.value === null ? undefined : valueAt(edit.data, ['scene', 'motions', motion.value]),
  );
  const kind = computed(() => {
    const value = field(data.value, 'kind');
    return typeof value === 'string' ? value : '';
  });
  const isKeyframed = computed(() => kind.value === 'keyframes');
  const timesS = computed(() => (isKeyframed.value ? keyframeTimes(data.value) : []));

  watch(motion, () => (keyframe.value = null));
  watch(timesS, (times) => {
    if ((keyframe.value ?? -1) >= times.length) keyframe.value = null;
  });
  watch(
    () => scene.scenario,
    () => {
      pause();
      timeS.value = 0;
    },
  );
  return {
    timeS,
    speed,
    isPlaying,
    keyframe,
    hasMotions,
    scanStart,
    span,
    motion,
    kind,
    isKeyframed,
    timesS,
    seek,
    step,
    toggle,
    pause,
    add,
    moveTo,
    remove,
  };

  function seek(toS: number): void {
    timeS.value = clamp(toS, span.value.startS, span.value.endS);
  }

  function step(steps: number): void {
    pause();
    seek(Math.round(timeS.value / motionStepS + steps) * motionStepS);
  }

  function pause(): void {
    isPlaying.value = false;
  }

  function toggle(): void {
    if (isPlaying.value) pause();
    else void play();
  }

  /** From the beginning again at the end. */
  async function play(): Promise<void> {
    isPlaying.value = true;
    let beforeMs = performance.now();
    for (;;) {
      await nextFrame();
      if (!isPlaying.value || !hasMotions.value) break;
      const nowMs = performance.now();
      const nextS = timeS.value + ((nowMs - beforeMs) / 1000) * speed.value;
      seek(nextS > span.value.endS ? span.value.startS : nextS);
      beforeMs = nowMs;
    }
    pause();
  }

  /** A keyframe at the present time, where the motion is then. */
  async function add(): Promise<void> {
    const law = lawNamed(motions.value, motion.value);
    const originM = scene.contents?.originM;
    if (motion.value === null || law === null || originM === undefined) return;
    const added = addKeyframe(motion.value, timesS.value, law, timeS.value, originM);
    if (added === null) return;
    if (await edit.apply([added.edit], `Add keyframe of ${motion.value}`)) {
      keyframe.value = added.index;
    }
  }

  async function moveTo(index: number, toS: number): Promise<void> {
    if (motion.value === null || timesS.value[index] === toS) return;
    const change = moveKeyframe(motion.value, timesS.value, index, toS);
    await edit.apply([change], `Move keyframe of ${motion.value}`);
  }

  async function remove(index: number): Promise<void> {
    // Why not the last: a motion of no keyframes is none.
    if (motion.value === null || timesS.value.length < 2) return;
    const change = removeKeyframe(motion.value, index);
    if (await edit.apply([change], `Delete keyframe of ${motion.value}`)) keyframe.value = null;
  }
});
