// Sun, sky and haze of a scene in the two themes, and the sky itself: one full-screen box behind everything.
import { BackSide, BoxGeometry, Color, Mesh, ShaderMaterial, Vector3 } from 'three';
import type { SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';

/** Unit, towards the sun: south-west, 42° up. */
export const sunDirection = new Vector3(-0.48, -0.56, 0.68).normalize();

/** Colours are linear; sun and sky are factors of a surface's colour. */
export interface SceneLight {
  sun: Color;
  sky: Color;
  bounce: Color;
  zenith: Color;
  horizon: Color;
  /** Fog. */
  air: Color;
}

/** Colours of light, sky and haze for a theme. */
export function sceneLight(theme: Theme): SceneLight {
  return theme === 'light'
    ? {
        sun: new Color(1.75, 1.6, 1.32),
        sky: new Color(0.52, 0.6, 0.7),
        bounce: new Color(0.3, 0.27, 0.2),
        zenith: new Color('#8db9dc'),
        horizon: new Color('#e3ebea'),
        air: new Color('#e3ebea'),
      }
    : {
        sun: new Color(1.12, 0.98, 0.82),
        sky: new Color(0.24, 0.3, 0.37),
        bounce: new Color(0.15, 0.14, 0.11),
        zenith: new Color('#0c1519'),
        horizon: new Color('#25332f'),
        air: new Color('#68716f'),
      };
}

export interface Sky {
  readonly object: Mesh;
  setLight(light: SceneLight): void;
  setAir(air: SceneAir): void;
  dispose(): void;
}

/** The sky: one full-screen box behind everything. */
export function createSky(): Sky {
  const uniforms = {
    zenith: { value: new Color() },
    horizon: { value: new Color() },
    sun: { value: new Color() },
    sunDirection: { value: sunDirection },
    air: { value: new Color() },
    airTint: { value: new Vector3(1, 1, 1) },
    extinctionPerM: { value: 0 },
  };
  const material = new ShaderMaterial({
    uniforms,
    vertexShader,
    fragmentShader,
    side: BackSide,
    depthTest: false,
    depthWrite: false,
  });
  const object = new Mesh(new BoxGeometry(2, 2, 2), material);
  object.frustumCulled = false;
  object.renderOrder = -1000;
  return {
    object,
    setLight(light) {
      uniforms.zenith.value.copy(light.zenith);
      uniforms.horizon.value.copy(light.horizon);
      uniforms.sun.value.copy(light.sun);
      uniforms.air.value.copy(light.air);
    },
    setAir({ tint, extinctionPerM }) {
      uniforms.airTint.value.set(...tint);
      uniforms.extinctionPerM.value = extinctionPerM;
    },
    dispose() {
      object.geometry.dispose();
      material.dispose();
    },
  };
}

const vertexShader = `
varying vec3 direction;
void main() {
  direction = position;
  gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position.z = 0.0;
}`;

const fragmentShader = `
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 sun;
uniform vec3 sunDirection;
uniform vec3 air;
uniform vec3 airTint;
uniform float extinctionPerM;
varying vec3 direction;
void main() {
  vec3 d = normalize(direction);
  vec3 colour = mix(horizon, zenith, pow(clamp(d.z, 0.0, 1.0), 0.6));
  colour = mix(colour, horizon * 0.82, smoothstep(0.0, -0.5, d.z));
  float towards = max(dot(d, sunDirection), 0.0);
  colour += sun * (0.05 * pow(towards, 6.0) + 0.12 * pow(towards, 60.0));
  // As if the weather reached up to 500 m.
  float throughM = 500.0 / max(d.z, 0.02);
  colour = mix(air * airTint, colour, exp(-extinctionPerM * throughM));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;
