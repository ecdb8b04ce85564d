// Commands that hide, lock and group the selected parts of a scene, with their keys.
import { useCommands } from '../frame/commands.ts';
import { usePlace } from '../frame/place.ts';

type State = 'hidden' | 'locked';

export interface CommandedStates {
  isOpen: () => boolean;
  /** Selected parts that are seen. */
  selected: () => number;
  isAny: (what: State) => boolean;
  isInGroup: () => boolean;
  toggle: (what: State) => void;
  clear: (what: State) => void;
  group: () => void;
  ungroup: () => void;
}

/** Within a set-up. */
export function usePartStateCommands(states: CommandedStates): void {
  const place = usePlace();
  const isHere = (): boolean => place.activity === 'scene' && states.isOpen();
  const hasSelection = (): boolean => isHere() && states.selected() > 0;
  useCommands([
    {
      id: 'scene.hide',
      title: 'Hide or show selected objects',
      keys: 'Shift+H',
      when: hasSelection,
      run: () => states.toggle('hidden'),
    },
    {
      id: 'scene.show-all',
      title: 'Show all hidden objects',
      when: () => isHere() && states.isAny('hidden'),
      run: () => states.clear('hidden'),
    },
    {
      id: 'scene.lock',
      title: 'Lock or unlock selected objects',
      keys: 'Shift+L',
      when: hasSelection,
      run: () => states.toggle('locked'),
    },
    {
      id: 'scene.unlock-all',
      title: 'Unlock all objects',
      when: () => isHere() && states.isAny('locked'),
      run: () => states.clear('locked'),
    },
    {
      id: 'scene.group',
      title: 'Group selected objects',
      keys: 'Ctrl+G',
      when: () => isHere() && states.selected() > 1,
      run: states.group,
    },
    {
      id: 'scene.ungroup',
      title: 'Ungroup selected objects',
      keys: 'Ctrl+Shift+G',
      when: () => isHere() && states.isInGroup(),
      run: states.ungroup,
    },
  ]);
}
