// Everything that can be done from the palette or by a key, as components and stores register it. A command
// lives as long as the scope that registered it; of two with one id the later one counts where both may run.
import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowReactive, toValue, type MaybeRefOrGetter } from 'vue';
import { textsOf } from '#renderer/logic/storedTexts.ts';
import { isUsedByControl, isPressed } from '#renderer/logic/frame/keys.ts';
import { storedInBrowser } from '#renderer/browser/storedText.ts';

export interface Command {
  /** 'part.action', e.g. 'drive.pause': the part is the heading under which it is listed. */
  id: string;
  title: string;
  /** 'Space', 'Ctrl+K', 'Shift+ArrowLeft' …; several of which each will do. */
  keys?: string | readonly string[];
  /** Whether it can run now. Left out: always. */
  when?: () => boolean;
  run: () => unknown;
  /** The browser has an event of its own for the key, which runs it: copying and pasting. */
  hasOwnEvent?: boolean;
  /** While the key is held it runs again and again. */
  isRepeated?: boolean;
}

const storedCommands = storedInBrowser('commands.recent');
const maxRecent = 8;

export const useCommandList = defineStore('commands', () => {
  const sources = shallowReactive<(() => readonly Command[])[]>([]);
  const recent = shallowReactive<string[]>(textsOf(storedCommands.read()));
  const all = computed(() => sources.flatMap((source) => [...source()]));
  addEventListener('keydown', onKeyDown);
  onScopeDispose(() => removeEventListener('keydown', onKeyDown));
  return { all, recent, available, register, run };

  /** Commands that can run now, each id once. Reactive where `when` is. */
  function available(): Command[] {
    const byId = new Map<string, Command>();
    for (const command of all.value) if (command.when?.() !== false) byId.set(command.id, command);
    return [...byId.values()];
  }

  function register(source: () => readonly Command[]): () => void {
    sources.push(source);
    return () => {
      const at = sources.indexOf(source);
      if (at !== -1) sources.splice(at, 1);
    };
  }

  /** Runs the command of an id, if there is one that can run now. */
  function run(id: string): boolean {
    const command = available().find((one) => one.id === id);
    if (command === undefined) return false;
    const others = recent.filter((one) => one !== id).slice(0, maxRecent - 1);
    recent.splice(0, recent.length, id, ...others);
    storedCommands.write(JSON.stringify([...recent]));
    void command.run();
    return true;
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Why: under an open dialog nothing may happen.
    if (event.defaultPrevented || document.querySelector('dialog:modal') !== null) return;
    const target = event.target instanceof Element ? event.target : null;
    const command = available().findLast(
      (one) =>
        one.hasOwnEvent !== true &&
        keysOf(one).some((keys) => isPressed(keys, event) && !isUsedByControl(keys, target)),
    );
    if (command === undefined) return;
    event.preventDefault();
    if (event.repeat && command.isRepeated !== true) return;
    void command.run();
  }
});

/** Registers commands for as long as the calling scope lives. */
export function useCommands(commands: MaybeRefOrGetter<readonly Command[]>): void {
  onScopeDispose(useCommandList().register(() => toValue(commands)));
}

/** The key combinations of a command; none where it has none. */
export function keysOf({ keys }: Command): readonly string[] {
  if (keys === undefined) return [];
  return typeof keys === 'string' ? [keys] : keys;
}
