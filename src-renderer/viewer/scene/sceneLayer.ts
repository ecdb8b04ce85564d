// A scene as views draw it: instances with their levels of detail, sky, light, haze and air.
import { Color, Group, type PerspectiveCamera, Vector3 } from 'three';
import type { DrawPaceOptions } from '#renderer/logic/scene/drawPace.ts';
import type { SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';
import { lodViewOf } from './initialView.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import type { SceneContent } from './sceneContent.ts';
import { createSceneDetail, type SceneDetail } from './sceneDetail.ts';
import { createSky, sceneLight } from './sceneLight.ts';
import { createSceneModels, type SceneModels } from './sceneModels.ts';
import { createSurfaceMaterials, type SurfaceMaterials } from './surfaceMaterial.ts';

export interface SceneLayer extends Pick<SceneModels, 'current' | 'addMesh' | 'isWaiting'> {
  readonly object: Group;
  readonly detail: SceneDetail;
  /** Another scene: shown as soon as each of its models has come. `isSame`: the same scenario, built again. */
  show: SceneModels['show'];
  clear: () => void;
  /** Nothing of a scene can be drawn: there is none, or its levels are not chosen yet. */
  isEmpty: () => boolean;
  /** The drawn or the drawable instances changed. */
  rechoose: () => void;
  /** Moving instances are drawn where they are at this time, in this scene and those that follow. */
  setTime: (timeS: number) => void;
  setTheme: (theme: Theme, accent: string) => void;
  setAir: (air: SceneAir) => void;
  /** Whether surfaces outside of the box of the view's clip are drawn. */
  setClipped: (isClipped: boolean) => void;
  isClipped: () => boolean;
  /** Before each frame: what depends on the place of the camera. */
  beforeDraw: () => void;
  dispose: () => void;
}

export interface SceneLayerEvents {
  entered?: (content: SceneContent, isSame: boolean) => void;
  /** It is about to be disposed of. */
  left?: (content: SceneContent) => void;
  /** More levels of what is on screen have come. */
  grew?: () => void;
  /** A frame is due. */
  changed: () => void;
}

/** The view of a layer, which is made after it. */
export interface SceneLayerView {
  camera: () => PerspectiveCamera;
  /** In pixels of the screen. */
  heightPx: () => number;
}

/** Haze begins no nearer to where two thirds are lost than this. */
const minHazeM = 160;

/** Without a scene at first: the sky alone. `pace`: of the choice of levels. dispose() frees the graphics card. */
export function createSceneLayer(
  clip: ViewClip,
  view: SceneLayerView,
  on: SceneLayerEvents,
  pace?: DrawPaceOptions,
): SceneLayer {
  const object = new Group();
  const sky = createSky();
  const materials = createSurfaceMaterials(clip);
  const current = (): SceneContent | null => models.current();
  const detail = createSceneDetail(
    {
      begin: (limits) =>
        current()?.choose(lodViewOf(view.camera(), view.heightPx()), limits) ?? null,
      apply: (choice) => current()?.apply(choice),
    },
    pace,
  );
  let timeS = 0;
  const models: SceneModels = createSceneModels(materials, {
    entered(content, isSame) {
      object.add(content.instanced.object);
      content.setTime(timeS);
      on.entered?.(content, isSame);
      rechoose();
    },
    left(content) {
      object.remove(content.instanced.object);
      detail.forget();
      on.left?.(content);
      on.changed();
    },
    grew() {
      on.grew?.();
      rechoose();
    },
    changed: on.changed,
  });
  object.add(sky.object);

  return {
    object,
    detail,
    current,
    show: models.show,
    addMesh: models.addMesh,
    clear: models.clear,
    isWaiting: models.isWaiting,
    isEmpty: () => current() === null || !detail.hasChoice(),
    rechoose,
    setTime(nextS) {
      timeS = nextS;
      if (current()?.setTime(timeS) === true) rechoose();
    },
    setTheme(theme, accent) {
      for (const part of [sky, materials]) part.setLight(sceneLight(theme));
      materials.setMarkColour(new Color(accent));
      on.changed();
    },
    setAir(air) {
      for (const part of [sky, materials]) part.setAir(air);
      on.changed();
    },
    setClipped: materials.setClipped,
    isClipped: materials.isClipped,
    beforeDraw() {
      materials.beforeDraw();
      setHaze(materials, current(), view.camera().position);
    },
    dispose() {
      for (const part of [models, sky, materials]) part.dispose();
    },
  };

  function rechoose(): void {
    detail.rechoose();
    on.changed();
  }
}

/** Within a scene the haze begins at the camera, from far outside where the scene begins. */
function setHaze(
  materials: SurfaceMaterials,
  content: SceneContent | null,
  cameraM: Vector3,
): void {
  if (content === null) return;
  const diagonalM = content.boxM.getSize(new Vector3()).length();
  const beginsM = content.boxM.distanceToPoint(cameraM);
  materials.setHaze(beginsM, Math.max(1.5 * diagonalM, minHazeM));
}
