// A grid of metres over a scene's ground, and where its numbers stand.
import {
  type Box3,
  BufferAttribute,
  BufferGeometry,
  type Color,
  LineBasicMaterial,
  LineSegments,
} from 'three';
import { gridLines } from '#renderer/logic/plots/gridLines.ts';
import type { LabelText } from './labelLayer.ts';

export interface GroundGrid {
  readonly object: LineSegments;
  /** The numbers along two edges. */
  labels(): LabelText[];
  /** Spans the box, at the height of the ground. */
  fit(box: Box3, groundM: number): void;
  setColour(colour: Color): void;
  dispose(): void;
}

/** Above the ground, so that the two surfaces do not flicker. */
const liftM = 0.04;

export function createGroundGrid(): GroundGrid {
  const material = new LineBasicMaterial({ transparent: true, opacity: 0.4, depthWrite: false });
  const object = new LineSegments(new BufferGeometry(), material);
  object.frustumCulled = false;
  let texts: LabelText[] = [];
  return {
    object,
    labels: () => texts,
    fit(box, groundM) {
      const { stepM, xM, yM } = gridLines([box.min.x, box.min.y], [box.max.x, box.max.y]);
      const z = groundM + liftM;
      const [west, east] = [xM.at(0) ?? 0, xM.at(-1) ?? 0];
      const [south, north] = [yM.at(0) ?? 0, yM.at(-1) ?? 0];
      const points = [
        ...xM.flatMap((x) => [x, south, z, x, north, z]),
        ...yM.flatMap((y) => [west, y, z, east, y, z]),
      ];
      object.geometry.dispose();
      object.geometry = new BufferGeometry();
      object.geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
      const isNumbered = (value: number): boolean => Math.round(value / stepM) % 2 === 0;
      texts = [
        ...xM.filter(isNumbered).map((x) => gridLabel(`x ${x} m`, [x, south, z])),
        ...yM.filter(isNumbered).map((y) => gridLabel(`y ${y} m`, [west, y, z])),
      ];
    },
    setColour(colour) {
      material.color.copy(colour);
    },
    dispose() {
      object.geometry.dispose();
      material.dispose();
    },
  };
}

function gridLabel(text: string, positionM: [number, number, number]): LabelText {
  return { text, positionM, kind: 'grid' };
}
