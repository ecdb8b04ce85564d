// Triangles and points of a learned model: triangles flat and lit from both sides, points round.
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, Points, ShaderMaterial } from 'three';
import type { ModelTables } from '#renderer/logic/learn/modelTables.ts';
import { clipDeclarations } from '../engine/clip/clipUniforms.ts';
import { createPointMaterial } from '../engine/points/pointMaterial.ts';
import {
  litColour,
  lookDeclarations,
  observedAttribute,
  type LookUniforms,
} from './learnedLook.ts';

export interface LearnedSurface {
  readonly object: Mesh;
  show: (triangles: ModelTables['triangles']) => void;
  dispose: () => void;
}

export interface LearnedPoints {
  readonly object: Points;
  show: (points: ModelTables['points']) => void;
  dispose: () => void;
}

/** None at first. */
export function createLearnedSurface({ uniforms }: LookUniforms): LearnedSurface {
  const material = new ShaderMaterial({ uniforms, vertexShader, fragmentShader, side: DoubleSide });
  const object = new Mesh(new BufferGeometry(), material);
  object.frustumCulled = false;
  object.visible = false;
  return {
    object,
    show({ cornersM, ...observed }) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(cornersM, 3));
      geometry.setAttribute('observed', observedAttribute(observed, 3));
      object.geometry.dispose();
      object.geometry = geometry;
      object.visible = cornersM.length > 0;
    },
    dispose() {
      object.geometry.dispose();
      material.dispose();
    },
  };
}

/** None at first. */
export function createLearnedPoints({ uniforms }: LookUniforms): LearnedPoints {
  const material = createPointMaterial({
    uniforms,
    declarations: lookDeclarations,
    colour: `pointColour = learnedColour(position.z);
  if (isHidden() || isOutside(inWorld(position))) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);`,
    sizePx: { atOneM: 60, min: 1.6, max: 5 },
    liftM: 0,
  });
  const object = new Points(new BufferGeometry(), material);
  object.frustumCulled = false;
  object.visible = false;
  return {
    object,
    show({ positionsM, ...observed }) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(positionsM, 3));
      geometry.setAttribute('observed', observedAttribute(observed, 1));
      object.geometry.dispose();
      object.geometry = geometry;
      object.visible = positionsM.length > 0;
    },
    dispose() {
      object.geometry.dispose();
      material.dispose();
    },
  };
}

const vertexShader = `
${lookDeclarations}
varying vec3 colour;
varying vec3 placeInView;
varying vec3 world;
void main() {
  if (isHidden()) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  colour = learnedColour(position.z);
  vec4 inView = modelViewMatrix * vec4(position, 1.0);
  placeInView = inView.xyz;
  world = inWorld(position);
  gl_Position = projectionMatrix * inView;
}`;

const fragmentShader = `
varying vec3 colour;
varying vec3 placeInView;
varying vec3 world;
${litColour}
${clipDeclarations}
void main() {
  if (isOutside(world)) discard;
  vec3 normal = normalize(cross(dFdx(placeInView), dFdy(placeInView)));
  gl_FragColor = vec4(lit(colour, normal.z < 0.0 ? -normal : normal), 1.0);
}`;
