// The scenarios, sensors and plants that come with Understory: what there is to choose from.
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { Replies } from '#contract/methods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useConnection } from './connection.ts';

export const useChoices = defineStore('choices', () => {
  const client = useClient();
  const scenarios = shallowRef<Replies['scenario.list']>([]);
  const sensors = shallowRef<Replies['sensor.list']>([]);
  const plants = shallowRef<Replies['plant.list']>([]);
  const error = shallowRef<string | null>(null);
  useConnection().whenOpen(() => void load());
  return { scenarios, sensors, plants, error };

  async function load(): Promise<void> {
    try {
      [scenarios.value, sensors.value, plants.value] = await Promise.all([
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
