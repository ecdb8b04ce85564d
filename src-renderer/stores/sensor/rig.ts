// The sensors that the open scene has. The first of them is the one to look at and to scan with, in its place on the
// vehicle, until the user chooses another.
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import type { SensorMount } from '#contract/documents/scenario.ts';
import { sensorOfMount } from '#renderer/logic/sensor/mountedSensors.ts';
import { useChoices } from '../host/choices.ts';
import { useScans } from './scans.ts';
import { useSceneEdit } from '../scene/sceneEdit.ts';
import { useSensors } from './sensors.ts';

export const useRig = defineStore('rig', () => {
  const choices = useChoices();
  const edit = useSceneEdit();
  const scans = useScans();
  const sensors = useSensors();
  /** Sensors of the open scene as it was right last; none while none is open. */
  const mounts = shallowRef<readonly SensorMount[]>([]);
  /** The one that the sensor was taken as. */
  const taken = computed(
    () =>
      mounts.value.find(
        (mount) => mount.name === sensors.mountedAs && askedFor(mount) === sensors.chosen,
      ) ?? null,
  );
  let isFirst = true;

  watch(
    () => [edit.document, edit.value] as const,
    ([document, value]) => {
      if (document === null) mounts.value = [];
      else if (value !== null) mounts.value = value.sensors;
    },
    { immediate: true },
  );
  const wanted = computed(
    () => mounts.value.find(({ name }) => name === sensors.mountedAs) ?? mounts.value[0],
  );
  watch(
    // The parts of the rig that decide which sensor is looked at, and how.
    () => {
      if (wanted.value === undefined || choices.sensors.length === 0) return null;
      const { name, rateHz, mode } = wanted.value;
      return JSON.stringify([edit.document, name, askedFor(wanted.value), rateHz, mode]);
    },
    (now) => {
      if (now === null || wanted.value === undefined) return;
      // Why: after the page was loaded again the sensor is as it was left.
      const isKept = isFirst && taken.value === wanted.value;
      isFirst = false;
      if (!isKept && !sensors.isPicked) void look(wanted.value);
    },
    { immediate: true },
  );
  return { mounts, taken, take };

  /** Selects one of them, at its mounting pose. */
  async function take(mount: SensorMount): Promise<void> {
    sensors.isPicked = false;
    await look(mount);
    await scans.standAtStart();
  }

  async function look(mount: SensorMount): Promise<void> {
    const { name, rateHz, mode } = mount;
    await sensors.takeMounted(name, askedFor(mount), { rateHz, mode });
  }

  function askedFor(mount: SensorMount): string {
    const ids = choices.sensors.map(({ id }) => id);
    return sensorOfMount(mount, ids, edit.file ?? '');
  }
});
