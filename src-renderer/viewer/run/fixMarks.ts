// Position fixes as dots beside the path that was truly driven: a ring of fixed capacity, of which each fix
// uploads only itself.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, PointsMaterial } from 'three';

export interface FixMarks {
  readonly object: Points;
  add: (positionM: readonly [number, number, number]) => void;
  clear: () => void;
  setColour: (colour: string) => void;
  dispose: () => void;
}

const sizePx = 3;

/** `capacity`: the newest so many are shown. */
export function createFixMarks(capacity: number): FixMarks {
  const position = new BufferAttribute(new Float32Array(3 * capacity), 3);
  position.setUsage(DynamicDrawUsage);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', position);
  geometry.setDrawRange(0, 0);
  // Why without depth: grass would hide them.
  const material = new PointsMaterial({ size: sizePx, sizeAttenuation: false, depthTest: false });
  material.transparent = true;
  const object = new Points(geometry, material);
  object.frustumCulled = false;
  let added = 0;

  return {
    object,
    add(positionM) {
      const at = 3 * (added % capacity);
      position.array.set(positionM, at);
      position.addUpdateRange(at, 3);
      position.needsUpdate = true;
      added += 1;
      geometry.setDrawRange(0, Math.min(added, capacity));
    },
    clear() {
      added = 0;
      geometry.setDrawRange(0, 0);
    },
    setColour(colour) {
      material.color.set(colour);
    },
    dispose() {
      geometry.dispose();
      material.dispose();
    },
  };
}
