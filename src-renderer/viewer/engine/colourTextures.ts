// Colour scales and the colours of classes on the graphics card, where shaders look values up.
import { DataTexture, LinearFilter, NearestFilter } from 'three';
import { classPixels, scalePixels, type ScaleName } from '#domain/shared/colours.ts';

export interface ColourTextures {
  readonly scales: Readonly<Record<ScaleName, DataTexture>>;
  readonly classes: DataTexture;
  dispose: () => void;
}

const scaleSize = 256;
const classCount = 64;

/** dispose() frees the graphics card. */
export function createColourTextures(): ColourTextures {
  const scales = {
    viridis: textureOf(scalePixels('viridis', scaleSize), true),
    turbo: textureOf(scalePixels('turbo', scaleSize), true),
  };
  const classes = textureOf(classPixels(classCount), false);
  return {
    scales,
    classes,
    dispose() {
      for (const texture of [...Object.values(scales), classes]) texture.dispose();
    },
  };
}

/** GLSL: uniforms `scale` and `classes` are textures of createColourTextures, `range` are the values at the ends. */
export const colourLookUp = `
uniform vec2 range;
uniform sampler2D scale;
uniform sampler2D classes;
vec3 classColour(float classId) {
  return texture2D(classes, vec2((mod(classId, ${classCount}.0) + 0.5) / ${classCount}.0, 0.5)).rgb;
}
vec3 scaleColour(float value) {
  float share = clamp((value - range.x) / max(range.y - range.x, 1e-6), 0.0, 1.0);
  return texture2D(scale, vec2(share * ${scaleSize - 1}.0 / ${scaleSize}.0 + 0.5 / ${scaleSize}.0, 0.5)).rgb;
}`;

function textureOf(pixels: Uint8Array<ArrayBuffer>, isSmooth: boolean): DataTexture {
  const texture = new DataTexture(pixels, pixels.length / 4, 1);
  texture.magFilter = isSmooth ? LinearFilter : NearestFilter;
  texture.minFilter = texture.magFilter;
  texture.needsUpdate = true;
  return texture;
}
