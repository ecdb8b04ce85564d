// A line of constant width on screen: the planned path, the driven path.
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';

export interface PathLine {
  readonly object: Line2;
  /** x, y, z of each point in turn; fewer than two points show nothing. */
  show(xyzM: Float32Array): void;
  setColour(colour: string): void;
  dispose(): void;
}

/** `isDashed`: what is meant to come, rather than what was. */
export function createPathLine(widthPx: number, isDashed: boolean): PathLine {
  const material = new LineMaterial({ linewidth: widthPx, dashed: isDashed });
  material.dashSize = 0.9;
  material.gapSize = 0.5;
  const object = new Line2(new LineGeometry(), material);
  object.frustumCulled = false;
  object.visible = false;

  return {
    object,
    show(xyzM) {
      object.visible = xyzM.length >= 6;
      if (!object.visible) return;
      // Why a new geometry: the length changes, and instanced buffers cannot grow.
      object.geometry.dispose();
      object.geometry = new LineGeometry();
      object.geometry.setPositions(xyzM);
      if (isDashed) object.computeLineDistances();
    },
    setColour(colour) {
      material.color.set(colour);
    },
    dispose() {
      object.geometry.dispose();
      material.dispose();
    },
  };
}
