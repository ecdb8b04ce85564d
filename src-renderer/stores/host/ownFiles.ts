// Files of one's own that were opened or saved in this browser: their paths, the last one first, stored under a name.
import { shallowRef, type ShallowRef } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import { textsOf } from '#renderer/logic/storedTexts.ts';

export interface OwnFiles {
  /** Absolute. */
  readonly files: Readonly<ShallowRef<readonly string[]>>;
  /** It is the first from now on; of more than `max` the oldest is left out. */
  add: (file: string) => void;
}

/** `name`: under which the browser stores them. */
export function createOwnFiles(name: string, max: number): OwnFiles {
  const stored = storedInBrowser(name);
  const files = shallowRef<readonly string[]>(textsOf(stored.read()));
  return {
    files,
    add(file) {
      files.value = [file, ...files.value.filter((one) => one !== file)].slice(0, max);
      stored.write(JSON.stringify(files.value));
    },
  };
}
