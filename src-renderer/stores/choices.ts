// The scenarios and sensors that a drive can be started with.
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
  const error = shallowRef<string | null>(null);
  useConnection().whenOpen(() => void load());
  return { scenarios, sensors, error };

  async function load(): Promise<void> {
    try {
      [scenarios.value, sensors.value] = await Promise.all([
        client.call('scenario.list', {}),
        client.call('sensor.list', {}),
      ]);
      error.value = null;
    } catch (failure) {
      error.value = sentenceOf(failure);
    }
  }
});
