// Round points that shrink with distance between two sizes: the one material of every cloud.
import { ShaderMaterial, type IUniform } from 'three';
import { clipDeclarations, type ViewClip } from '../clip/clipUniforms.ts';

export interface PointLook {
  uniforms: Record<string, IUniform>;
  /** GLSL: attributes and uniforms, and the statements that set `pointColour`. */
  declarations: string;
  colour: string;
  /** CSS pixels: at a metre, and the bounds of what is drawn. */
  sizePx: { atOneM: number; min: number; max: number };
  /** So much nearer than the surface that it lies on, which would swallow half of it. */
  liftM: number;
  /** Points outside are not drawn; left out: all are. */
  clip?: ViewClip | undefined;
}

/** The material of points: round, with a size in pixels of the page, whatever the resolution of the view. */
export function createPointMaterial(look: PointLook): ShaderMaterial {
  const pixelRatio = { value: 1 };
  const material = new ShaderMaterial({
    uniforms: { ...look.uniforms, ...look.clip?.uniforms, pixelRatio },
    vertexShader: vertexShader(look),
    fragmentShader,
  });
  material.onBeforeRender = (renderer) => {
    pixelRatio.value = renderer.getPixelRatio();
  };
  return material;
}

function vertexShader({ declarations, colour, sizePx, liftM, clip }: PointLook): string {
  const real = (value: number): string => value.toFixed(4);
  return `
${declarations}
${clip === undefined ? '' : clipDeclarations}
uniform float pixelRatio;
varying vec3 pointColour;
varying float edge;
void main() {
  vec4 inView = modelViewMatrix * vec4(position, 1.0);
  // Towards the camera: it stays where it is on screen.
  gl_Position = projectionMatrix * vec4(inView.xyz * max(1.0 - ${real(liftM)} / length(inView.xyz), 0.5), 1.0);
  float sizePx = ${real(sizePx.atOneM)} / max(-inView.z, 0.1);
  gl_PointSize = pixelRatio * clamp(sizePx, ${real(sizePx.min)}, ${real(sizePx.max)});
  // A point of a pixel or two has no corners to cut off: it would vanish between the centres of pixels.
  edge = gl_PointSize < 2.5 ? 1.0 : 0.25;
  ${colour}
  ${clip === undefined ? '' : hideOutside}
}`;
}

const hideOutside =
  'if (isOutside((modelMatrix * vec4(position, 1.0)).xyz)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);';

const fragmentShader = `
varying vec3 pointColour;
varying float edge;
void main() {
  vec2 fromCentre = gl_PointCoord - 0.5;
  if (dot(fromCentre, fromCentre) > edge) discard;
  gl_FragColor = vec4(pointColour, 1.0);
}`;
