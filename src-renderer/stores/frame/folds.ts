// Edges of docks that the page folds and opens by itself.
import type { Edge } from '#renderer/logic/frame/dockLayout.ts';
import type { Dock } from './dock.ts';
import type { Activity } from './place.ts';

export interface Folds {
  /** Folds an edge to its icons, or opens it, where the user has not arranged the activity. */
  fold: (activity: Activity, edge: Edge, toFolded: boolean) => void;
  /** Folds an edge for a time, in any layout. An edge that was folded before stays folded. */
  foldFor: (activity: Activity, edge: Edge, isOver: boolean) => void;
}

/** `docks`: those that there are, by activity. */
export function createFolds(docks: ReadonlyMap<Activity, Dock>): Folds {
  const foldedFor = new Set<string>();
  return {
    fold(activity, edge, toFolded) {
      const dock = docks.get(activity);
      if (dock?.isDefault() === true) dock.fold(edge, toFolded);
    },
    foldFor(activity, edge, isOver) {
      const key = `${activity} ${edge}`;
      const dock = docks.get(activity);
      if (dock === undefined || (isOver ? !foldedFor.delete(key) : dock.isFolded(edge))) return;
      if (!isOver) foldedFor.add(key);
      dock.fold(edge, !isOver);
    },
  };
}
