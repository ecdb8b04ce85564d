// Several parts of a view that choose how fine they are drawn, as one.
import type { FrameDetail } from './frameLoop.ts';

export interface JoinedDetail extends FrameDetail {
  add: (detail: FrameDetail) => void;
  remove: (detail: FrameDetail) => void;
}

export function joinDetails(...first: readonly FrameDetail[]): JoinedDetail {
  const details = new Set(first);
  return {
    choose(isResting) {
      const chosen = [...details].map((detail) => detail.choose(isResting));
      return {
        isDone: chosen.every(({ isDone }) => isDone),
        isChanged: chosen.some(({ isChanged }) => isChanged),
      };
    },
    learn: (...frame) => [...details].map((detail) => detail.learn(...frame)).includes(true),
    move() {
      for (const detail of details) detail.move();
    },
    rest() {
      for (const detail of details) detail.rest();
    },
    isIdle: () => [...details].every((detail) => detail.isIdle()),
    add: (detail) => void details.add(detail),
    remove: (detail) => void details.delete(detail),
  };
}
