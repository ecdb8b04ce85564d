// The available choices: the scenarios, sensors and plants that come with Understory, and the scenario files
// that were opened or saved in this browser last.
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Replies } from '#contract/host/methods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useConnection } from './connection.ts';
import { createOwnFiles } from './ownFiles.ts';

const maxOwnFiles = 8;

export const useChoices = defineStore('choices', () => {
  const client = useClient();
  const samples = shallowRef<Replies['scenario.list']>([]);
  const own = createOwnFiles('ownScenarios', maxOwnFiles);
  const scenarios = computed(() => [
    ...samples.value,
    ...own.files.value.map((file) => {
      const name = file.split(/[\\/]/).at(-1) ?? file;
      return { id: file, name, description: file, file };
    }),
  ]);
  const sensors = shallowRef<Replies['sensor.list']>([]);
  const plants = shallowRef<Replies['plant.list']>([]);
  const error = shallowRef<string | null>(null);
  useConnection().whenOpen(() => void load());
  return { scenarios, sensors, plants, error, addOwnFile: own.add };

  async function load(): Promise<void> {
    try {
      [samples.value, sensors.value, plants.value] = await Promise.all([
        client.call('scenario.list', {}),
        client.call('sensor.list', {}),
        client.call('plant.list', {}),
      ]);
      error.value = null;
    } catch (failure) {
      error.value = sentenceOf(failure);
    }
  }
});
