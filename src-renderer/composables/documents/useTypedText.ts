// A document's text as it is typed: sent when typing has settled, or the field is left.
import { ref, watch, type Ref } from 'vue';

export interface TypedText {
  /** The contents of the field. */
  draft: Ref<string>;
  /** Typed text has not been sent yet. */
  isWaiting: Ref<boolean>;
  onInput: () => void;
  /** Sends the typed text; also when the field is left, so that no other change runs ahead of it. */
  settle: () => Promise<void>;
}

const settleMs = 500;

/** Within a set-up. `text`: of the document; `send` resolves when it is checked. */
export function useTypedText(
  text: () => string,
  send: (typed: string) => Promise<void>,
): TypedText {
  const draft = ref('');
  const isWaiting = ref(false);
  let settling: ReturnType<typeof setTimeout> | undefined;
  watch(
    text,
    (now) => {
      if (!isWaiting.value) draft.value = now;
    },
    { immediate: true },
  );
  return { draft, isWaiting, onInput, settle };

  function onInput(): void {
    isWaiting.value = true;
    clearTimeout(settling);
    settling = setTimeout(() => void settle(), settleMs);
  }

  async function settle(): Promise<void> {
    clearTimeout(settling);
    if (!isWaiting.value) return;
    const typed = draft.value;
    await send(typed);
    if (draft.value === typed) isWaiting.value = false;
  }
}
