// The points of one scan: positions and colours can be replaced.
import { BufferAttribute, BufferGeometry, Points } from 'three';
import type { ViewClip } from '../clip/clipUniforms.ts';
import { createPointMaterial } from './pointMaterial.ts';

export interface ColouredCloud {
  readonly object: Points;
  /** x y z after one another, in the world. */
  setPositions: (positionsM: Float32Array) => void;
  /** RGB bytes, a point each. */
  setColours: (rgb: Uint8Array) => void;
  dispose: () => void;
}

interface CloudOptions {
  /** The clip of its view; left out: the cloud is never clipped. */
  clip?: ViewClip;
  /** Size of points; left out: 1, for a view of usual size. */
  scale?: number;
}

/** Without points at first. dispose() frees the graphics card. */
export function createColouredCloud({ clip, scale = 1 }: CloudOptions): ColouredCloud {
  const geometry = new BufferGeometry();
  const material = createPointMaterial({
    uniforms: {},
    declarations: 'attribute vec3 rgb;',
    colour: 'pointColour = rgb;',
    sizePx: { atOneM: 60 * scale, min: 2 * scale, max: 5 * scale },
    liftM: 0.15,
    clip,
  });
  const object = new Points(geometry, material);
  // Why: nearly always visible, and its bounds would have to be looked for in all of its points.
  object.frustumCulled = false;
  return {
    object,
    setPositions(positionsM) {
      geometry.setAttribute('position', new BufferAttribute(positionsM, 3));
    },
    setColours(rgb) {
      geometry.setAttribute('rgb', new BufferAttribute(rgb, 3, true));
    },
    dispose() {
      geometry.dispose();
      material.dispose();
    },
  };
}
