// The scene that a scan was made in, as it was then: names, materials and version stay those of the scan, whatever
// is opened or edited later.
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { sceneObject } from '#renderer/logic/scene/sceneObjects.ts';
import { sceneTitle } from '#renderer/logic/scene/sceneTitle.ts';

export interface ScannedScene {
  scenario: string;
  contents: SceneContents;
  /** Edits of the scenario's text that had been made by then. */
  edits: number;
}

/** 'edited': the same scenario in another version; 'other': another scenario. */
export type SceneRelation = 'current' | 'edited' | 'other';

/** How the scanned scene relates to the open one; without an open scene it is another one. */
export function sceneRelation(
  { scenario, contents }: ScannedScene,
  open: { scenario: string | null; contents: SceneContents | null },
): SceneRelation {
  if (open.contents === null) return 'other';
  if (open.contents.summary.sceneHash === contents.summary.sceneHash) return 'current';
  return open.scenario === scenario ? 'edited' : 'other';
}

/** A short mark for a list; empty for the open scene. `editsNow`: edits of the open scenario so far. */
export function relationText(
  scanned: ScannedScene,
  relation: SceneRelation,
  editsNow: number,
): string {
  if (relation === 'current') return '';
  if (relation === 'other') return `scene: ${sceneTitle(scanned.scenario)}`;
  const edits = editsNow - scanned.edits;
  if (edits <= 0) return 'another version';
  return `before ${edits} ${edits === 1 ? 'edit' : 'edits'}`;
}

/** Name of an object of the scanned scene. */
export function scannedObjectName({ contents }: ScannedScene, objectId: number): string {
  return sceneObject(contents, objectId)?.name ?? `object ${objectId}`;
}
