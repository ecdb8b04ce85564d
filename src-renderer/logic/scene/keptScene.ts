// What a window that is loaded again goes on with: the scene that was open, and from where it was seen. In the
// browser's store for this window alone, so that two windows keep apart.
import { field, items } from '#contract/unknownData.ts';
import type { PointM } from './measuring.ts';

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

const sceneKey = 'understory.scene';
const viewKey = 'understory.scene.view';

export function keepScene(scene: KeptScene | null): void {
  keep(sceneKey, scene);
}

export function keptScene(): KeptScene | null {
  const stored = read(sceneKey);
  const scenario = field(stored, 'scenario');
  const text = field(stored, 'text');
  if (typeof scenario !== 'string') return null;
  return { scenario, text: typeof text === 'string' ? text : null };
}

export function keepView(view: KeptView | null): void {
  keep(viewKey, view);
}

export function keptView(): KeptView | null {
  const stored = read(viewKey);
  const scenario = field(stored, 'scenario');
  const mode = (['orbit', 'fly', 'top'] as const).find((one) => one === field(stored, 'mode'));
  const eyeM = pointOf(field(stored, 'eyeM'));
  const targetM = pointOf(field(stored, 'targetM'));
  if (typeof scenario !== 'string' || mode === undefined) return null;
  return eyeM === null || targetM === null ? null : { scenario, mode, eyeM, targetM };
}

/** 'courtyard' of '/a/b/courtyard.understory.yaml'. */
export function sceneTitle(scenario: string): string {
  const file = scenario.split(/[\\/]/).at(-1) ?? scenario;
  return file.replace(/(\.understory)?\.(ya?ml|json)$/, '');
}

/** What is too long for the store is not kept, and nothing older in its place. */
function keep(key: string, value: unknown): void {
  sessionStorage.removeItem(key);
  if (value === null) return;
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page is then loaded without it.
  }
}

function read(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function pointOf(value: unknown): PointM | null {
  const [x, y, z] = items(value);
  const isPlace = [x, y, z].every((one) => typeof one === 'number' && Number.isFinite(one));
  return isPlace ? [x as number, y as number, z as number] : null;
}
