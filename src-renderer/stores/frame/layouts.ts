// The layouts that this browser stores: the one in use of each activity, and those with a name.
import { onScopeDispose, reactive, shallowRef, type ShallowRef } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import {
  readLayouts,
  writeLayouts,
  type CheckDock,
  type StoredLayouts,
} from '#renderer/logic/frame/layoutStorage.ts';

export interface Layouts {
  /** Reactive. A change is stored with the next `store` or `storeSoon`. */
  readonly layouts: StoredLayouts;
  /** Why nothing is stored. */
  error: ShallowRef<string | null>;
  store: () => void;
  storeSoon: () => void;
}

const storedLayouts = storedInBrowser('layouts');
/** Layouts change with each dragged pixel. */
const storeAfterMs = 300;

/** Read once; stored also when the page goes. Within a set-up. */
export function useLayouts(checkDock: CheckDock): Layouts {
  const layouts = reactive(readLayouts(storedLayouts.read(), checkDock));
  const error = shallowRef<string | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener('pagehide', store);
  onScopeDispose(() => removeEventListener('pagehide', store));
  return {
    layouts,
    error,
    store,
    storeSoon() {
      clearTimeout(timer);
      timer = setTimeout(store, storeAfterMs);
    },
  };

  function store(): void {
    clearTimeout(timer);
    error.value = storedLayouts.write(writeLayouts(layouts))
      ? null
      : 'This browser stores no data. Layouts are lost when the page is closed.';
  }
}
