// Where the selected parts of a scene are: brought into line with each other, and put on the ground. Each is one step.
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { rowOf } from '#renderer/logic/scene/instanceTable.ts';
import { idOfName } from '#renderer/logic/scene/sceneObjects.ts';
import {
  alignments,
  alignmentShifts,
  type Alignment,
  type PlanBox,
} from '#renderer/logic/sceneEdit/alignment.ts';
import type { PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import { liftEdit, moveEdits, titleOfParts } from '#renderer/logic/sceneEdit/manyParts.ts';
import { nameOf } from '#renderer/logic/sceneEdit/sceneChanges.ts';
import { valueAt } from '#renderer/logic/sceneEdit/sceneOutline.ts';
import { partAt } from '#renderer/logic/sceneEdit/sceneParts.ts';
import { useScene } from './scene.ts';
import { useSceneEdit } from './sceneEdit.ts';

export interface PartPlacing {
  align: (how: Alignment) => Promise<void>;
  /** The lowest point of each selected object is then at the ground below it. */
  snapToGround: () => Promise<void>;
  /** Selected objects that have a box. */
  alignable: () => number;
  /** Height of the ground that is drawn, relative to the origin. */
  groundM: (placeM: PlaceM) => number;
}

/** A move by less is none. */
const minMoveM = 0.005;
const minLiftM = 0.001;

/** Within a set-up. */
export function usePartPlacing(): PartPlacing {
  const edit = useSceneEdit();
  const scene = useScene();
  return { align, snapToGround, alignable: () => placedBoxes().length, groundM };

  async function align(how: Alignment): Promise<void> {
    const boxes = placedBoxes();
    const shifts = alignmentShifts(
      boxes.map(({ box }) => box),
      how,
    );
    const edits = boxes.flatMap(({ path }, index) => {
      const byM = shifts[index] ?? [0, 0];
      const isStill = Math.hypot(...byM) < minMoveM;
      return isStill ? [] : moveEdits(edit.data, path, { kind: 'move', byM }, groundM);
    });
    if (edits.length > 0) await edit.apply(edits, alignments[how].title);
  }

  async function snapToGround(): Promise<void> {
    const edits = edit.selectedPaths.flatMap((path) => {
      const id = idOf(path);
      const lowestM = id === null ? null : (scene.viewer?.lowestOf(id) ?? null);
      if (lowestM === null) return [];
      const upM = groundM([lowestM[0], lowestM[1]]) - lowestM[2];
      const lifted = Math.abs(upM) < minLiftM ? null : liftEdit(edit.data, path, upM);
      return lifted === null ? [] : [lifted];
    });
    if (edits.length > 0)
      await edit.apply(edits, `Snap ${titleOfParts(edit.data, edit.selectedPaths)} to the ground`);
  }

  /** Selected parts with their boxes from above: of the object that is drawn. */
  function placedBoxes(): { path: DocumentPath; box: PlanBox }[] {
    const { table } = scene;
    return edit.selectedPaths.flatMap((path) => {
      const id = idOf(path);
      const row = id === null || table === null ? -1 : rowOf(table, id);
      if (table === null || row < 0) return [];
      const [minX = 0, minY = 0, , maxX = 0, maxY = 0] = table.boxesM.subarray(6 * row);
      return [{ path, box: { minM: [minX, minY], maxM: [maxX, maxY] } }];
    });
  }

  function idOf(path: DocumentPath): number | null {
    const kind = partAt(path)?.kind;
    const isObject = kind === 'instance' || kind === 'wall';
    if (scene.contents === null || !isObject) return null;
    return idOfName(scene.contents, nameOf(valueAt(edit.data, path)));
  }

  function groundM(placeM: PlaceM): number {
    return scene.viewer?.groundAt(placeM) ?? 0;
  }
}
