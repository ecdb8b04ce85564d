// The file of the edited scenario: what it holds, whether that is what is edited, and saving to it or to another.
import { computed, ref, type ComputedRef, type Ref } from 'vue';
import { toWire } from '#contract/errors.ts';
import type { SaveRefusal } from '#contract/host/documentMethods.ts';
import type { Client } from '#renderer/client/client.ts';
import type { Draft } from '#renderer/logic/forms/drafts.ts';
import { useChoices } from '../host/choices.ts';

export interface ReadScenario {
  file: string;
  text: string;
  /** It cannot be written. */
  isSample: boolean;
  hash: string;
}

export interface SaveTarget {
  file: string;
  isReplacing: boolean;
  /** Hash of the file as it was read; another one is not overwritten. Left out: any. */
  knownHash?: string;
}

export interface ScenarioFile {
  /** Null: no document is open. */
  file: Ref<string | null>;
  isSample: Ref<boolean>;
  savedText: Ref<string>;
  /** Why the last save was refused. */
  refusal: Ref<SaveRefusal | null>;
  isDirty: ComputedRef<boolean>;
  /** A command that names the document would read something else than what is edited. */
  isUnsaved: ComputedRef<boolean>;
  hash: () => string;
  /** The edited text, as it would be saved for later. */
  draft: () => Draft;
  /** `isReadable`: false for a text that was dropped on the page, which no command can read. */
  open: (read: ReadScenario, isReadable: boolean) => void;
  close: () => void;
  /** Saves what is edited. @throws what the host throws; `refusal` says why, where it refused */
  write: (target: SaveTarget) => Promise<{ file: string; text: string }>;
}

/** `text`: what is edited. Within a set-up. */
export function createScenarioFile(client: Client, text: Readonly<Ref<string>>): ScenarioFile {
  const choices = useChoices();
  const file = ref<string | null>(null);
  const isSample = ref(false);
  const isReadable = ref(true);
  const savedText = ref('');
  const refusal = ref<SaveRefusal | null>(null);
  const isDirty = computed(() => file.value !== null && text.value !== savedText.value);
  let hash = '';
  return {
    file,
    isSample,
    savedText,
    refusal,
    isDirty,
    isUnsaved: computed(() => file.value !== null && (isDirty.value || !isReadable.value)),
    hash: () => hash,
    draft: () => ({ text: text.value, savedText: savedText.value, hash }),
    open(read, canBeRead) {
      isReadable.value = canBeRead;
      take(read);
    },
    close() {
      file.value = null;
    },
    async write(target) {
      refusal.value = null;
      const from = file.value;
      try {
        const saved = await client.call('document.save', {
          kind: 'scenario',
          text: text.value,
          ...target,
          ...(from !== null && from !== target.file && { from }),
        });
        isReadable.value = true;
        take({ ...saved, isSample: false });
        return saved;
      } catch (failure) {
        const { reason } = toWire(failure).details ?? {};
        refusal.value = (reason as SaveRefusal | undefined) ?? null;
        throw failure;
      }
    },
  };

  function take(read: ReadScenario): void {
    file.value = read.file;
    isSample.value = read.isSample;
    savedText.value = read.text;
    hash = read.hash;
    if (!read.isSample) choices.addOwnFile(read.file);
  }
}
