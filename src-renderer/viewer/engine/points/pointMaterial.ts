// Round points that shrink with distance between two sizes: the one material of every cloud.
import { ShaderMaterial, type IUniform } from 'three';

export interface PointLook {
  uniforms: Record<string, IUniform>;
  /** GLSL: attributes and uniforms, and the statements that set `pointColour`. */
  declarations: string;
  colour: string;
  /** CSS pixels: at a metre, and the bounds of what is drawn. */
  sizePx: { atOneM: number; min: number; max: number };
  /** A little nearer than the surface that it lies on, which would swallow half of it. */
  isOverSurfaces: boolean;
}

export interface PointMaterial {
  readonly material: ShaderMaterial;
  /** Device pixels for each CSS pixel: points keep their size on fine screens. */
  setPixelRatio: (ratio: number) => void;
}

/** The material of points: round, with a size in pixels. */
export function createPointMaterial(look: PointLook): PointMaterial {
  const pixelRatio = { value: 1 };
  const material = new ShaderMaterial({
    uniforms: { ...look.uniforms, pixelRatio },
    vertexShader: vertexShader(look),
    fragmentShader,
  });
  return {
    material,
    setPixelRatio(ratio) {
      pixelRatio.value = ratio;
    },
  };
}

function vertexShader({ declarations, colour, sizePx, isOverSurfaces }: PointLook): string {
  const real = (value: number): string => value.toFixed(4);
  return `
${declarations}
uniform float pixelRatio;
varying vec3 pointColour;
varying float edge;
void main() {
  vec4 inView = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * inView;
  ${isOverSurfaces ? 'gl_Position.z -= 0.0006 * gl_Position.w;' : ''}
  float sizePx = ${real(sizePx.atOneM)} / max(-inView.z, 0.1);
  gl_PointSize = pixelRatio * clamp(sizePx, ${real(sizePx.min)}, ${real(sizePx.max)});
  // A point of a pixel or two has no corners to cut off: it would vanish between the centres of pixels.
  edge = gl_PointSize < 2.5 ? 1.0 : 0.25;
  ${colour}
}`;
}

const fragmentShader = `
varying vec3 pointColour;
varying float edge;
void main() {
  vec2 fromCentre = gl_PointCoord - 0.5;
  if (dot(fromCentre, fromCentre) > edge) discard;
  gl_FragColor = vec4(pointColour, 1.0);
}`;
