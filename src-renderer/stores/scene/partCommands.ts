// Commands for the selected parts of a scenario, with their keys; and the clipboard's own events, which need no permission
// of the browser.
import { onScopeDispose } from 'vue';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { alignments, minAligned, type Alignment } from '#renderer/logic/sceneEdit/alignment.ts';
import { isEntry, isRemovable } from '#renderer/logic/sceneEdit/manyParts.ts';
import { useCommands, type Command } from '../frame/commands.ts';
import { usePlace } from '../frame/place.ts';
import { useHeldPoint } from './heldPoint.ts';

export interface CommandedParts {
  selected: () => readonly DocumentPath[];
  isOpen: () => boolean;
  copiedText: () => string | null;
  duplicate: () => unknown;
  remove: () => unknown;
  paste: (text: string) => unknown;
  align: (how: Alignment) => unknown;
  snapToGround: () => unknown;
  /** Selected objects that have a box. */
  alignable: () => number;
  report: (sentence: string) => void;
}

/** Within a set-up. */
export function usePartCommands(parts: CommandedParts): void {
  const place = usePlace();
  const held = useHeldPoint();
  const isHere = (): boolean => place.activity === 'scene' && parts.isOpen();
  const isAny = (can: (path: DocumentPath) => boolean) => (): boolean =>
    isHere() && parts.selected().some(can);
  useCommands([
    {
      id: 'scene.duplicate',
      title: 'Duplicate selected objects',
      keys: 'Ctrl+D',
      when: isAny(isEntry),
      run: parts.duplicate,
    },
    {
      id: 'scene.delete',
      title: 'Delete selected objects',
      keys: ['Delete', 'Backspace'],
      // Why: then it is the point of a shape that is removed.
      when: () => held.point === null && isAny(isRemovable)(),
      run: parts.remove,
    },
    {
      id: 'scene.copy',
      title: 'Copy selected objects',
      keys: 'Ctrl+C',
      hasOwnEvent: true,
      when: isAny(isEntry),
      run: copy,
    },
    {
      id: 'scene.paste',
      title: 'Paste objects',
      keys: 'Ctrl+V',
      hasOwnEvent: true,
      when: isHere,
      run: paste,
    },
    {
      id: 'scene.snap',
      title: 'Snap selected objects to the ground',
      keys: 'Shift+G',
      when: () => isHere() && parts.alignable() > 0,
      run: parts.snapToGround,
    },
    // Why the cast: Object.keys loses the names.
    ...(Object.keys(alignments) as Alignment[]).map((how): Command => {
      return {
        id: `scene.align-${how}`,
        title: alignments[how].title,
        when: () => isHere() && parts.alignable() >= minAligned(how),
        run: () => parts.align(how),
      };
    }),
  ]);
  addEventListener('copy', onCopy);
  addEventListener('paste', onPaste);
  onScopeDispose(() => {
    removeEventListener('copy', onCopy);
    removeEventListener('paste', onPaste);
  });

  function onCopy(event: ClipboardEvent): void {
    const text = isOfPage(event) && isHere() ? parts.copiedText() : null;
    if (text === null || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
  }

  function onPaste(event: ClipboardEvent): void {
    if (!isOfPage(event) || !isHere()) return;
    event.preventDefault();
    void parts.paste(event.clipboardData?.getData('text/plain') ?? '');
  }

  async function copy(): Promise<void> {
    const isDone = await navigator.clipboard.writeText(parts.copiedText() ?? '').then(
      () => true,
      () => false,
    );
    if (!isDone) parts.report('The browser does not allow it from here: press Ctrl+C.');
  }

  async function paste(): Promise<void> {
    const text = await navigator.clipboard.readText().catch(() => null);
    if (text === null) parts.report('The browser does not allow it from here: press Ctrl+V.');
    else void parts.paste(text);
  }
}

/** Neither of a field nor of a dialog. */
function isOfPage({ target }: Event): boolean {
  const isField =
    target instanceof Element &&
    target.closest('input:not([type=checkbox], [type=radio], [type=range]), textarea, select') !==
      null;
  return !isField && document.querySelector('dialog:modal') === null;
}
