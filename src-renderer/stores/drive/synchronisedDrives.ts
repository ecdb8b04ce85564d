// Whether drives that are compared show the same simulated time: those ahead wait. Stored in this browser.
import { ref, watch, type Ref } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import type { Client } from '#renderer/client/client.ts';

const storedInStep = storedInBrowser('drive.inStep');

/** `runIds`: of the drives that run now; tells the host at each change of them. Within a set-up. */
export function useSynchronisedDrives(
  client: Client,
  runIds: () => readonly string[],
  failed: (failure: unknown) => void,
): Ref<boolean> {
  const isInStep = ref(storedInStep.read() !== 'off');
  watch([() => runIds().join(), isInStep], () => {
    storedInStep.write(isInStep.value ? 'on' : 'off');
    const ids = runIds();
    if (ids.length > 1) setInStep(client, ids, isInStep.value).catch(failed);
  });
  return isInStep;
}

/** All wait for one another, or each goes alone. */
async function setInStep(
  client: Client,
  runIds: readonly string[],
  isInStep: boolean,
): Promise<void> {
  const groups = isInStep ? [[...runIds]] : runIds.map((one) => [one]);
  for (const group of groups) await client.call('drive.together', { runIds: group });
}
