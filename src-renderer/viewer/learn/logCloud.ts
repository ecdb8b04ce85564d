// The log of the Learn page on screen: all of its returns or a sample of them, or the nodes of its octree that the camera
// needs.
import { Group, type Points } from 'three';
import type { ScaleName } from '#domain/shared/colours.ts';
import type { CloudOctree } from '#renderer/logic/cloud/octree.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import type { CloudColouring, CloudTable } from '#renderer/logic/cloud/cloudTable.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import type { FrameDetail } from '../engine/frameLoop.ts';
import { createOctreeCloud, type OctreeCloud } from '../engine/points/octreeCloud.ts';
import { createTableClouds } from '../engine/points/tableClouds.ts';
import type { Viewport } from '../engine/viewport.ts';

export interface LogCloud extends Pick<OctreeCloud, 'add' | 'onMissing' | 'drawn'> {
  /** All of the log, or a sample of it, which says what is framed where an octree is drawn, too. */
  show: (table: CloudTable) => void;
  colour: (by: CloudColouring, scale: ScaleName, range: ValueRange) => void;
  /** In place of the points of `show`; null: none. Its nodes come by `add`. */
  showOctree: (octree: CloudOctree | null, budgetPoints: number) => void;
}

export interface OwnLogCloud extends LogCloud {
  readonly object: Group;
  /** For the view that it is in. */
  readonly detail: FrameDetail;
  /** Positions of `show`, x y z after one another. */
  sampleM: () => Float32Array;
  /** Positions that are drawn. */
  drawnM: () => readonly Float32Array[];
  dispose: () => void;
}

/** A frame of a slow machine is to take so long while the camera moves; at least a tenth of the points are drawn. */
const movingMs = 60;
const minMovingShare = 0.1;

/** @param view that it is in, once that is there; @param shown is called when `show` has changed what is framed */
export function createLogCloud(
  clip: ViewClip,
  scale: number,
  view: () => Viewport,
  shown: () => void,
): OwnLogCloud {
  const clouds = createTableClouds(clip, scale);
  const nodes = createOctreeCloud(clouds);
  const sample = new Group();
  const object = new Group().add(sample, nodes.object);
  let sampleM: Float32Array = new Float32Array(0);
  let octree: CloudOctree | null = null;

  function choose(isResting: boolean): boolean {
    const { camera, size, slowFrameMs } = view();
    const slowMs = isResting ? null : slowFrameMs();
    const share = slowMs === null ? 1 : Math.max(minMovingShare, Math.min(1, movingMs / slowMs));
    return nodes.update(camera.camera, size().heightPx, clip.box(), share);
  }

  function clear(): void {
    for (const points of sample.children) (points as Points).geometry.dispose();
    sample.clear();
  }

  return {
    object,
    // A choice takes one slice of a frame; another one follows when the camera rests.
    detail: {
      choose: (isResting) => ({ isDone: true, isChanged: choose(isResting) }),
      learn: () => false,
      move: () => undefined,
      rest: () => undefined,
      isIdle: () => true,
    },
    show(table) {
      clear();
      sample.add(clouds.create(table));
      sampleM = table.positionsM;
      shown();
      view().invalidate();
    },
    colour(...how) {
      clouds.colour(...how);
      view().invalidate();
    },
    showOctree(next, budgetPoints) {
      nodes.setBudget(budgetPoints);
      if (next !== octree) nodes.show(next);
      octree = next;
      sample.visible = next === null;
      view().invalidate();
    },
    add(node, table) {
      nodes.add(node, table);
      view().invalidate();
    },
    onMissing: nodes.onMissing,
    drawn: nodes.drawn,
    sampleM: () => sampleM,
    drawnM: () => (octree === null ? [sampleM] : nodes.positionsM()),
    dispose() {
      clear();
      nodes.dispose();
      clouds.dispose();
    },
  };
}
