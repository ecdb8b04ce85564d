// The log of the Learn page on screen: all of its returns or a sample of them, or its octree.
import { Group, type Points } from 'three';
import { noPoints, type CloudTable } from '#renderer/logic/cloud/cloudTable.ts';
import { createOctreeLayer, type OctreeLayer, type OwnOctreeLayer } from '../cloud/octreeLayer.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import type { Viewport } from '../engine/viewport.ts';

/** `showOctree`: in place of the points of `show`. */
export interface LogCloud extends OctreeLayer {
  /** All of the log, or a sample of it, which says what is framed where an octree is drawn, too. */
  show: (table: CloudTable) => void;
}

export interface OwnLogCloud extends LogCloud, Pick<OwnOctreeLayer, 'object' | 'detail'> {
  /** Positions of `show`, x y z after one another. */
  sampleM: () => Float32Array;
  /** The points that are drawn. */
  drawnTables: () => readonly CloudTable[];
  dispose: () => void;
}

/** @param view that it is in, once that is there; @param shown is called when `show` has changed what is framed */
export function createLogCloud(
  clip: ViewClip,
  scale: number,
  view: () => Viewport,
  shown: () => void,
): OwnLogCloud {
  const layer = createOctreeLayer(clip, view, scale);
  const sample = new Group();
  let shownTable = noPoints;

  function clear(): void {
    for (const points of sample.children) (points as Points).geometry.dispose();
    sample.clear();
  }

  return {
    ...layer,
    object: new Group().add(sample, layer.object),
    show(table) {
      clear();
      sample.add(layer.create(table));
      shownTable = table;
      shown();
      view().invalidate();
    },
    showOctree(octree, budgetPoints) {
      sample.visible = octree === null;
      layer.showOctree(octree, budgetPoints);
    },
    sampleM: () => shownTable.positionsM,
    drawnTables: () => (sample.visible ? [shownTable] : layer.tables()),
    dispose() {
      clear();
      layer.dispose();
    },
  };
}
