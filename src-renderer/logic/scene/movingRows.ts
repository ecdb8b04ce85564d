// The instances of a scene that move: where they are at a time, in its table.
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { MotionLaw } from '#contract/worker/motions.ts';
import { displacementAt } from '#domain/shared/motion/frames.ts';
import { compose } from '#domain/shared/pose.ts';
import { movePose, poseOfRow, rowOf, type InstanceTable, type RowPose } from './instanceTable.ts';

export interface MovingRows {
  readonly rows: readonly number[];
  /** Poses, boxes and balls of the rows as they are at a time. */
  setTime(timeS: number): void;
}

/** The law of an instance by its id; null: it is stationary. */
export function lawOfInstance({ placed, motions }: SceneContents, id: number): MotionLaw | null {
  const motion = placed.find((one) => one.id === id)?.motion;
  return motion === undefined ? null : (motions[motion]?.law ?? null);
}

/** `table`: of the scene as it was built, at time 0. */
export function createMovingRows(contents: SceneContents, table: InstanceTable): MovingRows {
  const moving = contents.placed.flatMap(({ id, motion }) => {
    const law = motion === undefined ? undefined : contents.motions[motion]?.law;
    const row = rowOf(table, id);
    if (law === undefined || row < 0) return [];
    const box = table.boxesM.slice(6 * row, 6 * row + 6);
    return [{ row, law, box, pose: poseOfRow(table, row) }];
  });
  return {
    rows: moving.map(({ row }) => row),
    setTime(timeS) {
      const displacements = new Map<MotionLaw, ReturnType<typeof displacementAt>>();
      for (const { row, law, box, pose } of moving) {
        const displacement = displacements.get(law) ?? displacementAt(law, timeS);
        displacements.set(law, displacement);
        placeAtStart(row, box, pose);
        movePose(table, row, { ...compose(displacement, pose), scale: pose.scale });
      }
    },
  };

  /** Why: the box of a turned box is larger than that of what is in it, and would grow from time to time. */
  function placeAtStart(row: number, box: Float32Array, pose: RowPose): void {
    movePose(table, row, pose);
    table.boxesM.set(box, 6 * row);
  }
}
