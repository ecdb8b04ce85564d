// Keys that work anywhere on the page, except where somebody types or a control has a use for them.
import { onScopeDispose } from 'vue';

/**
 * Handlers by KeyboardEvent.code, e.g. { Space: …, KeyF: … }.
 * @param isActive whether they work now: a part of the page that is out of sight has no keys
 */
export function useShortcuts(
  handlers: Record<string, () => void>,
  isActive: () => boolean = () => true,
): void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isActive()) return;
    if (event.repeat && !event.code.startsWith('Arrow')) return;
    if (event.target instanceof Element && event.target.closest(controls) !== null) return;
    const handler = handlers[event.code];
    if (handler === undefined) return;
    event.preventDefault();
    handler();
  };
  addEventListener('keydown', onKeyDown);
  onScopeDispose(() => removeEventListener('keydown', onKeyDown));
}

const controls = 'input:not([type=range]), select, textarea, button, a, summary, [contenteditable]';
