// Sun, sky and haze of a scene, and the sky itself with the plain below it up to the horizon: one full-screen box behind
// everything.
import { BackSide, BoxGeometry, Color, Mesh, ShaderMaterial, Vector3 } from 'three';
import type { SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import { daylight } from '#renderer/logic/scene/daylight.ts';
import { noiseDeclarations } from './noiseShader.ts';

/** The ground beyond a scene, as a share of the light on it. */
const plainColour = new Color(0.17, 0.165, 0.12);

export interface SceneLight {
  /** Unit, towards the sun. */
  direction: Vector3;
  sun: Color;
  sky: Color;
  bounce: Color;
  zenith: Color;
  /** And of haze and fog. */
  horizon: Color;
}

/** Light of an hour. */
export function sceneLight(hour: number): SceneLight {
  const { direction, ...colours } = daylight(hour);
  const colourOf = (name: keyof typeof colours): Color => new Color(...colours[name]);
  return {
    direction: new Vector3(...direction),
    sun: colourOf('sun'),
    sky: colourOf('sky'),
    bounce: colourOf('bounce'),
    zenith: colourOf('zenith'),
    horizon: colourOf('horizon'),
  };
}

export interface Sky {
  readonly object: Mesh;
  setLight(light: SceneLight): void;
  setAir(air: SceneAir): void;
  /** Height of the plain in metres; null: there is none, and the sky is below, too. */
  setPlain(heightM: number | null): void;
  dispose(): void;
}

/** The sky: one full-screen box behind everything. */
export function createSky(): Sky {
  const uniforms = {
    zenith: { value: new Color() },
    horizon: { value: new Color() },
    sun: { value: new Color() },
    sunDirection: { value: new Vector3(0, 0, 1) },
    plain: { value: new Color() },
    plainM: { value: 0 },
    hasPlain: { value: 0 },
    airTint: { value: new Vector3(1, 1, 1) },
    extinctionPerM: { value: 0 },
  };
  const material = new ShaderMaterial({
    uniforms,
    vertexShader,
    fragmentShader,
    side: BackSide,
    depthWrite: false,
  });
  const object = new Mesh(new BoxGeometry(2, 2, 2), material);
  object.frustumCulled = false;
  // Why last: pixels that something covers cost nothing.
  object.renderOrder = 1000;
  return {
    object,
    setLight(light) {
      uniforms.sunDirection.value.copy(light.direction);
      const onPlain = light.sun.clone().multiplyScalar(Math.max(light.direction.z, 0));
      uniforms.plain.value.copy(onPlain.add(light.sky)).multiply(plainColour);
      uniforms.zenith.value.copy(light.zenith);
      uniforms.horizon.value.copy(light.horizon);
      uniforms.sun.value.copy(light.sun);
    },
    setAir({ tint, extinctionPerM }) {
      uniforms.airTint.value.set(...tint);
      uniforms.extinctionPerM.value = extinctionPerM;
    },
    setPlain(heightM) {
      uniforms.hasPlain.value = heightM === null ? 0 : 1;
      uniforms.plainM.value = heightM ?? 0;
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
  // As far as anything can be.
  gl_Position.z = 0.999999 * gl_Position.w;
}`;

const fragmentShader = `
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 sun;
uniform vec3 sunDirection;
uniform vec3 airTint;
uniform float extinctionPerM;
uniform vec3 plain;
uniform float plainM;
uniform float hasPlain;
varying vec3 direction;
${noiseDeclarations}
void main() {
  vec3 d = normalize(direction);
  vec3 colour = mix(horizon, zenith, pow(clamp(d.z, 0.0, 1.0), 0.6));
  colour = mix(colour, horizon * 0.82, smoothstep(0.0, -0.5, d.z));
  float towards = max(dot(d, sunDirection), 0.0);
  colour += sun * (0.05 * pow(towards, 6.0) + 0.12 * pow(towards, 60.0));
  float heightM = cameraPosition.z - plainM;
  if (hasPlain > 0.5 && d.z < 0.0 && heightM > 0.0) {
    float awayM = heightM / max(-d.z, 1e-4);
    vec2 at = cameraPosition.xy + awayM * d.xy;
    // Patches blur where they are smaller than a pixel.
    float patches = mix(0.5, noise(at * 0.05), exp(-awayM / 900.0)) + 0.5 * mix(0.5, noise(at * 0.6), exp(-awayM / 60.0));
    vec3 ground = plain * (0.72 + 0.36 * patches);
    colour = mix(horizon, ground, exp(-awayM / 700.0));
    colour = mix(horizon * airTint, colour, exp(-extinctionPerM * awayM));
    gl_FragColor = vec4(colour, 1.0);
    #include <colorspace_fragment>
    return;
  }
  // As if the weather reached up to 500 m.
  float throughM = 500.0 / max(d.z, 0.02);
  colour = mix(horizon * airTint, colour, exp(-extinctionPerM * throughM));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;
