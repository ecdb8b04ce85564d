// Keys that work anywhere on the page, except where somebody types or a control has a use for them.
import { onScopeDispose } from 'vue';

/** Handlers by KeyboardEvent.code, e.g. { Space: …, KeyF: … }. */
export function useShortcuts(handlers: Record<string, () => void>): void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target instanceof Element && event.target.closest(controls) !== null) return;
    const handler = handlers[event.code];
    if (handler === undefined) return;
    event.preventDefault();
    handler();
  };
  addEventListener('keydown', onKeyDown);
  onScopeDispose(() => removeEventListener('keydown', onKeyDown));
}

const controls = 'input, select, textarea, button, a, summary, [contenteditable]';
