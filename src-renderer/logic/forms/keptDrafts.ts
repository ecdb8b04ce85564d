// Unsaved texts of documents as this browser's tab keeps them over a reload: a bounded amount, the latest first.

/** A text that was not saved, and what it was made from. */
export interface KeptDraft {
  text: string;
  /** As the file was read or saved last. */
  savedText: string;
  /** Of the file then: with another hash now, somebody else has written it. */
  hash: string;
}

/** Characters that are kept of all drafts together; what a tab may store is about five million. */
const keptCharacters = 3_000_000;

/** Drafts by document, as text. Of too many the earlier ones are left out. */
export function draftsText(
  drafts: Iterable<readonly [document: string, draft: KeptDraft]>,
  maxCharacters = keptCharacters,
): string {
  let characters = 0;
  const kept: (KeptDraft & { document: string })[] = [];
  for (const [document, { text, savedText, hash }] of Array.from(drafts).toReversed()) {
    characters += document.length + text.length + savedText.length;
    if (characters > maxCharacters) break;
    kept.unshift({ document, text, savedText, hash });
  }
  return JSON.stringify(kept);
}

/** The reverse; what is junk is left out. */
export function readDrafts(text: string | null): Map<string, KeptDraft> {
  const drafts = new Map<string, KeptDraft>();
  let list: unknown;
  try {
    list = JSON.parse(text ?? '[]');
  } catch {
    return drafts;
  }
  for (const one of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!isNamedDraft(one)) continue;
    const { document, ...draft } = one;
    drafts.set(document, draft);
  }
  return drafts;
}

/** Whether a draft was made from what the file says now. A text without a file has no hash. */
export function isDraftOf(draft: KeptDraft, read: { text: string; hash: string }): boolean {
  return (draft.hash !== '' && draft.hash === read.hash) || draft.savedText === read.text;
}

function isNamedDraft(value: unknown): value is KeptDraft & { document: string } {
  if (typeof value !== 'object' || value === null) return false;
  const names = ['document', 'text', 'savedText', 'hash'];
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}
