// A scene as views draw it: instances with their levels of detail, sky, light, haze and air.
import { Color, Group, type PerspectiveCamera, Vector3, type WebGLRenderer } from 'three';
import { clamp } from '#domain/shared/numbers.ts';
import type { DrawPaceOptions } from '#renderer/logic/scene/drawPace.ts';
import type { InstanceMasks } from '#renderer/logic/scene/instanceMasks.ts';
import type { SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import { defaultHour } from '#renderer/logic/scene/daylight.ts';
import { lodViewOf } from './initialView.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import type { SceneContent } from './sceneContent.ts';
import { createSceneDetail, type SceneDetail } from './sceneDetail.ts';
import { createSky, sceneLight } from './sceneLight.ts';
import { createSceneModels, type SceneModelEvents, type SceneModels } from './sceneModels.ts';
import { createSunShadow, type ShadowRegion, type SunShadow } from './sunShadow.ts';
import { createSurfaceMaterials, type SurfaceMaterials } from './surfaceMaterial.ts';

export interface SceneLayer extends Pick<
  SceneModels,
  'current' | 'addMesh' | 'isComing' | 'isWaiting'
> {
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
  /** Instances of the scene on screen that are not drawn, and those that are met by no ray. */
  setMasks: (masks: InstanceMasks) => void;
  /** Solar time, 0 to 24. */
  setHour: (hour: number) => void;
  setAccent: (accent: string) => void;
  /** An instance was moved. */
  moved: () => void;
  shadows: () => ShadowStatistics;
  setAir: (air: SceneAir) => void;
  /** Whether surfaces outside of the box of the view's clip are drawn. */
  setClipped: (isClipped: boolean) => void;
  isClipped: () => boolean;
  /** Before each frame: what depends on the place of the camera. */
  beforeDraw: (renderer: WebGLRenderer) => void;
  dispose: () => void;
}

export interface ShadowStatistics {
  /** Drawn so far. */
  passes: number;
  /** In fewer triangles than the scene has in the pixels of the map. */
  isCoarse: boolean;
}

export interface SceneLayerOptions {
  /** Pace of the choice of levels. */
  pace?: DrawPaceOptions;
  /** The sun casts shadows by a map of depths; otherwise they are only painted on the ground. */
  castsShadows?: boolean;
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

/** A pass of shadows draws the triangles of so many frames of a moving view, within these bounds. */
const shadowFrames = 6;
const shadowTriangles = [200_000, 3_000_000] as const;
/** Shadows of larger scenes are about what is looked at. */
const maxWholeM = 90;
const nearShadowsM = [30, 160] as const;
/** Below the ground of the scene, so that it does not show through. */
const plainBelowM = 0.02;
/** Haze begins no nearer to where two thirds are lost than this. */
const minHazeM = 160;

/** Without a scene at first: the sky alone. dispose() frees the graphics card. */
export function createSceneLayer(
  clip: ViewClip,
  view: SceneLayerView,
  on: SceneLayerEvents,
  { pace, castsShadows = false }: SceneLayerOptions = {},
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
  const shadow = castsShadows ? createSunShadow() : null;
  let light = sceneLight(defaultHour);
  let timeS = 0;
  const events: SceneModelEvents = {
    entered(content, isSame) {
      object.add(content.instanced.object);
      shadow?.forget();
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
      shadow?.invalidate();
      on.grew?.();
      rechoose();
    },
    changed: on.changed,
  };
  const models: SceneModels = createSceneModels(materials, events, {
    direction: () => light.direction,
    castsShadows,
  });
  object.add(sky.object);
  applyLight();

  return {
    ...models,
    object,
    detail: shadow === null ? detail : withShadow(detail, shadow, current, view),
    isEmpty: () => current() === null || !detail.hasChoice(),
    rechoose,
    setTime(nextS) {
      timeS = nextS;
      if (current()?.setTime(timeS) !== true) return;
      shadow?.invalidate();
      rechoose();
    },
    setMasks(masks) {
      current()?.setMasks(masks);
      shadow?.forget();
      models.repaint();
      rechoose();
    },
    setHour(hour) {
      light = sceneLight(hour);
      applyLight();
      models.repaint();
      on.changed();
    },
    setAccent(accent) {
      materials.setMarkColour(new Color(accent));
      on.changed();
    },
    moved() {
      shadow?.invalidate();
      rechoose();
    },
    shadows: () => shadow?.statistics() ?? { passes: 0, isCoarse: false },
    setAir(air) {
      for (const part of [sky, materials]) part.setAir(air);
      shadow?.invalidate();
      on.changed();
    },
    setClipped: materials.setClipped,
    isClipped: materials.isClipped,
    beforeDraw(renderer) {
      materials.beforeDraw();
      shadow?.draw(renderer);
      materials.setShadow(shadow?.map() ?? null);
      const content = current();
      sky.setPlain(plainM(content, materials.isClipped() && clip.box() !== null));
      setHaze(materials, content, view.camera().position);
      if (detail.hasChoice()) models.beforeFrame();
    },
    dispose() {
      for (const part of [models, sky, materials]) part.dispose();
      shadow?.dispose();
    },
  };

  function applyLight(): void {
    for (const part of [sky, materials]) part.setLight(light);
    shadow?.setDirection(light.direction);
  }

  function rechoose(): void {
    detail.rechoose();
    on.changed();
  }
}

/** Levels of the view first, then those of the sun's. */
function withShadow(
  own: SceneDetail,
  of: SunShadow,
  current: () => SceneContent | null,
  view: SceneLayerView,
): SceneDetail {
  return {
    ...own,
    isIdle: () => own.isIdle() && of.isIdle(),
    choose(isResting) {
      const chosen = own.choose(isResting);
      const content = current();
      if (!chosen.isDone || !isResting || content === null) return chosen;
      const triangles = clamp(shadowFrames * own.pace(), ...shadowTriangles);
      const work = of.prepare(content, shadowRegion(content, view.camera()), triangles);
      return { isDone: work.isDone, isChanged: chosen.isChanged || work.isChanged };
    },
  };
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

/** Height of the plain about a scene; null: without one, and where the scene is clipped. */
function plainM(content: SceneContent | null, isClipped: boolean): number | null {
  return content === null || isClipped ? null : content.groundM - plainBelowM;
}

/** All of a small scene; of a large one the surroundings of what the camera looks at on the ground. */
function shadowRegion({ boxM, groundM }: SceneContent, camera: PerspectiveCamera): ShadowRegion {
  const centreM = boxM.getCenter(new Vector3());
  const radiusM = boxM.getSize(new Vector3()).length() / 2;
  if (radiusM <= maxWholeM) return { centreM, radiusM };
  const forward = camera.getWorldDirection(new Vector3());
  const heightM = Math.max(camera.position.z - groundM, 1);
  const aheadM = forward.z < 0 ? Math.min(heightM / -forward.z, nearShadowsM[1]) : nearShadowsM[1];
  const atM = camera.position.clone().addScaledVector(forward, aheadM).setZ(groundM);
  return { centreM: atM, radiusM: clamp(1.2 * aheadM, ...nearShadowsM) };
}
