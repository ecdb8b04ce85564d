// The commands of the edited scenario, with their keys.
import { useCommands } from '../frame/commands.ts';
import { usePlace } from '../frame/place.ts';

/** The part of the store that the commands use. */
export interface CommandedEdit {
  isOpen: () => boolean;
  canUndo: () => boolean;
  canRedo: () => boolean;
  isDirty: () => boolean;
  undo: () => unknown;
  redo: () => unknown;
  save: () => unknown;
  openSaveAs: () => void;
  revert: () => unknown;
}

/** Within a set-up. */
export function useSceneEditCommands(edit: CommandedEdit): void {
  const place = usePlace();
  const isHere = (): boolean => place.activity === 'scene' && edit.isOpen();
  // Why: a text area has steps of its own.
  const isTyping = (): boolean => document.activeElement instanceof HTMLTextAreaElement;
  useCommands([
    {
      id: 'scene.undo',
      title: 'Undo scene edit',
      keys: 'Ctrl+Z',
      when: () => isHere() && edit.canUndo() && !isTyping(),
      run: edit.undo,
    },
    {
      id: 'scene.redo',
      title: 'Redo scene edit',
      keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
      when: () => isHere() && edit.canRedo() && !isTyping(),
      run: edit.redo,
    },
    { id: 'scene.save', title: 'Save scenario', keys: 'Ctrl+S', when: isHere, run: edit.save },
    {
      id: 'scene.save-as',
      title: 'Save scenario as',
      keys: 'Ctrl+Shift+S',
      when: isHere,
      run: edit.openSaveAs,
    },
    {
      id: 'scene.revert',
      title: 'Revert to the saved scenario',
      when: () => isHere() && edit.isDirty(),
      run: edit.revert,
    },
  ]);
}
