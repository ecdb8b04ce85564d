// Changes of a scenario's text as steps that can be undone and redone, one after the other.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { withCircles } from '#renderer/logic/sceneEdit/sceneChanges.ts';
import { createEditHistory, type EditDirection, type EditHistory } from './editHistory.ts';
import type { EditQueue } from './editQueue.ts';
import type { ScenarioText } from './scenarioText.ts';

export interface ScenarioSteps {
  history: EditHistory;
  /** Makes changes as one step. `label`: what was done, e.g. 'Move oak-a'. True where they were made. */
  apply: (edits: readonly DocumentEdit[], label: string) => Promise<boolean>;
  /** Another text in place of all. `label`: what was done; left out: it was typed. */
  setText: (next: string, label?: string) => Promise<void>;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
}

/** Undo and redo of an edited scenario, over its history. */
export function createScenarioSteps(
  content: ScenarioText,
  { enqueue, enqueueCheck, error }: EditQueue,
): ScenarioSteps {
  const { text } = content;
  const history = createEditHistory();
  return {
    history,
    apply: (edits, label) =>
      enqueueCheck(async () => {
        const before = text.value;
        const reply = await content.edited(before, withCircles(content.data.value, edits));
        const refused = reply.problems.find(({ code }) => code === 'edit');
        if (refused !== undefined) {
          error.value = `${label}: ${refused.path}: ${refused.message}`;
          return false;
        }
        if (reply.text !== before) history.remember(before, label);
        content.apply(reply);
        return true;
      }),
    setText: (next, label = 'Edit the text') =>
      enqueue(async () => {
        if (next === text.value) return;
        history.remember(text.value, label);
        await content.check(next);
      }),
    undo: () => step('undo'),
    redo: () => step('redo'),
  };

  function step(direction: EditDirection): Promise<void> {
    return enqueue(async () => {
      const next = history.textOf(direction);
      if (next === null) return;
      const now = text.value;
      await content.check(next);
      history.move(direction, now);
    });
  }
}
