// The available choices: the scenarios, sensors and plants that come with Understory, and the scenario files
// that were opened or saved in this browser last.
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Replies } from '#contract/host/methods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { textsOf } from '#renderer/logic/storedTexts.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useConnection } from './connection.ts';
import { storedInBrowser } from '#renderer/browser/storedText.ts';

const storedScenarios = storedInBrowser('ownScenarios');
const maxOwnFiles = 8;

export const useChoices = defineStore('choices', () => {
  const client = useClient();
  const samples = shallowRef<Replies['scenario.list']>([]);
  /** Absolute, the last one first. */
  const ownFiles = shallowRef<readonly string[]>(textsOf(storedScenarios.read()));
  const scenarios = computed(() => [
    ...samples.value,
    ...ownFiles.value.map((file) => {
      const name = file.split(/[\\/]/).at(-1) ?? file;
      return { id: file, name, description: file, file };
    }),
  ]);
  const sensors = shallowRef<Replies['sensor.list']>([]);
  const plants = shallowRef<Replies['plant.list']>([]);
  const error = shallowRef<string | null>(null);
  useConnection().whenOpen(() => void load());
  return { scenarios, sensors, plants, error, addOwnFile };

  /** A scenario file of one's own: it is offered from now on. */
  function addOwnFile(file: string): void {
    ownFiles.value = [file, ...ownFiles.value.filter((one) => one !== file)].slice(0, maxOwnFiles);
    storedScenarios.write(JSON.stringify(ownFiles.value));
  }

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
