// Unsaved texts of documents: stored by document in this browser's tab, so that loading the page again loses none; and
// a warning before the page goes while there are any.
import { onScopeDispose, watch } from 'vue';
import { draftsText, readDrafts, type Draft } from '#renderer/logic/forms/drafts.ts';
import type { StoredText } from '#renderer/browser/storedText.ts';

/** Typing changes the text many times a second. */
const storeAfterMs = 300;

/**
 * Drafts of the documents that are not open, those of before the page was loaded included. `open`: the document that
 * is, with what is not saved of it; null: nothing. It is stored with the others as it changes (reactive).
 */
export function useDrafts(
  stored: StoredText,
  open: () => readonly [document: string, draft: Draft] | null,
): Map<string, Draft> {
  const drafts = readDrafts(stored.read());
  let storing: ReturnType<typeof setTimeout> | undefined;
  addEventListener('beforeunload', warn);
  addEventListener('pagehide', store);
  onScopeDispose(() => {
    removeEventListener('beforeunload', warn);
    removeEventListener('pagehide', store);
  });
  watch(open, () => {
    clearTimeout(storing);
    storing = setTimeout(store, storeAfterMs);
  });
  return drafts;

  function store(): void {
    clearTimeout(storing);
    const own = open();
    // A browser that keeps nothing still warns before the page goes.
    stored.write(draftsText(own === null ? drafts : [...drafts, own]));
  }

  function warn(event: BeforeUnloadEvent): void {
    if (open() !== null || drafts.size > 0) event.preventDefault();
  }
}
