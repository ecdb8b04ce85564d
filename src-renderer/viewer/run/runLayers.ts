// Parts of a run that are drawn over its scene: cloud, cost map, paths, vehicle and moving objects, each of which can be hidden.
import { AmbientLight, DirectionalLight, type Object3D } from 'three';
import {
  createShownLayers,
  type RunCameraMode,
  type RunLayer,
} from '#renderer/logic/viewer/viewSettings.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import { createOctreeLayer, type OwnOctreeLayer } from '../cloud/octreeLayer.ts';
import type { Viewport } from '../engine/viewport.ts';
import { createGroundGrid } from '../engine/groundGrid.ts';
import { createCostMapLayer, type CostMapLayer } from './costMap.ts';
import { createObjectBoxes, type ObjectBoxes } from './objectBoxes.ts';
import { createRunClouds, type RunClouds } from './runClouds.ts';
import { createRunTrack, type RunTrack, type TrackColours } from './runTrack.ts';

export interface RunLayers {
  /** Everything but the points, with its light. */
  readonly objects: readonly Object3D[];
  readonly clouds: RunClouds;
  /** In place of the clouds once the first of its points have come. */
  readonly all: OwnOctreeLayer;
  /** Places of the points that are drawn: x y z after one another. */
  pointsM: () => Float32Array[];
  readonly map: CostMapLayer;
  readonly track: RunTrack;
  readonly boxes: ObjectBoxes;
  readonly shown: Record<RunLayer, boolean>;
  /** After a change of `shown`, of the camera, or of the scene. */
  apply: (cameraMode: RunCameraMode, hasScene: boolean) => void;
  setColours: (colours: RunLayerColours) => void;
  clear: () => void;
  dispose: () => void;
}

/** Colours of a theme, as CSS writes them. */
export interface RunLayerColours extends TrackColours {
  /** Boxes of moving objects. */
  object: string;
  grid: string;
}

interface RunLayerOptions {
  /** At once on screen. */
  maxPoints: number;
  clip: ViewClip;
  /** Gets the names of moving objects. */
  labels: HTMLElement | null;
  /** Height of the ground; null where none is known. */
  heightAt: (xM: number, yM: number) => number | null;
  /** The view that it is in, once that is there. */
  view: () => Viewport;
  /** Other parts are to be applied. */
  changed: () => void;
}

const gridHalfM = 200;
const gridStepM = 10;

/** A run without anything yet. dispose() frees the graphics card. */
export function createRunLayers(options: RunLayerOptions): RunLayers {
  const { maxPoints, clip, labels, heightAt, view, changed } = options;
  const grid = createGroundGrid({ liftM: -0.02, opacity: 1, stepM: gridStepM });
  const clouds = createRunClouds(maxPoints, clip);
  const layer = createOctreeLayer(clip, view);
  let hasAll = false;
  const track = createRunTrack(heightAt);
  const map = createCostMapLayer(track.groundM);
  const boxes = createObjectBoxes(labels);
  const sun = new DirectionalLight('#ffffff', 2.2);
  const parts = [grid, map, track, boxes];
  const shown = createShownLayers();
  sun.position.set(-40, -60, 90);
  grid.fit([-gridHalfM, -gridHalfM], [gridHalfM, gridHalfM], 0);

  return {
    objects: [new AmbientLight('#ffffff', 1.3), sun, ...parts.map(({ object }) => object)],
    clouds,
    all: {
      ...layer,
      showOctree(octree, budgetPoints) {
        hasAll &&= octree !== null;
        layer.showOctree(octree, budgetPoints);
        changed();
      },
      add(node, table) {
        layer.add(node, table);
        if (hasAll) return;
        hasAll = true;
        changed();
      },
    },
    pointsM: () =>
      hasAll ? layer.tables().map(({ positionsM }) => positionsM) : clouds.positionsM(),
    map,
    track,
    boxes,
    shown,
    apply(cameraMode, hasScene) {
      grid.object.visible = !hasScene;
      clouds.object.visible = shown.cloud && !hasAll;
      layer.object.visible = shown.cloud;
      boxes.object.visible = shown.objects;
      const { paths, fixes, fields } = shown;
      // Why: on board one would look at the vehicle from within.
      track.setShown({ paths, fixes, fields, vehicle: cameraMode !== 'aboard' });
    },
    setColours(colours) {
      grid.setColour(colours.grid);
      track.setColours(colours);
      boxes.setColour(colours.object);
    },
    clear() {
      for (const part of [clouds, track, map]) part.clear();
      boxes.show([]);
    },
    dispose() {
      for (const part of [clouds, layer, ...parts]) part.dispose();
    },
  };
}
