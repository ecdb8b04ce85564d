// Keys (and buttons) that drive: while any is held its command is repeated ten times a second, since a run
// stops by itself half a second after its last command.
import { onScopeDispose, reactive, watch } from 'vue';
import type { DriveCommand } from '#contract/host/run.ts';
import { commandFor, handKey, type HandKey } from '#renderer/logic/drive/handKeys.ts';
import { isUsedByControl } from '#renderer/logic/frame/keys.ts';

const repeatMs = 100;

/**
 * @param isActive whether keys drive now
 * @param send sends a command; called with standstill when the last key is released
 */
export function useHandDrive(
  isActive: () => boolean,
  send: (command: DriveCommand) => void,
): { held: ReadonlySet<HandKey>; hold: (key: HandKey) => void; release: (key: HandKey) => void } {
  const held = reactive(new Set<HandKey>());
  let timer: ReturnType<typeof setInterval> | undefined;
  const say = (): void => send(commandFor(held));

  const hold = (key: HandKey): void => {
    if (held.has(key)) return;
    held.add(key);
    say();
    timer ??= setInterval(say, repeatMs);
  };
  const release = (key: HandKey): void => {
    if (!held.delete(key)) return;
    say();
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const releaseAll = (): void => {
    for (const key of [...held]) release(key);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = handKey(event.code);
    if (key === null || event.ctrlKey || event.metaKey || event.altKey || !isActive()) return;
    const target = event.target instanceof Element ? event.target : null;
    if (isUsedByControl(event.code.replace('Key', ''), target)) return;
    event.preventDefault();
    hold(key);
  };
  const onKeyUp = ({ code }: KeyboardEvent): void => {
    const key = handKey(code);
    if (key !== null) release(key);
  };
  // Why capturing: the page's commands listen too, and a key that drives is no other command.
  addEventListener('keydown', onKeyDown, { capture: true });
  addEventListener('keyup', onKeyUp, { capture: true });
  addEventListener('blur', releaseAll);
  watch(isActive, (is) => !is && releaseAll());
  onScopeDispose(() => {
    removeEventListener('keydown', onKeyDown, { capture: true });
    removeEventListener('keyup', onKeyUp, { capture: true });
    removeEventListener('blur', releaseAll);
    releaseAll();
  });
  return { held, hold, release };
}
