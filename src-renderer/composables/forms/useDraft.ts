// The typed text of a field until the document has it. Text that the document refuses stays in the field to be
// fixed, and goes when the document's own value becomes another one.
import { ref, watch, type Ref } from 'vue';

/** `current`: the document's value. `onNew`: it became another one. `draft` is null while nothing is typed. */
export function useDraft(current: () => unknown, onNew: () => void = () => {}): Ref<string | null> {
  const draft = ref<string | null>(null);
  // Why as text: after each change of the document its lists are new ones, with the same in them.
  watch(
    () => JSON.stringify(current()),
    () => {
      draft.value = null;
      onNew();
    },
  );
  return draft;
}
