// The box that the points of a view, and the surfaces of its scene, are clipped to, as shaders and picking read it.
import { type IUniform, Matrix4, type Ray, Vector3 } from 'three';
import { insideBox, type UprightBox } from '#domain/shared/uprightBox.ts';
import { rayThrough } from '#renderer/logic/cloud/clipBox.ts';

export interface ViewClip {
  /** For materials: `clipFromWorld` maps the box to −1 … 1. */
  readonly uniforms: { clipFromWorld: IUniform<Matrix4>; isClipped: IUniform<number> };
  /** Null: nothing is clipped. */
  box: () => UprightBox | null;
  set: (box: UprightBox | null) => void;
  /** Whether what is at a place is drawn, and can be picked. */
  isInside: (xM: number, yM: number, zM: number) => boolean;
  /** How far along a ray what is drawn can begin; null: nothing on it is. */
  enterM: (ray: Ray) => number | null;
}

/** One for each view; clips nothing at first. */
export function createViewClip(): ViewClip {
  const uniforms = { clipFromWorld: { value: new Matrix4() }, isClipped: { value: 0 } };
  let box: UprightBox | null = null;
  let isInside: ViewClip['isInside'] = () => true;
  return {
    uniforms,
    box: () => box,
    set(next) {
      box = next;
      isInside = next === null ? () => true : insideBox(next);
      uniforms.isClipped.value = next === null ? 0 : 1;
      if (next !== null) uniforms.clipFromWorld.value.copy(worldFromClip(next)).invert();
    },
    isInside: (...placeM) => isInside(...placeM),
    enterM({ origin, direction }) {
      if (box === null) return 0;
      return rayThrough(box, origin.toArray(), direction.toArray())?.enterM ?? null;
    },
  };
}

/** From −1 … 1 along each axis of the box. */
export function worldFromClip({ centreM, yawRad, sizeM }: UprightBox): Matrix4 {
  return new Matrix4()
    .makeRotationZ(yawRad)
    .scale(new Vector3(...sizeM).multiplyScalar(0.5))
    .setPosition(...centreM);
}

/** GLSL: whether a place in the world is drawn. */
export const clipDeclarations = `
uniform mat4 clipFromWorld;
uniform float isClipped;
bool isOutside(vec3 world) {
  vec3 inBox = abs((clipFromWorld * vec4(world, 1.0)).xyz);
  return isClipped > 0.5 && max(max(inBox.x, inBox.y), inBox.z) > 1.0;
}`;
