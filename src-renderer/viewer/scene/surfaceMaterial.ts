// How surfaces of a scene look: sun and sky on both sides of a surface, leaves that let light through and
// are darker within the crown, haze with distance. Light is worked out for each vertex: with millions of
// small triangles that is as fine as for each pixel. The ground is another matter: its few large triangles
// show the painted cover and shadows of objects on them, pixel by pixel. Where the sun's map of depths reaches, shadows
// come from it, otherwise from the painting.
import {
  Color,
  DataTexture,
  DoubleSide,
  FloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  NearestFilter,
  RedFormat,
  RGBAFormat,
  ShaderMaterial,
  type Texture,
  Matrix4,
  Vector2,
  Vector3,
} from 'three';
import type { GroundPaint } from '#renderer/logic/scene/groundPaint.ts';
import type { SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import type { SceneLight } from './sceneLight.ts';
import {
  casterFragmentShader,
  casterVertexShader,
  surfaceFragmentShader,
  surfaceVertexShader,
} from './surfaceShaders.ts';

/** Kind of a model's surface for the shader: 'cover' is ground cover, 'plant' has a crown. */
export type SurfaceKind = 'cover' | 'plant' | 'solid' | 'ground';

export interface PaletteEntry {
  /** 0 to 1, as on screen (sRGB). */
  colourRgb: readonly [number, number, number];
  isLeaf: boolean;
}

/** Materials of a surface in a view, and in the map of depths from the sun. */
export interface SurfaceMaterial {
  drawn: ShaderMaterial;
  caster: ShaderMaterial;
  /** Another one, for what is drawn until a level fine enough has come: pale, and one sees through it. */
  standIn: () => ShaderMaterial;
}

export interface ShadowMap {
  depths: Texture;
  /** Maps places to 0 … 1 as the sun's camera sees them, depths too. */
  mapFromWorld: Matrix4;
  /** Side of a pixel of the map. */
  texelM: number;
  /** Pixels along each side. */
  size: number;
}

export interface SurfaceMaterials {
  /** For the model of this name, whose box is given in its own frame. */
  create(name: string, kind: SurfaceKind, minM: Vector3, maxM: Vector3): SurfaceMaterial;
  setPalette(entries: readonly PaletteEntry[]): void;
  setLight(light: SceneLight): void;
  setMarkColour(colour: Color): void;
  /** Haze begins at `fromM`, and so much farther two thirds are lost in it. */
  setHaze(fromM: number, distanceM: number): void;
  setAir(air: SceneAir): void;
  setPaint(paint: GroundPaint | null): void;
  /** The map of depths from the sun; null: none, or a stale one. */
  setShadow(shadow: ShadowMap | null): void;
  /** Whether surfaces are clipped where the view is. */
  setClipped: (isClipped: boolean) => void;
  isClipped: () => boolean;
  /** Before each frame. */
  beforeDraw(): void;
  dispose(): void;
}

/** Materials of models by kind of surface; shared by all levels of detail. */
export function createSurfaceMaterials(clip: ViewClip): SurfaceMaterials {
  const shared = sharedUniforms(clip);
  const made = new Set<ShaderMaterial>();
  /** Wanted wherever the view is clipped; whether the programs do it now. */
  let [isClippable, isClipping] = [true, false];
  const sways = new Map<string, { value: number }>();
  let wind: SceneAir['wind'] = null;

  return {
    create(name, kind, minM, maxM) {
      const sway = sways.get(name) ?? { value: wind?.models.has(name) === true ? 1 : 0 };
      sways.set(name, sway);
      const middle = minM.clone().add(maxM).multiplyScalar(0.5);
      const half = maxM
        .clone()
        .sub(minM)
        .multiplyScalar(0.5)
        .max(new Vector3(1e-3, 1e-3, 1e-3));
      const own = { modelMiddle: { value: middle }, modelHalf: { value: half }, sway };
      const drawnWith = (defines: Record<string, number>): ShaderMaterial => {
        const drawn = new ShaderMaterial({
          uniforms: { ...shared, ...own },
          defines: { [definesOf[kind]]: 1, ...defines, ...(isClipping && { IS_CLIPPED: 1 }) },
          vertexShader: surfaceVertexShader,
          fragmentShader: surfaceFragmentShader,
          side: DoubleSide,
        });
        made.add(drawn);
        drawn.addEventListener('dispose', () => made.delete(drawn));
        return drawn;
      };
      const caster = new ShaderMaterial({
        uniforms: { ...own, wind: shared.wind, maxLean: shared.maxLean },
        vertexShader: casterVertexShader,
        fragmentShader: casterFragmentShader,
        side: DoubleSide,
      });
      return { drawn: drawnWith({}), caster, standIn: () => drawnWith({ IS_STAND_IN: 1 }) };
    },
    setPalette(entries) {
      shared.palette.value.dispose();
      shared.palette.value = paletteTexture(entries);
    },
    setLight(light) {
      shared.sunDirection.value.copy(light.direction);
      shared.sun.value.copy(light.sun);
      shared.sky.value.copy(light.sky);
      shared.bounce.value.copy(light.bounce);
      shared.horizon.value.copy(light.horizon);
    },
    setMarkColour(colour) {
      shared.mark.value.copy(colour);
    },
    setHaze(fromM, distanceM) {
      shared.hazeM.value.set(fromM, distanceM);
    },
    setAir(air) {
      ({ wind } = air);
      shared.extinctionPerM.value = air.extinctionPerM;
      shared.shadowDepth.value = Math.exp(-shadowFadeM * air.extinctionPerM);
      shared.airTint.value.set(...air.tint);
      shared.wind.value.set(...(wind?.towards ?? ([1, 0] as const)), wind?.topM ?? 0);
      shared.maxLean.value = wind?.maxLean ?? 0;
      for (const [name, sway] of sways) sway.value = wind?.models.has(name) === true ? 1 : 0;
    },
    setPaint(paint) {
      shared.cover.value.dispose();
      shared.light.value.dispose();
      shared.cover.value = coverTexture(paint?.size ?? 1, paint?.cover ?? new Uint8Array(4));
      shared.light.value = lightTexture(paint?.size ?? 1, paint?.light ?? new Uint8Array([255]));
      shared.paintMin.value.set(...(paint?.minM ?? ([0, 0] as const)));
      shared.paintSize.value.set(...(paint?.sizeM ?? ([1, 1] as const)));
    },
    setShadow(shadow) {
      shared.hasShadow.value = shadow === null ? 0 : 1;
      shared.shadowDepths.value = shadow?.depths ?? null;
      if (shadow === null) return;
      shared.shadowFromWorld.value.copy(shadow.mapFromWorld);
      shared.shadowTexelM.value = shadow.texelM;
      shared.shadowSize.value = shadow.size;
    },
    setClipped(isClipped) {
      isClippable = isClipped;
    },
    isClipped: () => isClippable,
    beforeDraw() {
      const now = isClippable && clip.box() !== null;
      if (now === isClipping) return;
      isClipping = now;
      // Why two programs: with a discard, hidden pixels are no longer skipped before they are shaded.
      for (const material of made) {
        if (isClipping) material.defines['IS_CLIPPED'] = 1;
        else delete material.defines['IS_CLIPPED'];
        material.needsUpdate = true;
      }
    },
    dispose() {
      shared.palette.value.dispose();
      shared.cover.value.dispose();
      shared.light.value.dispose();
    },
  };
}

/** Uniforms of all surfaces. */
function sharedUniforms(clip: ViewClip) {
  return {
    palette: { value: paletteTexture([]) },
    sunDirection: { value: new Vector3(0, 0, 1) },
    shadowDepths: { value: null as Texture | null },
    shadowFromWorld: { value: new Matrix4() },
    shadowTexelM: { value: 0 },
    shadowSize: { value: 1 },
    hasShadow: { value: 0 },
    shadowDepth: { value: 1 },
    sun: { value: new Color() },
    sky: { value: new Color() },
    bounce: { value: new Color() },
    horizon: { value: new Color() },
    mark: { value: new Color() },
    hazeM: { value: new Vector2(0, 500) },
    extinctionPerM: { value: 0 },
    airTint: { value: new Vector3(1, 1, 1) },
    wind: { value: new Vector3() },
    maxLean: { value: 0 },
    cover: { value: coverTexture(1, new Uint8Array(4)) },
    light: { value: lightTexture(1, new Uint8Array([255])) },
    paintMin: { value: new Vector2() },
    paintSize: { value: new Vector2(1, 1) },
    ...clip.uniforms,
  };
}

/** In weather that absorbs two thirds of the light over this distance, shadows lose two thirds of their contrast. */
const shadowFadeM = 60;

const definesOf: Record<SurfaceKind, string> = {
  cover: 'IS_COVER',
  plant: 'IS_PLANT',
  solid: 'IS_SOLID',
  ground: 'IS_GROUND',
};

function paletteTexture(entries: readonly PaletteEntry[]): DataTexture {
  const pixels = new Float32Array(4 * Math.max(entries.length, 1));
  const colour = new Color();
  for (const [index, { colourRgb, isLeaf }] of entries.entries()) {
    colour.setRGB(...colourRgb, 'srgb');
    pixels.set([colour.r, colour.g, colour.b, isLeaf ? 1 : 0], 4 * index);
  }
  const texture = new DataTexture(pixels, Math.max(entries.length, 1), 1, RGBAFormat, FloatType);
  texture.magFilter = NearestFilter;
  texture.minFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

function coverTexture(size: number, pixels: Uint8Array<ArrayBuffer>): DataTexture {
  return smoothed(new DataTexture(pixels, size, size, RGBAFormat));
}

function lightTexture(size: number, pixels: Uint8Array<ArrayBuffer>): DataTexture {
  const texture = new DataTexture(pixels, size, size, RedFormat);
  texture.unpackAlignment = 1;
  return smoothed(texture);
}

function smoothed(texture: DataTexture): DataTexture {
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  return texture;
}
