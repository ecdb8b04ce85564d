// The instances of the scene on screen, by their ids: marked, moved, measured.
import { Box3, Vector3 } from 'three';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { movePose, poseOfRow } from '#renderer/logic/scene/instanceTable.ts';
import type { GizmoPose } from './gizmo.ts';
import type { SceneContent } from './sceneContent.ts';
import { boxOfRow } from './scenePicking.ts';

export interface SceneInstances {
  /** Lights up these, and no others. */
  mark: (selected: readonly number[], hovered: number | null) => void;
  /** The marks went with their scene. */
  forgetMarks: () => void;
  /** Null where no such instance is on screen. */
  poseOf: (instanceId: number) => GizmoPose | null;
  /** The lowest corner of its triangles; null where no such instance is on screen. */
  lowestOf: (instanceId: number) => PointM | null;
  move: (instanceId: number, pose: GizmoPose) => void;
  /** The box of these instances and places; of the whole scene where none is given. Null: there is no scene. */
  boxOf: (instanceIds: readonly number[], placesM: readonly PointM[]) => Box3 | null;
}

const selectedStrength = 0.45;
const hoveredStrength = 0.35;

/** Positions and boxes of the instances of the current scene; none while there is none. `moved`: one of them was. */
export function createSceneInstances(
  current: () => SceneContent | null,
  moved: () => void,
): SceneInstances {
  let marked: readonly number[] = [];

  return {
    mark(selected, hovered) {
      const content = current();
      for (const id of marked) content?.mark(id, 0);
      if (hovered !== null) content?.mark(hovered, hoveredStrength);
      for (const id of selected) content?.mark(id, selectedStrength);
      marked = hovered === null ? [...selected] : [...selected, hovered];
    },
    forgetMarks() {
      marked = [];
    },
    poseOf(instanceId) {
      const found = rowOf(instanceId);
      if (found === null) return null;
      return poseOfRow(found.content.table, found.row);
    },
    lowestOf(instanceId) {
      const found = rowOf(instanceId);
      return found === null ? null : found.content.lowestOf(found.row);
    },
    move(instanceId, pose) {
      const found = rowOf(instanceId);
      if (found === null) return;
      movePose(found.content.table, found.row, pose);
      found.content.rewrite(found.row);
      moved();
    },
    boxOf(instanceIds, placesM) {
      const content = current();
      if (content === null) return null;
      const box = new Box3().setFromPoints(placesM.map((place) => new Vector3(...place)));
      for (const id of instanceIds) {
        const row = content.rowOf(id);
        if (row >= 0) box.union(boxOfRow(content.table, row));
      }
      return box.isEmpty() ? content.contentM : box;
    },
  };

  function rowOf(instanceId: number): { content: SceneContent; row: number } | null {
    const content = current();
    const row = content?.rowOf(instanceId) ?? -1;
    return content === null || row < 0 ? null : { content, row };
  }
}
