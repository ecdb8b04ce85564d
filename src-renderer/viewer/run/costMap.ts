// The vehicle's cost map as a translucent layer on the ground, which it follows.
import {
  DataTexture,
  Mesh,
  NearestFilter,
  PlaneGeometry,
  RedFormat,
  ShaderMaterial,
  Vector3,
} from 'three';
import type { MapGeometry } from '#contract/host/run.ts';
import type { Rgb } from '#domain/shared/colours.ts';
import {
  blockedColour,
  blockedCost,
  costAlphas,
  costHue,
} from '#renderer/logic/colours/costColours.ts';

export interface CostMapLayer {
  readonly object: Mesh;
  /** `cost`: 0–100, 255 unknown, row by row from the south-west corner, x fastest. */
  show: (geometry: MapGeometry, cost: Uint8Array) => void;
  /** The ground has changed: the next map asks for its heights again. */
  undrape(): void;
  setOpacity(opacity: number): void;
  clear(): void;
  dispose(): void;
}

/** Squares along each side between which the ground is taken as level. */
const squares = 40;

/** A layer that shows nothing yet. `groundM`: height of the ground at a place. */
export function createCostMapLayer(groundM: (xM: number, yM: number) => number): CostMapLayer {
  const uniforms = {
    costs: { value: null as DataTexture | null },
    opacity: { value: 1 },
    hue: { value: shares(costHue) },
    blocked: { value: shares(blockedColour) },
  };
  const material = new ShaderMaterial({
    uniforms,
    vertexShader,
    fragmentShader,
    transparent: true,
    depthWrite: false,
  });
  const geometry = new PlaneGeometry(1, 1, squares, squares);
  const object = new Mesh(geometry, material);
  object.visible = false;
  object.frustumCulled = false;
  object.renderOrder = -1;
  let texture: DataTexture | null = null;
  /** The map whose ground was asked for. */
  let draped = '';
  let hasMap = false;

  return {
    object,
    show({ cells, cellM, originM }, cost) {
      if (texture === null || texture.image.width !== cells) {
        texture?.dispose();
        texture = new DataTexture(new Uint8Array(cells * cells), cells, cells, RedFormat);
        texture.unpackAlignment = 1;
        texture.magFilter = NearestFilter;
        texture.minFilter = NearestFilter;
        uniforms.costs.value = texture;
      }
      (texture.image.data as Uint8Array).set(cost);
      texture.needsUpdate = true;
      const sizeM = cells * cellM;
      object.scale.set(sizeM, sizeM, 1);
      object.position.set(originM[0] + sizeM / 2, originM[1] + sizeM / 2, 0);
      const place = `${originM.join(' ')} ${sizeM}`;
      if (place !== draped) drape();
      draped = place;
      hasMap = true;
      applyShown();
    },
    undrape() {
      draped = '';
    },
    setOpacity(opacity) {
      uniforms.opacity.value = opacity;
      applyShown();
    },
    clear() {
      draped = '';
      hasMap = false;
      applyShown();
    },
    dispose() {
      texture?.dispose();
      material.dispose();
      geometry.dispose();
    },
  };

  function applyShown(): void {
    object.visible = hasMap && uniforms.opacity.value > 0;
  }

  function drape(): void {
    const { position } = geometry.attributes;
    if (position === undefined) return;
    for (let point = 0; point < position.count; point += 1) {
      const xM = object.position.x + object.scale.x * position.getX(point);
      const yM = object.position.y + object.scale.y * position.getY(point);
      position.setZ(point, groundM(xM, yM));
    }
    position.needsUpdate = true;
  }
}

function shares([red, green, blue]: Rgb): Vector3 {
  return new Vector3(red, green, blue).divideScalar(255);
}

const vertexShader = `
varying vec2 cell;
varying vec2 placeM;
void main() {
  cell = uv;
  vec4 world = modelMatrix * vec4(position, 1.0);
  placeM = world.xy;
  vec4 inView = viewMatrix * world;
  // Towards the camera by the height of grass, which would hide it; it stays where it is on screen.
  gl_Position = projectionMatrix * vec4(inView.xyz * max(1.0 - 0.6 / length(inView.xyz), 0.5), 1.0);
}`;

const real = (value: number): string => value.toFixed(3);
const fragmentShader = `
uniform sampler2D costs;
uniform float opacity;
uniform vec3 hue;
uniform vec3 blocked;
varying vec2 cell;
varying vec2 placeM;
void main() {
  float cost = floor(texture2D(costs, cell).r * 255.0 + 0.5);
  if (cost < 0.5 || cost > ${real(blockedCost + 0.5)}) discard;
  if (cost < ${real(blockedCost - 0.5)}) {
    float share = cost / ${real(blockedCost)};
    gl_FragColor = vec4(hue, opacity * mix(${real(costAlphas.lowest)}, ${real(costAlphas.highest)}, share));
    return;
  }
  float hatch = step(0.35, fract((placeM.x + placeM.y) * 1.1));
  gl_FragColor = vec4(blocked, opacity * ${real(costAlphas.blocked)} * mix(0.45, 1.0, hatch));
}`;
