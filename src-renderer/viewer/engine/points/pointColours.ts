// Colours of points that share a material: by what, on which scale and range. Shaders look them up, so that another
// choice costs nothing.
import { Vector2, type IUniform } from 'three';
import type { ScaleName } from '#domain/shared/colours.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import { createColourTextures } from '../colourTextures.ts';

export interface PointColours<By extends string> {
  /** Those of `colourLookUp`, and the int `colourBy`: the place of `by` among the colourings. */
  readonly uniforms: Record<'colourBy' | 'range' | 'scale' | 'classes', IUniform>;
  set: (by: By, scale: ScaleName, range: ValueRange) => void;
  dispose: () => void;
}

/** By the first of the colourings at first. dispose() frees the graphics card. */
export function createPointColours<By extends string>(colourings: readonly By[]): PointColours<By> {
  const textures = createColourTextures();
  const uniforms = {
    colourBy: { value: 0 },
    range: { value: new Vector2(0, 1) },
    scale: { value: textures.scales.viridis },
    classes: { value: textures.classes },
  };
  return {
    uniforms,
    set(by, scale, [from, to]) {
      uniforms.colourBy.value = colourings.indexOf(by);
      uniforms.scale.value = textures.scales[scale];
      uniforms.range.value.set(from, to);
    },
    dispose: textures.dispose,
  };
}
