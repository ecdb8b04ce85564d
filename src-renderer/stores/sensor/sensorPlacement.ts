// Where the sensor of the next scan is in the open scene: where the scenario mounts it on its vehicle at the start of the
// mission, also after changes of the scene, until it is placed elsewhere.
import { computed, reactive, ref, watch, type ComputedRef, type Reactive, type Ref } from 'vue';
import type { Scenario } from '#contract/documents/scenario.ts';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { useClient } from '#renderer/client/injection.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import { wholeMillimetres } from '#renderer/logic/rounding.ts';
import { placedInScene, placedInWorld } from '#renderer/logic/scene/worldPlaces.ts';
import { defaultMountM, startPose } from '#renderer/logic/scans/startPose.ts';
import { useScene } from '../scene/scene.ts';
import { useSensors } from './sensors.ts';

export interface SensorPose {
  xM: number;
  yM: number;
  zM: number;
  yawDeg: number;
  pitchDeg: number;
}

export interface SensorPlacement {
  /** Relative to the origin of the scene. */
  pose: Reactive<SensorPose>;
  /** The same in the world, as documents and commands have it. */
  worldPose: ComputedRef<SensorPose>;
  /** How high above the ground the sensor was mounted where it was last. */
  mountM: Ref<number>;
  /** The next click into the scene places the sensor. */
  isPlacing: Ref<boolean>;
  /** The sensor is moved or turned by handles in the scene. */
  handles: Ref<'none' | 'move' | 'turn'>;
  standAt: (next: Partial<SensorPose>) => void;
  /** At some coordinates of the world. */
  standInWorld: (next: Partial<SensorPose>) => void;
  /** As the scenario mounts the sensor that was taken of its rig, or its first; else above the middle. */
  standAtStart: () => Promise<void>;
}

export interface PlacementOptions {
  /** Metres, of the ground at a place in the open scene. */
  heightBelow: (xM: number, yM: number) => Promise<number>;
  placed: () => void;
  failed: (failure: unknown) => void;
}

/** Within a set-up. */
export function createSensorPlacement(options: PlacementOptions): SensorPlacement {
  const client = useClient();
  const scene = useScene();
  const sensors = useSensors();
  const pose = reactive<SensorPose>({ xM: 0, yM: 0, zM: defaultMountM, yawDeg: 0, pitchDeg: 0 });
  const originM = computed<OriginM>(() => scene.contents?.originM ?? [0, 0, 0]);
  const mountM = ref(defaultMountM);
  /** The scenario at whose start the sensor was placed, and where that was. */
  let [placedFor, start]: [string | null, SensorPose] = [null, { ...pose }];
  const isAtStart = (): boolean => JSON.stringify(pose) === JSON.stringify(start);

  watch(
    () => scene.contents,
    (contents) => {
      if (contents === null) return;
      if (placedFor !== scene.scenario || isAtStart()) void standAtStart();
    },
    { immediate: true },
  );
  return {
    pose,
    worldPose: computed(() => placedInWorld(originM.value, { ...pose })),
    mountM,
    standInWorld: (next) => void Object.assign(pose, placedInScene(originM.value, next)),
    standAtStart,
    isPlacing: ref(false),
    handles: ref('none'),
    standAt: (next) => void Object.assign(pose, next),
  };

  async function standAtStart(): Promise<void> {
    const { contents, scenario, text } = scene;
    if (contents === null || scenario === null) return;
    const before = JSON.stringify(pose);
    try {
      const read = await client.call('document.read', { kind: 'scenario', document: scenario });
      const { value } = await client.call('document.edit', {
        kind: 'scenario',
        text: text ?? read.text,
        file: read.file,
      });
      const document = (value ?? {}) as Partial<Scenario>;
      const found = startPose(document, sensors.mountedAs, middleOf(contents.summary));
      const groundM = await options.heightBelow(found.xM, found.yM);
      // Built again meanwhile, or placed by hand.
      if (scene.contents !== contents || JSON.stringify(pose) !== before) return;
      mountM.value = found.mountM;
      start = {
        xM: wholeMillimetres(found.xM),
        yM: wholeMillimetres(found.yM),
        zM: wholeMillimetres(groundM + found.mountM),
        yawDeg: Math.round(1000 * found.yawDeg) / 1000,
        pitchDeg: found.pitchDeg,
      };
      Object.assign(pose, start);
      placedFor = scenario;
      options.placed();
    } catch (failure) {
      // Why not always: a scene that was built again meanwhile is asked again.
      if (scene.contents === contents) options.failed(failure);
    }
  }
}

function middleOf({ minM, maxM }: SceneContents['summary']): [number, number] {
  return [(minM[0] + maxM[0]) / 2, (minM[1] + maxM[1]) / 2];
}
