// A cloud of any size in a view: the nodes of its octree that the camera needs, fewer while the camera moves on a slow
// machine.
import type { Group } from 'three';
import type { ScaleName } from '#domain/shared/colours.ts';
import type { CloudOctree } from '#renderer/logic/cloud/octree.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import type { FrameDetail } from '../engine/frameLoop.ts';
import { createOctreeCloud, type OctreeCloud } from '../engine/points/octreeCloud.ts';
import {
  createTableClouds,
  type TableClouds,
  type DrawnColouring,
} from '../engine/points/tableClouds.ts';
import type { Viewport } from '../engine/viewport.ts';

export interface OctreeLayer extends Pick<OctreeCloud, 'add' | 'onMissing' | 'drawn' | 'tables'> {
  /** Null: none. Its nodes come by `add`. */
  showOctree: (octree: CloudOctree | null, budgetPoints: number) => void;
  colour: (by: DrawnColouring, scale: ScaleName, range: ValueRange) => void;
  /** Mean time of a frame while the view changes, where it is drawn coarser for it; null: it is not. */
  slowFrameMs: () => number | null;
}

export interface OwnOctreeLayer extends OctreeLayer {
  /** Nothing is chosen or asked for while it is not visible. */
  readonly object: Group;
  /** For the view that it is in. */
  readonly detail: FrameDetail;
  /** Makes points of the same look, which their owner frees. */
  create: TableClouds['create'];
  setOwnColour: TableClouds['setOwnColour'];
  dispose: () => void;
}

type LayerView = Pick<Viewport, 'camera' | 'size' | 'slowFrameMs' | 'invalidate'>;

/** A frame of a slow machine is to take so long while the camera moves; at least a tenth of the points are drawn. */
const movingMs = 60;
const minMovingShare = 0.1;

/** @param view that it is in, once that is there; @param scale of the size of points, 1 for a view of usual size */
export function createOctreeLayer(
  clip: ViewClip,
  view: () => LayerView,
  scale = 1,
): OwnOctreeLayer {
  const clouds = createTableClouds(clip, scale);
  const nodes = createOctreeCloud(clouds);
  let octree: CloudOctree | null = null;

  function choose(isResting: boolean): boolean {
    if (!nodes.object.visible) return false;
    const { camera, size, slowFrameMs } = view();
    const slowMs = isResting ? null : slowFrameMs();
    const share = slowMs === null ? 1 : Math.max(minMovingShare, Math.min(1, movingMs / slowMs));
    return nodes.update(camera.camera, size().heightPx, clip.box(), share);
  }

  return {
    object: nodes.object,
    // A choice takes one slice of a frame; another one follows when the camera rests.
    detail: {
      choose: (isResting) => ({ isDone: true, isChanged: choose(isResting) }),
      learn: () => false,
      move: () => undefined,
      rest: () => undefined,
      isIdle: () => true,
    },
    showOctree(next, budgetPoints) {
      nodes.setBudget(budgetPoints);
      if (next !== octree) nodes.show(next);
      octree = next;
      view().invalidate();
    },
    colour(...how) {
      clouds.colour(...how);
      view().invalidate();
    },
    add(node, table) {
      nodes.add(node, table);
      view().invalidate();
    },
    slowFrameMs: () => view().slowFrameMs(),
    onMissing: nodes.onMissing,
    drawn: nodes.drawn,
    tables: nodes.tables,
    create: clouds.create,
    setOwnColour: clouds.setOwnColour,
    dispose() {
      nodes.dispose();
      clouds.dispose();
    },
  };
}
