// Elements of a learned model as lit spheres, one instance each: L of L·Lᵀ = Σ times the unit sphere. The more there are,
// the fewer triangles each has; normals are exact, so that only outlines show it.
import {
  IcosahedronGeometry,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  type BufferGeometry,
} from 'three';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import type { ModelTables } from '#renderer/logic/learn/modelTables.ts';
import {
  litColour,
  lookDeclarations,
  observedInstances,
  type LookUniforms,
} from './learnedLook.ts';

export interface Ellipsoids {
  readonly object: Mesh;
  show: (elements: ModelTables['elements']) => void;
  dispose: () => void;
}

/** Most elements by the subdivision of their spheres. */
const detailBy = [
  { detail: 3, most: 20_000 },
  { detail: 1, most: 120_000 },
] as const;

/** None at first. */
export function createEllipsoids({ uniforms }: LookUniforms): Ellipsoids {
  const material = new ShaderMaterial({ uniforms, vertexShader, fragmentShader });
  const object = new Mesh(new InstancedBufferGeometry(), material);
  // Why: bounds of the unit sphere are not those of its instances.
  object.frustumCulled = false;
  object.visible = false;
  return {
    object,
    show({ meansM, factors, ...observed }) {
      const count = meansM.length / 3;
      const sphere = sphereFor(count);
      const geometry = new InstancedBufferGeometry();
      geometry.setAttribute('position', sphere.getAttribute('position'));
      geometry.setIndex(sphere.getIndex());
      geometry.instanceCount = count;
      geometry.setAttribute('mean', new InstancedBufferAttribute(meansM, 3));
      const [upper, lower] = halvesOf(factors);
      geometry.setAttribute('upper', new InstancedBufferAttribute(upper, 3));
      geometry.setAttribute('lower', new InstancedBufferAttribute(lower, 3));
      geometry.setAttribute('observed', observedInstances(observed));
      object.geometry.dispose();
      object.geometry = geometry;
      object.visible = count > 0;
    },
    dispose() {
      object.geometry.dispose();
      material.dispose();
    },
  };
}

function sphereFor(count: number): BufferGeometry {
  const detail = detailBy.find(({ most }) => count <= most)?.detail ?? 0;
  const sphere = new IcosahedronGeometry(1, detail);
  sphere.deleteAttribute('normal');
  sphere.deleteAttribute('uv');
  return mergeVertices(sphere);
}

/** xx, yx, yy and zx, zy, zz. */
function halvesOf(factors: Float32Array): [Float32Array, Float32Array] {
  const rows = factors.length / 6;
  const halves: [Float32Array, Float32Array] = [
    new Float32Array(3 * rows),
    new Float32Array(3 * rows),
  ];
  for (let row = 0; row < rows; row += 1) {
    halves[0].set(factors.subarray(6 * row, 6 * row + 3), 3 * row);
    halves[1].set(factors.subarray(6 * row + 3, 6 * row + 6), 3 * row);
  }
  return halves;
}

const vertexShader = `
${lookDeclarations}
attribute vec3 mean;
attribute vec3 upper;
attribute vec3 lower;
uniform float sigmas;
varying vec3 colour;
varying vec3 inView;
void main() {
  if (isHidden() || isOutside(inWorld(mean))) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec3 u = position;
  vec3 offset = vec3(upper.x * u.x, upper.y * u.x + upper.z * u.y, dot(lower, u));
  // The normal of an ellipsoid at L·u is L⁻ᵀ·u.
  vec3 normal;
  normal.z = u.z / lower.z;
  normal.y = (u.y - lower.y * normal.z) / upper.z;
  normal.x = (u.x - upper.y * normal.y - lower.x * normal.z) / upper.x;
  inView = normalMatrix * normalize(normal);
  vec3 placeM = mean + sigmas * offset;
  colour = learnedColour(mean.z);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(placeM, 1.0);
}`;

const fragmentShader = `
varying vec3 colour;
varying vec3 inView;
${litColour}
void main() {
  gl_FragColor = vec4(lit(colour, normalize(inView)), 1.0);
}`;
