// Unsaved texts of documents: kept by document in this browser's tab, so that loading the page again loses none; and
// a warning before the page goes while there are any.
import { onScopeDispose, watch } from 'vue';
import { draftsText, readDrafts, type KeptDraft } from '#renderer/logic/forms/keptDrafts.ts';
import type { Kept } from '#renderer/browser/savedText.ts';

/** Somebody who types changes the text many times a second. */
const keepAfterMs = 300;

/**
 * Drafts of the documents that are not open, those of before the page was loaded included. `open`: the document that
 * is, with what is not saved of it; null: nothing. It is kept with the others as it changes (reactive).
 */
export function useDrafts(
  kept: Kept,
  open: () => readonly [document: string, draft: KeptDraft] | null,
): Map<string, KeptDraft> {
  const drafts = readDrafts(kept.read());
  let keeping: ReturnType<typeof setTimeout> | undefined;
  addEventListener('beforeunload', warn);
  addEventListener('pagehide', keep);
  onScopeDispose(() => {
    removeEventListener('beforeunload', warn);
    removeEventListener('pagehide', keep);
  });
  watch(open, () => {
    clearTimeout(keeping);
    keeping = setTimeout(keep, keepAfterMs);
  });
  return drafts;

  function keep(): void {
    clearTimeout(keeping);
    const own = open();
    // A browser that keeps nothing still warns before the page goes.
    kept.write(draftsText(own === null ? drafts : [...drafts, own]));
  }

  function warn(event: BeforeUnloadEvent): void {
    if (open() !== null || drafts.size > 0) event.preventDefault();
  }
}
