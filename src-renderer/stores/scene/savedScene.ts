// State of a reloaded window: the scene that was open, and from where it was seen. In the
// browser's store for this window alone, so that two windows keep apart.
import { field, items } from '#contract/documents/unknownData.ts';
import { jsonOf } from '#renderer/logic/storedTexts.ts';
import type { SceneCameraMode } from '#renderer/logic/viewer/viewSettings.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';

export interface SavedScene {
  scenario: string;
  /** Text of a file without a known path. */
  text: string | null;
}

export interface SavedView {
  scenario: string;
  mode: SceneCameraMode;
  positionM: PointM;
  targetM: PointM;
}

const sceneText = storedInTab('scene');
const viewText = storedInTab('scene.view');

/** Saves the open scene in the browser's tab; null: none is open. */
export function saveScene(scene: SavedScene | null): void {
  sceneText.write(scene === null ? null : JSON.stringify(scene));
}

/** The scene of the page before a reload; null: there was none, or the entry is invalid. */
export function savedScene(): SavedScene | null {
  const stored = jsonOf(sceneText.read());
  const scenario = field(stored, 'scenario');
  const text = field(stored, 'text');
  if (typeof scenario !== 'string') return null;
  return { scenario, text: typeof text === 'string' ? text : null };
}

/** Saves the camera in the browser's tab; null: removes it. */
export function saveView(view: SavedView | null): void {
  viewText.write(view === null ? null : JSON.stringify(view));
}

/** The camera of the page before a reload; null: there was none, or the entry is invalid. */
export function savedView(): SavedView | null {
  const stored = jsonOf(viewText.read());
  const scenario = field(stored, 'scenario');
  const mode = (['orbit', 'fly', 'top'] as const).find((one) => one === field(stored, 'mode'));
  const positionM = pointOf(field(stored, 'positionM'));
  const targetM = pointOf(field(stored, 'targetM'));
  if (typeof scenario !== 'string' || mode === undefined) return null;
  return positionM === null || targetM === null ? null : { scenario, mode, positionM, targetM };
}

function pointOf(value: unknown): PointM | null {
  const [x, y, z] = items(value);
  const isPlace = [x, y, z].every((one) => typeof one === 'number' && Number.isFinite(one));
  return isPlace ? [x as number, y as number, z as number] : null;
}
