// The fields that the edited campaign can vary: of its first scenario, and of the sensors that it drives with.
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { field, items } from '#contract/documents/unknownData.ts';
import { formSchema } from '#contract/documents/publishedSchemas.ts';
import type { Client } from '#renderer/client/client.ts';
import { fileFrom } from '#renderer/logic/campaigns/newCampaign.ts';
import { variedFields, type VariedField } from '#renderer/logic/campaigns/variedFields.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';

export interface VariedDocuments {
  fields: ComputedRef<readonly VariedField[]>;
  error: Ref<string | null>;
}

interface Sources {
  scenario: string;
  sensors: readonly string[];
}

/** `data`: the campaign. `file`: from which names of files are resolved. Within a set-up. */
export function createVariedDocuments(
  client: Client,
  data: () => unknown,
  file: () => string,
): VariedDocuments {
  const found = shallowRef<readonly VariedField[]>([]);
  const error = ref<string | null>(null);
  let generation = 0;
  // Why as text: each edit creates new data with the same names in it.
  watch(() => JSON.stringify(sourcesOf(data(), file())), read, { immediate: true });
  return { fields: computed(() => found.value), error };

  async function read(key: string): Promise<void> {
    generation += 1;
    const mine = generation;
    const { scenario, sensors } = JSON.parse(key) as Sources;
    error.value = null;
    if (scenario === '') {
      found.value = [];
      return;
    }
    try {
      const fields = await fieldsOf(client, scenario, sensors);
      if (mine === generation) found.value = fields;
    } catch (failure) {
      if (mine !== generation) return;
      found.value = [];
      error.value = sentenceOf(failure);
    }
  }
}

function sourcesOf(data: unknown, file: string): Sources {
  const names = (key: string): string[] =>
    items(field(data, key)).filter((name) => typeof name === 'string');
  const [scenario = ''] = names('scenarios');
  return {
    scenario: scenario === '' ? '' : fileFrom(file, scenario),
    sensors: names('sensors').map((name) => fileFrom(file, name)),
  };
}

async function fieldsOf(
  client: Client,
  scenario: string,
  sensors: readonly string[],
): Promise<VariedField[]> {
  const read = await readData(client, 'scenario', scenario);
  const ofScenario = variedFields(formSchema('scenario'), read.data);
  const [first] = sensors;
  if (first !== undefined) {
    const { data } = await readData(client, 'sensor', first);
    return [...ofScenario, ...variedFields(formSchema('sensor'), data, 'sensor', 'Sensor')];
  }
  const mounts = items(field(read.data, 'sensors'));
  const ofSensors: VariedField[] = [];
  for (const mount of mounts) {
    const [name, sensor] = [field(mount, 'name'), field(mount, 'sensor')];
    if (typeof name !== 'string' || typeof sensor !== 'string') continue;
    const { data } = await readData(client, 'sensor', fileFrom(read.file, sensor));
    const prefix = mounts.length === 1 ? 'sensor' : `sensor[${name}]`;
    const place = mounts.length === 1 ? 'Sensor' : `Sensor ${name}`;
    ofSensors.push(...variedFields(formSchema('sensor'), data, prefix, place));
  }
  return [...ofScenario, ...ofSensors];
}

async function readData(
  client: Client,
  kind: 'scenario' | 'sensor',
  document: string,
): Promise<{ file: string; data: unknown }> {
  const { file, text } = await client.call('document.read', { kind, document });
  const { data } = await client.call('document.edit', { kind, text });
  return { file, data };
}
