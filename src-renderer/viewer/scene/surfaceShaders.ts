// Shaders of the surfaces of a scene: one program for each kind of surface and, where the view is clipped, another.
import { clipDeclarations } from '../engine/clip/clipUniforms.ts';
import { noiseDeclarations } from './noiseShader.ts';

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

/** Depths from the sun. */
export const casterVertexShader = `
${bendDeclarations}
void main() {
  gl_Position = projectionMatrix * viewMatrix * vec4(bent(modelMatrix * instanceMatrix), 1.0);
}`;

// Light of the sun that reaches a place: its depth is compared with those of the four nearest pixels of the map, whose
// results are interpolated; 'painted' beyond the map. Why a little nearer to the sun: a surface would shade itself.
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

/** `look` of an instance: brightness, warmth (-1 to 1), and whether it is marked (0 to 1). */
export const surfaceVertexShader = `
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
  // Why not look.x: it darkens grass in the shade of others, which the map does, too.
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

// Why a colour: without any, SwiftShader wrote no depths.
export const casterFragmentShader = 'void main() { gl_FragColor = vec4(1.0); }';

/**
 * The colour of a surface: the painted ground and shadows on solid objects by pixel, the rest by vertex. Its opacity is 1
 * minus the share of diffuse light (engine/skyOcclusion).
 */
export const surfaceFragmentShader = `
uniform vec3 horizon;
uniform vec3 mark;
uniform vec2 hazeM;
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
${noiseDeclarations}
#endif
void main() {
#ifdef IS_CLIPPED
  if (isOutside(place)) discard;
#endif
#ifdef IS_STAND_IN
  // One pixel in four: what is behind shows through, in any order of drawing.
  if (mod(floor(gl_FragCoord.x), 2.0) + mod(floor(gl_FragCoord.y), 2.0) > 0.5) discard;
#endif
  float distanceM = length(place - cameraPosition);
#ifdef IS_GROUND
  vec2 uv = (place.xy - paintMin) / paintSize;
  vec4 green = texture2D(cover, uv);
  float bright = sunlight(place, 0.02, true, texture2D(light, uv).r);
  float fine = noise(place.xy * 9.0) * smoothstep(60.0, 8.0, distanceM);
  float grain = 0.84 + 0.2 * noise(place.xy * 0.21) + 0.14 * noise(place.xy * 1.7) + 0.12 * (fine - 0.5);
  vec3 soilSky = ambient * mix(0.75, 1.0, bright) * grain;
  vec3 soil = shade * bright * grain + soilSky;
  // Near by the blades themselves are there, and below them it is dark; far away they are this colour.
  float away = smoothstep(12.0, 80.0, distanceM);
  vec3 blades = green.rgb * mix(0.3, 0.52, away) * mix(grain, 1.0, 0.3);
  vec3 grassSky = blades * sky * mix(0.8, 1.0, bright);
  vec3 grass = blades * sun * bright + grassSky;
  float grassShare = green.a * mix(0.55, 0.95, away);
  vec3 colour = mix(soil, grass, grassShare);
  vec3 fromSky = mix(soilSky, grassSky, grassShare);
#else
  vec3 colour = shade + ambient;
  vec3 fromSky = ambient;
#ifdef IS_SOLID
  colour = shade * sunlight(place, 0.03, true, 1.0) + ambient;
#endif
#endif
#ifdef IS_STAND_IN
  colour = mix(colour, vec3(dot(colour, vec3(0.2126, 0.7152, 0.0722))), 0.6);
#endif
  colour = mix(colour, mark, 0.55 * isMarked);
  float withinM = max(distanceM - hazeM.x, 0.0);
  float throughHaze = exp(-pow(withinM / hazeM.y, 2.0));
  float throughAir = exp(-extinctionPerM * withinM);
  colour = mix(horizon, colour, throughHaze);
  colour = mix(horizon * airTint, colour, throughAir);
  fromSky *= (1.0 - 0.55 * isMarked) * throughHaze * throughAir;
  const vec3 luminance = vec3(0.2126, 0.7152, 0.0722);
  float skyShare = clamp(dot(fromSky, luminance) / max(dot(colour, luminance), 1e-4), 0.0, 1.0);
  gl_FragColor = vec4(colour, 1.0 - skyShare);
  #include <colorspace_fragment>
}`;
