// What a reloaded window restores: the scene that was open, and from where it was seen. In the
// browser's store for this window alone, so that two windows keep apart.
import { field, items } from '#contract/documents/unknownData.ts';
import { jsonOf } from '#renderer/logic/keptText.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { keptInTab } from '#renderer/browser/savedText.ts';

export interface KeptScene {
  scenario: string;
  /** Of a file whose place nobody knows. */
  text: string | null;
}

export interface KeptView {
  scenario: string;
  mode: 'orbit' | 'fly' | 'top';
  eyeM: PointM;
  targetM: PointM;
}

const keptSceneText = keptInTab('scene');
const keptViewText = keptInTab('scene.view');

export function keepScene(scene: KeptScene | null): void {
  keptSceneText.write(scene === null ? null : JSON.stringify(scene));
}

export function keptScene(): KeptScene | null {
  const stored = jsonOf(keptSceneText.read());
  const scenario = field(stored, 'scenario');
  const text = field(stored, 'text');
  if (typeof scenario !== 'string') return null;
  return { scenario, text: typeof text === 'string' ? text : null };
}

export function keepView(view: KeptView | null): void {
  keptViewText.write(view === null ? null : JSON.stringify(view));
}

export function keptView(): KeptView | null {
  const stored = jsonOf(keptViewText.read());
  const scenario = field(stored, 'scenario');
  const mode = (['orbit', 'fly', 'top'] as const).find((one) => one === field(stored, 'mode'));
  const eyeM = pointOf(field(stored, 'eyeM'));
  const targetM = pointOf(field(stored, 'targetM'));
  if (typeof scenario !== 'string' || mode === undefined) return null;
  return eyeM === null || targetM === null ? null : { scenario, mode, eyeM, targetM };
}

function pointOf(value: unknown): PointM | null {
  const [x, y, z] = items(value);
  const isPlace = [x, y, z].every((one) => typeof one === 'number' && Number.isFinite(one));
  return isPlace ? [x as number, y as number, z as number] : null;
}
