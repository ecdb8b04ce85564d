// Which sensor is inspected and how it is run; stored while the browser's tab is open.
import { ref, watch } from 'vue';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { storedChoice } from '#renderer/logic/sensor/storedChoice.ts';

const storedSensor = storedInTab('sensors.chosen');

/** Within a set-up. */
export function useSensorChoice() {
  const before = storedChoice(storedSensor.read());
  /** Id of a sample, or a file. */
  const chosen = ref(before.chosen);
  /** By a person: the sensor of a scene that is opened does not take its place. */
  const isPicked = ref(before.isPicked);
  /** As which sensor of the open scene it was taken; null: as none. */
  const mountedAs = ref(before.mountedAs);
  const rangeM = ref(before.rangeM);
  /** Null: the sensor's own. */
  const rateHz = ref(before.rateHz);
  const mode = ref(before.mode);
  watch([chosen, isPicked, mountedAs, rangeM, rateHz, mode], () => {
    const choice = { chosen: chosen.value, isPicked: isPicked.value, mountedAs: mountedAs.value };
    const run = { rangeM: rangeM.value, rateHz: rateHz.value, mode: mode.value };
    storedSensor.write(JSON.stringify({ ...choice, ...run }));
  });
  return { chosen, isPicked, mountedAs, rangeM, rateHz, mode };
}
