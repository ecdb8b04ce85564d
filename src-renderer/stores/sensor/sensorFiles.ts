// Sensor files by their paths on the host, listed beside the samples; stored in this browser.
import { ref } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import type { Client } from '#renderer/client/client.ts';
import { textsOf } from '#renderer/logic/storedTexts.ts';

const storedFiles = storedInBrowser('sensors.files');

export function createSensorFiles(client: Client) {
  const files = ref(textsOf(storedFiles.read()));
  const list = (next: readonly string[]): void => {
    files.value = [...next];
    storedFiles.write(JSON.stringify(next));
  };
  return {
    files,
    /** @throws UnderstoryError where it cannot be read */
    add: async (file: string): Promise<void> => {
      await client.call('document.read', { kind: 'sensor', document: file });
      list(files.value.includes(file) ? files.value : [...files.value, file]);
    },
    /** The file itself stays. */
    forget: (file: string): void => {
      list(files.value.filter((one) => one !== file));
    },
  };
}
