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
import { clipDeclarations, type ViewClip } from '../engine/clip/clipUniforms.ts';
import type { SceneLight } from './sceneLight.ts';

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
  /** The map of depths from the sun; null: none, or none that is true any more. */
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
  let isClippedToo = true;
  let clips = false;
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
      const material = new ShaderMaterial({
        uniforms: { ...shared, modelMiddle: { value: middle }, modelHalf: { value: half }, sway },
        defines: { [definesOf[kind]]: 1, ...(clips && { IS_CLIPPED: 1 }) },
        vertexShader,
        fragmentShader,
        side: DoubleSide,
      });
      made.add(material);
      material.addEventListener('dispose', () => made.delete(material));
      const { modelMiddle, modelHalf } = material.uniforms;
      const { wind: windOf, maxLean } = shared;
      const caster = new ShaderMaterial({
        uniforms: {
          modelMiddle,
          modelHalf,
          sway,
          wind: windOf,
          maxLean,
        } as typeof material.uniforms,
        vertexShader: casterShader,
        // Why a colour: without any, SwiftShader wrote no depths.
        fragmentShader: 'void main() { gl_FragColor = vec4(1.0); }',
        side: DoubleSide,
      });
      return { drawn: material, caster };
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
      shared.air.value.copy(light.air);
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
      isClippedToo = isClipped;
    },
    isClipped: () => isClippedToo,
    beforeDraw() {
      const now = isClippedToo && clip.box() !== null;
      if (now === clips) return;
      clips = now;
      // Why two programs: one that may drop pixels cannot drop hidden ones before it runs.
      for (const material of made) {
        if (clips) material.defines['IS_CLIPPED'] = 1;
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
    air: { value: new Color() },
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

/** In weather that takes two thirds of the light over such a way, shadows have lost two thirds, too. */
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

// As the mean wind bends plants: PHYSICS.md, 2.9.
const bendDeclarations = `
uniform vec3 modelMiddle;
uniform vec3 modelHalf;
uniform vec3 wind;
uniform float maxLean;
uniform float sway;
vec3 bent(mat4 worldFromModel) {
  vec3 world = (worldFromModel * vec4(position, 1.0)).xyz;
  float heightM = 2.0 * modelHalf.z * length(worldFromModel[2].xyz);
  float rootM = (worldFromModel * vec4(0.0, 0.0, modelMiddle.z - modelHalf.z, 1.0)).z;
  float share = pow(clamp((world.z - rootM) / heightM, 0.0, 1.0), 2.5);
  world.xy += sway * min(wind.z, maxLean * heightM) * share * wind.xy;
  return world;
}`;

const casterShader = `
${bendDeclarations}
void main() {
  gl_Position = projectionMatrix * viewMatrix * vec4(bent(modelMatrix * instanceMatrix), 1.0);
}`;

// Light of the sun that reaches a place, from the mean of four depths, each compared between its neighbours; 'painted'
// beyond the map. A place is compared a little nearer to the sun, or a surface would shade itself.
const shadowDeclarations = `
uniform highp sampler2D shadowDepths;
uniform mat4 shadowFromWorld;
uniform vec3 sunDirection;
uniform float shadowTexelM;
uniform float shadowSize;
uniform float hasShadow;
uniform float shadowDepth;
float reaches(vec3 at) {
  return step(at.z, textureLod(shadowDepths, at.xy, 0.0).r);
}
float smoothReaches(vec3 at) {
  vec2 cell = at.xy * shadowSize - 0.5;
  vec2 f = fract(cell);
  vec3 low = vec3((floor(cell) + 0.5) / shadowSize, at.z);
  vec3 right = vec3(1.0 / shadowSize, 0.0, 0.0);
  return mix(
    mix(reaches(low), reaches(low + right), f.x),
    mix(reaches(low + right.yxz), reaches(low + right + right.yxz), f.x), f.y);
}
const float diffuse = 0.8;
float sunlight(vec3 world, float towardsM, bool isSmooth, float painted) {
  if (hasShadow < 0.5) return painted;
  vec3 at = (shadowFromWorld * vec4(world + sunDirection * (towardsM + 1.5 * shadowTexelM / max(sunDirection.z, 0.12)), 1.0)).xyz;
  vec2 fromEdge = min(at.xy, 1.0 - at.xy);
  float within = smoothstep(0.0, 0.04, min(fromEdge.x, fromEdge.y));
  if (within <= 0.0 || at.z >= 1.0) return painted;
  float seen = mix(diffuse, isSmooth ? smoothReaches(at) : reaches(at), shadowDepth);
  return mix(painted, seen, within);
}`;

// `look` of an instance: brightness, warmth (-1 to 1), and whether it is marked (0 to 1).
const vertexShader = `
attribute float surface;
attribute vec3 look;
uniform sampler2D palette;
uniform vec3 sun;
uniform vec3 sky;
uniform vec3 bounce;
uniform vec3 mark;
${bendDeclarations}
${shadowDeclarations}
varying vec3 place;
varying vec3 shade;
varying vec3 ambient;
varying float isMarked;
void main() {
  vec4 entry = texelFetch(palette, ivec2(int(surface + 0.5), 0), 0);
  mat4 worldFromModel = modelMatrix * instanceMatrix;
  place = bent(worldFromModel);
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
  vec3 inBox = (position - modelMiddle) / modelHalf;
  vec3 normalW = normalize(mat3(worldFromModel) * normal + vec3(0.0, 0.0, 1e-9));
  if (dot(normalW, cameraPosition - place) < 0.0) normalW = -normalW;
  vec3 albedo = entry.rgb * vec3(1.0 + 0.22 * look.y, 1.0, 1.0 - 0.18 * look.y);
  vec3 lit = normalW;
  float open = 1.0;
  float leaf = entry.a;
#ifdef IS_COVER
  open = mix(0.3, 1.12, clamp(0.5 + 0.5 * inBox.z, 0.0, 1.0));
  lit = normalize(mix(normalW, vec3(0.0, 0.0, 1.0), 0.55));
  leaf = 1.0;
#endif
#ifdef IS_PLANT
  vec3 outwards = mat3(worldFromModel) * (inBox + vec3(0.0, 0.0, 0.15));
  lit = normalize(mix(normalW, normalize(outwards + vec3(1e-5)), 0.55 * leaf));
  open = mix(0.34, 1.05, smoothstep(0.2, 0.95, length(inBox)));
  open *= mix(0.8, 1.0, clamp(0.5 + 0.5 * inBox.z, 0.0, 1.0));
#endif
  float towards = dot(lit, sunDirection);
  float wrapped = pow(0.5 + 0.5 * towards, 1.6);
  float direct = mix(max(towards, 0.0), wrapped, 0.6 * leaf);
  float through = leaf * 0.3 * max(-dot(normalW, sunDirection), 0.0);
  vec3 fromSun = sun * (direct * albedo + through * albedo * vec3(1.25, 1.2, 0.4));
  vec3 around = mix(bounce, sky, 0.5 + 0.5 * lit.z) * albedo;
#ifdef IS_COVER
  // Grass in the shade of others was painted darker: with a map that is in it.
  float bright = hasShadow > 0.5 ? 1.0 : look.x;
  fromSun *= sunlight(place, 0.1, false, 1.0);
#else
  float bright = look.x;
#endif
#ifdef IS_PLANT
  // Within half a metre the crown itself is darker below.
  fromSun *= mix(1.0, sunlight(place, 0.3, true, 1.0), 0.85);
#endif
  shade = fromSun * open * bright;
  ambient = around * open * mix(1.0, bright, 0.5);
  isMarked = look.z;
}`;

const fragmentShader = `
uniform vec3 horizon;
uniform vec3 mark;
uniform vec2 hazeM;
uniform vec3 air;
uniform vec3 airTint;
uniform float extinctionPerM;
#ifdef IS_CLIPPED
${clipDeclarations}
#endif
varying vec3 place;
varying vec3 shade;
varying vec3 ambient;
varying float isMarked;
#if defined(IS_GROUND) || defined(IS_SOLID)
${shadowDeclarations}
#endif
#ifdef IS_GROUND
uniform sampler2D cover;
uniform sampler2D light;
uniform vec2 paintMin;
uniform vec2 paintSize;
uniform vec3 sun;
uniform vec3 sky;
float chance(vec2 cell) {
  return fract(sin(dot(cell, vec2(127.1, 311.7))) * 43758.5453);
}
float noise(vec2 at) {
  vec2 cell = floor(at);
  vec2 f = fract(at);
  f = f * f * (3.0 - 2.0 * f);
  return mix(
    mix(chance(cell), chance(cell + vec2(1.0, 0.0)), f.x),
    mix(chance(cell + vec2(0.0, 1.0)), chance(cell + vec2(1.0, 1.0)), f.x), f.y);
}
#endif
void main() {
#ifdef IS_CLIPPED
  if (isOutside(place)) discard;
#endif
  float distanceM = length(place - cameraPosition);
#ifdef IS_GROUND
  vec2 uv = (place.xy - paintMin) / paintSize;
  vec4 green = texture2D(cover, uv);
  float bright = sunlight(place, 0.02, true, texture2D(light, uv).r);
  float fine = noise(place.xy * 9.0) * smoothstep(60.0, 8.0, distanceM);
  float grain = 0.84 + 0.2 * noise(place.xy * 0.21) + 0.14 * noise(place.xy * 1.7) + 0.12 * (fine - 0.5);
  vec3 soil = (shade * bright + ambient * mix(0.75, 1.0, bright)) * grain;
  // Near by the blades themselves are there, and below them it is dark; far away they are this colour.
  float away = smoothstep(12.0, 80.0, distanceM);
  vec3 grass = green.rgb * (sun * bright + sky * mix(0.8, 1.0, bright)) * mix(0.3, 0.52, away) * mix(grain, 1.0, 0.3);
  vec3 colour = mix(soil, grass, green.a * mix(0.55, 0.95, away));
#else
  vec3 colour = shade + ambient;
#ifdef IS_SOLID
  colour = shade * sunlight(place, 0.03, true, 1.0) + ambient;
#endif
#endif
  colour = mix(colour, mark, 0.55 * isMarked);
  float withinM = max(distanceM - hazeM.x, 0.0);
  colour = mix(horizon, colour, exp(-pow(withinM / hazeM.y, 2.0)));
  colour = mix(air * airTint, colour, exp(-extinctionPerM * withinM));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;
