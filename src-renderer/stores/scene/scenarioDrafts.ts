// Unsaved edits of scenarios: stored with their history until the scenario is opened again.
import { shallowRef, type ShallowRef } from 'vue';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { isDraftOf, type Draft } from '#renderer/logic/forms/drafts.ts';
import { useDrafts } from '../documents/drafts.ts';
import type { EditSteps } from './editHistory.ts';

/** An open document with what is not saved of it. */
type OpenDraft = readonly [document: string, draft: Draft];

export interface ScenarioDrafts {
  /** A draft of the open document that was made from another text than its file has now. */
  offered: ShallowRef<Draft | null>;
  /** The draft of a document that is opened; null: there is none, or it is offered. */
  take: (
    document: string,
    read: { text: string; hash: string },
  ) => { draft: Draft; steps: EditSteps | undefined } | null;
  /** Before another document is opened. */
  save: (steps: EditSteps) => void;
  dropOffered: (document: string | null) => void;
}

/** `open`: null where nothing is to be saved. Within a set-up. */
export function createScenarioDrafts(open: () => OpenDraft | null): ScenarioDrafts {
  const drafts = useDrafts(storedInTab('scene.drafts'), open);
  /** By document; loading the page again loses them. */
  const stepsOf = new Map<string, EditSteps>();
  const offered = shallowRef<Draft | null>(null);
  return {
    offered,
    take(document, read) {
      const found = drafts.get(document);
      const steps = stepsOf.get(document);
      stepsOf.delete(document);
      const isCurrent = found !== undefined && isDraftOf(found, read);
      offered.value = isCurrent ? null : (found ?? null);
      if (!isCurrent) return null;
      drafts.delete(document);
      return { draft: found, steps };
    },
    save(steps) {
      const [document, draft] = open() ?? [];
      if (document === undefined || draft === undefined) return;
      // Why deleted first: the latest is the last one.
      drafts.delete(document);
      drafts.set(document, draft);
      stepsOf.set(document, steps);
    },
    dropOffered(document) {
      if (document !== null) drafts.delete(document);
      offered.value = null;
    },
  };
}
