// Unsaved texts of documents as this browser's tab stores them over a reload: a bounded amount, the latest first.

/** A text that was not saved, and what it was made from. */
export interface Draft {
  text: string;
  /** As the file was read or saved last. */
  savedText: string;
  /** Hash of the file then: with another hash now, it was written elsewhere. */
  hash: string;
}

/** Characters stored of all drafts together; what a tab may store is about five million. */
const maxDraftCharacters = 3_000_000;

/** Drafts by document, as text. Where there are too many, the earlier ones are left out. */
export function draftsText(
  drafts: Iterable<readonly [document: string, draft: Draft]>,
  maxCharacters = maxDraftCharacters,
): string {
  let characters = 0;
  const list: (Draft & { document: string })[] = [];
  for (const [document, { text, savedText, hash }] of Array.from(drafts).toReversed()) {
    characters += document.length + text.length + savedText.length;
    if (characters > maxCharacters) break;
    list.unshift({ document, text, savedText, hash });
  }
  return JSON.stringify(list);
}

/** The reverse; what is junk is left out. */
export function readDrafts(text: string | null): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
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
export function isDraftOf(draft: Draft, read: { text: string; hash: string }): boolean {
  return (draft.hash !== '' && draft.hash === read.hash) || draft.savedText === read.text;
}

function isNamedDraft(value: unknown): value is Draft & { document: string } {
  if (typeof value !== 'object' || value === null) return false;
  const names = ['document', 'text', 'savedText', 'hash'];
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}
