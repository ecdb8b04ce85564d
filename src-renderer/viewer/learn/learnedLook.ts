// The common look of elements, triangles and points of a learned model: colours by what beams say of them, and
// which of them are hidden. Colours are looked up on the graphics card, so that changing them costs nothing.
import { BufferAttribute, InstancedBufferAttribute, Vector2, type IUniform } from 'three';
import type { ScaleName } from '#domain/shared/colours.ts';
import { modelColourings, type ModelColouring } from '#renderer/logic/learn/modelColours.ts';
import type { ObservedTable } from '#renderer/logic/learn/modelTables.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import { clipDeclarations, type ViewClip } from '../engine/clip/clipUniforms.ts';
import { colourLookUp, createColourTextures } from '../engine/colourTextures.ts';

export interface LearnedLook {
  by: ModelColouring;
  scale: ScaleName;
  range: ValueRange;
  /** Parts that a larger share of beams passes are hidden. */
  maxPermeability: number;
  /** Parts that fewer beams observed are hidden. */
  minSupport: number;
  /** Ellipsoids are drawn at so many standard deviations. */
  sigmas: number;
}

export interface LookUniforms {
  readonly uniforms: Record<string, IUniform>;
  set: (look: LearnedLook) => void;
  /** Offset of the model's zero from that of the heights on the scale. */
  setHeightOffset: (offsetM: number) => void;
  dispose: () => void;
}

/** Shared by the materials of one model. */
export function createLookUniforms(clip: ViewClip): LookUniforms {
  const { scales, classes, dispose } = createColourTextures();
  const range = new Vector2(0, 1);
  const uniforms = {
    colourBy: { value: 0 },
    range: { value: range },
    scale: { value: scales.viridis },
    classes: { value: classes },
    maxPermeability: { value: 1 },
    minSupport: { value: 0 },
    sigmas: { value: 1 },
    heightOffsetM: { value: 0 },
    ...clip.uniforms,
  };
  return {
    uniforms,
    set(look) {
      uniforms.colourBy.value = modelColourings.indexOf(look.by);
      uniforms.scale.value = scales[look.scale];
      range.set(...look.range);
      uniforms.maxPermeability.value = look.maxPermeability;
      uniforms.minSupport.value = look.minSupport;
      uniforms.sigmas.value = look.sigmas;
    },
    setHeightOffset: (offsetM) => void (uniforms.heightOffsetM.value = offsetM),
    dispose,
  };
}

/** GLSL of vertex shaders: `observed` is an attribute, the other two are functions of it. */
export const lookDeclarations = `
attribute vec4 observed;
uniform int colourBy;
uniform float maxPermeability;
uniform float minSupport;
uniform float heightOffsetM;
${clipDeclarations}
${colourLookUp}
vec3 inWorld(vec3 inModel) {
  return (modelMatrix * vec4(inModel, 1.0)).xyz;
}
bool isHidden() {
  return observed.x > maxPermeability || observed.z < minSupport;
}
vec3 learnedColour(float heightM) {
  if (colourBy == 1) return classColour(observed.w);
  return scaleColour(colourBy == 0 ? observed.x
    : colourBy == 2 ? observed.y
    : colourBy == 3 ? log(max(observed.z, 1.0)) / ${Math.LN10.toFixed(6)}
    : heightM + heightOffsetM);
}`;

/** GLSL of fragment shaders: a colour in the light of a sun beside the camera and of the sky. `normal`: in the view, unit. */
export const litColour = `
vec3 lit(vec3 colour, vec3 normal) {
  float sun = max(dot(normal, normalize(vec3(-0.35, 0.75, 0.55))), 0.0);
  float front = max(normal.z, 0.0);
  return colour * (0.34 + 0.22 * front + 0.56 * sun);
}`;

/** Permeability, reflectance, support and class, each repeated for so many vertices. */
export function observedAttribute(table: ObservedTable, repeats: number): BufferAttribute {
  return new BufferAttribute(observedValues(table, repeats), 4);
}

export function observedInstances(table: ObservedTable): InstancedBufferAttribute {
  return new InstancedBufferAttribute(observedValues(table, 1), 4);
}

function observedValues(
  { permeability, reflectance, support, classIds }: ObservedTable,
  repeats: number,
): Float32Array {
  const values = new Float32Array(4 * repeats * permeability.length);
  let at = 0;
  for (let row = 0; row < permeability.length; row += 1) {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      values[at] = permeability[row] ?? 0;
      values[at + 1] = reflectance[row] ?? 0;
      values[at + 2] = support[row] ?? 0;
      values[at + 3] = classIds[row] ?? 0;
      at += 4;
    }
  }
  return values;
}
