// Depths of a scene from the sun: drawn once for a scene, an hour and a region, and again only where one of them
// changes, in slices while the view rests. Instances are chosen for the sun's view, in levels that suit its pixels.
import {
  type Box3,
  DepthTexture,
  NearestFilter,
  OrthographicCamera,
  Scene,
  UnsignedIntType,
  Vector3,
  Matrix4,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import type { LodChoice, LodLimits, LodView } from '#renderer/logic/scene/lodBudget.ts';
import { seenPlanes } from '../engine/camera/viewSpace.ts';
import type { InstancedModels } from './instancedModels.ts';
import type { ShadowMap } from './surfaceMaterial.ts';

/** Objects that cast shadows. */
export interface Casters {
  readonly casters: InstancedModels | null;
  readonly boxM: Box3;
  chooseCasters: (view: LodView, limits: LodLimits) => Generator<void, LodChoice>;
}

export interface SunShadow {
  /** Null: none was drawn for this scene and hour. */
  map: () => ShadowMap | null;
  /** Everything is to be drawn again: another scene, hour, level or place of something. */
  invalidate: () => void;
  /** Continues the choice for one slice. `isChanged`: the next frame has a pass more. */
  prepare: (casters: Casters, region: ShadowRegion, triangles: number) => ShadowWork;
  isIdle: () => boolean;
  /** Before a frame; draws the depths where they have been prepared. */
  draw: (renderer: WebGLRenderer) => void;
  setDirection: (direction: Vector3) => void;
  /** Another scene. */
  forget: () => void;
  /** Passes so far, and whether the last had fewer triangles than suit its pixels. */
  statistics: () => { passes: number; isCoarse: boolean };
  dispose: () => void;
}

/** Shadows are drawn within a sphere. */
export interface ShadowRegion {
  centreM: Vector3;
  radiusM: number;
}

export interface ShadowWork {
  isDone: boolean;
  isChanged: boolean;
}

const mapSize = 2048;
/** Draw calls; with those of a frame no more than 400. */
const maxCalls = 120;
const sliceMs = 8;
/** Between passes of scenes in which something moves, so that frames have their time. */
const minIntervalMs = 250;
/** The region is another one when its centre has moved by this share of its radius, or its radius by this factor. */
const moved = { share: 0.3, factor: 1.6 };
/** The eye of the choice of levels: so far that the rays are parallel. */
const eyeM = 20_000;

/** None at first. dispose() frees the graphics card. */
export function createSunShadow(): SunShadow {
  const scene = new Scene();
  const camera = new OrthographicCamera();
  const direction = new Vector3(0, 0, 1);
  const target = new WebGLRenderTarget(mapSize, mapSize, {
    minFilter: NearestFilter,
    magFilter: NearestFilter,
    depthTexture: new DepthTexture(mapSize, mapSize, UnsignedIntType),
  });
  let region: ShadowRegion | null = null;
  let map: ShadowMap | null = null;
  let choosing: Generator<void, LodChoice> | null = null;
  let isStale = true;
  let isDrawn = true;
  let drawnAtMs = -Infinity;
  let passes = 0;
  let isCoarse = false;

  return {
    map: () => map,
    invalidate() {
      isStale = true;
    },
    setDirection(next) {
      direction.copy(next);
      [map, isStale] = [null, true];
    },
    isIdle: () => !isStale && choosing === null && isDrawn,
    prepare(casters, wanted, triangles) {
      if (isElsewhere(wanted)) isStale = true;
      if (isStale && choosing === null) {
        if (performance.now() - drawnAtMs < minIntervalMs)
          return { isDone: false, isChanged: false };
        isStale = false;
        region = { centreM: wanted.centreM.clone(), radiusM: wanted.radiusM };
        aim(casters.boxM, region);
        scene.clear();
        if (casters.casters !== null) scene.add(casters.casters.object);
        choosing = casters.chooseCasters(lodView(region), { triangles, calls: maxCalls });
      }
      if (choosing === null) return { isDone: true, isChanged: false };
      const untilMs = performance.now() + sliceMs;
      do {
        const step = choosing.next();
        if (step.done !== true) continue;
        casters.casters?.apply(step.value.levels);
        isCoarse = step.value.triangles > 0.8 * triangles;
        choosing = null;
        isDrawn = false;
        return { isDone: true, isChanged: true };
      } while (performance.now() < untilMs);
      return { isDone: false, isChanged: false };
    },
    draw(renderer) {
      if (isDrawn) return;
      isDrawn = true;
      drawnAtMs = performance.now();
      passes += 1;
      const before = renderer.getRenderTarget();
      renderer.setRenderTarget(target);
      renderer.autoClear = true;
      renderer.render(scene, camera);
      renderer.setRenderTarget(before);
      if (target.depthTexture === null || region === null) return;
      map = {
        depths: target.depthTexture,
        mapFromWorld: mapFromWorld(camera),
        texelM: (2 * region.radiusM) / mapSize,
        size: mapSize,
      };
    },
    forget() {
      scene.clear();
      [map, choosing, isStale, isDrawn] = [null, null, true, true];
    },
    statistics: () => ({ passes, isCoarse }),
    dispose() {
      target.depthTexture?.dispose();
      target.dispose();
    },
  };

  function isElsewhere(wanted: ShadowRegion): boolean {
    if (region === null) return true;
    const awayM = wanted.centreM.distanceTo(region.centreM);
    const factor = wanted.radiusM / region.radiusM;
    return (
      awayM > moved.share * region.radiusM || factor > moved.factor || factor < 1 / moved.factor
    );
  }

  /** The sun's camera sees the region, and all between it and the sun. */
  function aim(boxM: Box3, { centreM, radiusM }: ShadowRegion): void {
    const reachM = boxM.getSize(new Vector3()).length() + 2 * radiusM;
    camera.left = -radiusM;
    camera.right = radiusM;
    camera.bottom = -radiusM;
    camera.top = radiusM;
    camera.near = 0;
    camera.far = 2 * reachM;
    camera.up.set(0, Math.abs(direction.z) > 0.99 ? 1 : 0, Math.abs(direction.z) > 0.99 ? 0 : 1);
    camera.position.copy(centreM).addScaledVector(direction, reachM);
    camera.lookAt(centreM);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  function lodView({ centreM, radiusM }: ShadowRegion): LodView {
    const eye = centreM.clone().addScaledVector(direction, eyeM);
    return {
      eyeM: eye.toArray(),
      planes: seenPlanes(camera),
      pixelsPerRad: (eyeM * mapSize) / (2 * radiusM),
    };
  }
}

/** Places that the sun's camera sees to 0 … 1. */
function mapFromWorld({ projectionMatrix, matrixWorldInverse }: OrthographicCamera): Matrix4 {
  return new Matrix4()
    .set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1)
    .multiply(projectionMatrix)
    .multiply(matrixWorldInverse);
}
