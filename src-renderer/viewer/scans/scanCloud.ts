// The points of one scan: positions and colours can be replaced.
import { BufferAttribute, BufferGeometry, Points, ShaderMaterial } from 'three';

export interface ScanCloud {
  readonly object: Points;
  /** x y z after one another, in the world. */
  setPlaces(placesM: Float32Array): void;
  /** RGB bytes, a point each. */
  setColours(rgb: Uint8Array): void;
  dispose(): void;
}

/** `pixelRatio`: device pixels for each CSS pixel; `size`: of points, 1 in a picture of usual size. */
export function createScanCloud(pixelRatio: number, size = 1): ScanCloud {
  const geometry = new BufferGeometry();
  const material = new ShaderMaterial({
    uniforms: { pixelRatio: { value: pixelRatio * size } },
    vertexShader,
    fragmentShader,
  });
  const object = new Points(geometry, material);
  // Why: nearly always in sight, and its bounds would have to be looked for in all of its points.
  object.frustumCulled = false;
  return {
    object,
    setPlaces(placesM) {
      geometry.setAttribute('position', new BufferAttribute(placesM, 3));
    },
    setColours(rgb) {
      geometry.setAttribute('pointColour', new BufferAttribute(rgb, 3, true));
    },
    dispose() {
      geometry.dispose();
      material.dispose();
    },
  };
}

// Points shrink with distance between these sizes, in CSS pixels.
const vertexShader = `
attribute vec3 pointColour;
uniform float pixelRatio;
varying vec3 colour;
void main() {
  vec4 inView = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * inView;
  // A little nearer than the surface that it lies on, which would swallow half of it.
  gl_Position.z -= 0.0006 * gl_Position.w;
  gl_PointSize = pixelRatio * clamp(60.0 / max(-inView.z, 0.1), 2.0, 5.0);
  colour = pointColour;
}`;

const fragmentShader = `
varying vec3 colour;
void main() {
  vec2 fromCentre = gl_PointCoord - 0.5;
  if (dot(fromCentre, fromCentre) > 0.25) discard;
  gl_FragColor = vec4(colour, 1.0);
}`;
