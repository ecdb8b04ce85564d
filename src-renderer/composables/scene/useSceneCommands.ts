// Commands of the scene view, by key and by the palette, while it is in front.
import { useCommands } from '#renderer/stores/frame/commands.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { usePanel } from '../frame/usePanel.ts';
import type { SceneSettings } from './useSceneSettings.ts';

/** Registers the scene view's commands while its panel is in front. */
export function useSceneCommands(
  { cameraMode, shown, gizmoMode }: SceneSettings,
  actions: {
    toggleMeasure: () => void;
    /** The innermost mode; false: there is none. */
    leave: () => boolean;
    frame: () => void;
    toggleLight: () => void;
  },
): void {
  const scene = useScene();
  const { isShown, isActive } = usePanel();
  const when = (): boolean => isShown.value && isActive.value && scene.contents !== null;

  const frameTitle = 'Frame selection';
  const escapeTitle = 'Clear measurements or selection';
  useCommands(
    [
      { id: 'scene.frame', title: frameTitle, keys: 'F', run: actions.frame },
      { id: 'scene.orbit', title: 'Camera: orbit', keys: '1', run: () => look('orbit') },
      { id: 'scene.fly', title: 'Camera: fly', keys: '2', run: () => look('fly') },
      { id: 'scene.top', title: 'Camera: top view', keys: '3', run: () => look('top') },
      { id: 'scene.measure', title: 'Measure distances', keys: 'M', run: actions.toggleMeasure },
      { id: 'scene.labels', title: 'Show or hide labels', keys: 'L', run: () => turn('labels') },
      { id: 'scene.grid', title: 'Show or hide the grid', keys: 'G', run: () => turn('grid') },
      {
        id: 'scene.areas',
        title: 'Show or hide areas and routes',
        keys: 'O',
        run: () => turn('areas'),
      },
      { id: 'scene.air', title: 'Show or hide weather and wind', run: () => turn('air') },
      {
        id: 'scene.light',
        title: 'Choose the hour of the light',
        keys: 'H',
        run: actions.toggleLight,
      },
      { id: 'scene.escape', title: escapeTitle, keys: 'Escape', run: escape },
      { id: 'scene.close', title: 'Close the scene', run: scene.close },
    ].map((command) => ({ ...command, when })),
  );

  function look(mode: 'orbit' | 'fly' | 'top'): void {
    cameraMode.value = mode;
  }

  function turn(what: keyof typeof shown): void {
    shown[what] = !shown[what];
  }

  /** One mode at a time, the innermost first. */
  function escape(): void {
    if (actions.leave()) return;
    if (gizmoMode.value !== 'none') gizmoMode.value = 'none';
    else scene.select([]);
  }
}
