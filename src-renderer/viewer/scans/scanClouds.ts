// The clouds of several scans in one scene: each is made when it is drawn first, and freed when its scan is removed.
import type { Scene } from 'three';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import { createColouredCloud, type ColouredCloud } from '../engine/points/colouredCloud.ts';

export interface CloudOfScan {
  id: number;
  /** x y z after one another, in the world. */
  positionsM: Float32Array;
  isDrawn: boolean;
}

export interface ScanClouds {
  /** All scans that there are. Returns the ids of those that are drawn for the first time. */
  show: (scans: readonly CloudOfScan[]) => number[];
  /** RGB bytes, a point each; nothing where the scan was never drawn. */
  setColours: (id: number, rgb: Uint8Array) => void;
  dispose: () => void;
}

/** Clouds of the visible scans, added to the scene. */
export function createScanClouds(scene: Scene, clip: ViewClip): ScanClouds {
  const clouds = new Map<number, ColouredCloud>();
  return {
    show(scans) {
      for (const [id, cloud] of clouds) {
        if (scans.some((scan) => scan.id === id)) continue;
        remove(cloud);
        clouds.delete(id);
      }
      const added = scans.filter(({ id, isDrawn }) => isDrawn && !clouds.has(id));
      for (const { id } of added) clouds.set(id, add());
      for (const { id, positionsM, isDrawn } of scans) {
        const cloud = clouds.get(id);
        if (cloud === undefined) continue;
        cloud.setPositions(positionsM);
        cloud.object.visible = isDrawn;
      }
      return added.map(({ id }) => id);
    },
    setColours: (id, rgb) => clouds.get(id)?.setColours(rgb),
    dispose() {
      for (const cloud of clouds.values()) remove(cloud);
      clouds.clear();
    },
  };

  function add(): ColouredCloud {
    const cloud = createColouredCloud({ clip });
    scene.add(cloud.object);
    return cloud;
  }

  function remove(cloud: ColouredCloud): void {
    scene.remove(cloud.object);
    cloud.dispose();
  }
}
