// The text of a scenario with what it says and what is wrong with it, as the host checks and changes it.
import { ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import type { Problem } from '#contract/documents/problems.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Client } from '#renderer/client/client.ts';

export interface ScenarioText {
  text: Ref<string>;
  /** The contents of the text; while it is no YAML, those before. */
  data: ShallowRef<unknown>;
  isYaml: Ref<boolean>;
  /** Checked, defaults filled in; null while there are problems. */
  value: ShallowRef<Scenario | null>;
  problems: ShallowRef<readonly Problem[]>;
  /** Takes another text, and checks it. */
  check: (next: string) => Promise<void>;
  /** The result of edits on a text, with its problems; nothing is applied. */
  edited: (from: string, edits: readonly DocumentEdit[]) => Promise<Replies['document.edit']>;
  apply: (reply: Replies['document.edit']) => void;
  /** The text of another document: what the one before said is gone. To be checked next. */
  clear: (next: string) => void;
}

/** `file`: of the document, by which names in it are resolved. */
export function createScenarioText(client: Client, file: () => string | null): ScenarioText {
  const text = ref('');
  const data = shallowRef<unknown>(null);
  const isYaml = ref(true);
  const value = shallowRef<Scenario | null>(null);
  const problems = shallowRef<readonly Problem[]>([]);
  return {
    text,
    data,
    isYaml,
    value,
    problems,
    check: async (next) => apply(await edited(next, [])),
    edited,
    apply,
    clear(next) {
      text.value = next;
      [data.value, value.value, problems.value] = [null, null, []];
    },
  };

  function edited(from: string, edits: readonly DocumentEdit[]): Promise<Replies['document.edit']> {
    const name = file();
    return client.call('document.edit', {
      kind: 'scenario',
      text: from,
      edits: [...edits],
      ...(name !== null && { file: name }),
    });
  }

  function apply(reply: Replies['document.edit']): void {
    text.value = reply.text;
    isYaml.value = reply.data !== null;
    if (isYaml.value) data.value = reply.data;
    value.value = reply.problems.length === 0 ? (reply.value as Scenario | null) : null;
    problems.value = reply.problems;
  }
}
