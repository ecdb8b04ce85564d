// Eye-dome lighting of points: a point is the darker the farther it lies behind its neighbours on screen, which shows
// shapes where there are no normals. After Boucheny 2009 (https://theses.hal.science/tel-00438464), as CloudCompare and
// Potree have it.
import {
  type PerspectiveCamera,
  type Scene,
  ShaderMaterial,
  Vector2,
  type WebGLRenderer,
} from 'three';
import { createScreenPass, createScreenTarget, screenVertexShader } from '../screenPass.ts';

export interface EyeDome {
  /** Draws the points over what is on the left `share` of the canvas, behind what is nearer there. */
  draw: (renderer: WebGLRenderer, points: Scene, camera: PerspectiveCamera, share: number) => void;
  dispose: () => void;
}

/** Darkness for each octave of distance. */
const strength = 9;
/** To the neighbours, in pixels of the page. */
const radiusPx = 1.4;

/** A pass of its own; its target has the size of the canvas from the first frame on. */
export function createEyeDome(): EyeDome {
  const uniforms = {
    colours: { value: null as unknown },
    depths: { value: null as unknown },
    stepUv: { value: new Vector2() },
    nearFar: { value: new Vector2() },
  };
  const pass = createScreenPass(
    new ShaderMaterial({ uniforms, vertexShader: screenVertexShader, fragmentShader }),
  );
  const screen = createScreenTarget({ hasDepths: true });

  return {
    draw(renderer, points, camera, share) {
      const target = screen.fit(renderer);
      target.viewport.set(0, 0, share * target.width, target.height);
      renderer.setRenderTarget(target);
      renderer.autoClear = true;
      renderer.render(points, camera);
      renderer.setRenderTarget(null);
      uniforms.colours.value = target.texture;
      uniforms.depths.value = target.depthTexture;
      uniforms.nearFar.value.set(camera.near, camera.far);
      const step = radiusPx * renderer.getPixelRatio();
      uniforms.stepUv.value.set(step / target.width, step / target.height);
      renderer.autoClear = false;
      pass.draw(renderer);
    },
    dispose() {
      screen.dispose();
      pass.dispose();
    },
  };
}

const fragmentShader = `
uniform sampler2D colours;
uniform sampler2D depths;
uniform vec2 stepUv;
uniform vec2 nearFar;
varying vec2 at;
float octaves(float depth) {
  return log2(nearFar.x * nearFar.y / (nearFar.y - depth * (nearFar.y - nearFar.x)));
}
void main() {
  float depth = texture2D(depths, at).r;
  if (depth >= 1.0) discard;
  float own = octaves(depth);
  float behind = 0.0;
  for (int neighbour = 0; neighbour < 8; neighbour += 1) {
    float angle = float(neighbour) * ${(Math.PI / 4).toFixed(6)};
    float other = texture2D(depths, at + stepUv * vec2(cos(angle), sin(angle))).r;
    if (other < 1.0) behind += max(own - octaves(other), 0.0);
  }
  gl_FragColor = vec4(texture2D(colours, at).rgb * exp(-${strength.toFixed(1)} * behind / 8.0), 1.0);
  gl_FragDepth = depth;
}`;
