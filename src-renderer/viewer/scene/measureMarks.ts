// Measured points and the path between them, drawn through everything; each leg with its horizontal and
// vertical parts.
import { BufferAttribute, BufferGeometry, type Color, Group, Points, PointsMaterial } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { PointM } from '#renderer/logic/scene/measuring.ts';

export interface MeasureMarks {
  readonly object: Group;
  show(points: readonly PointM[]): void;
  setColour(colour: Color): void;
  dispose(): void;
}

/** Marks of measured points and the lines between them; empty at first. */
export function createMeasureMarks(): MeasureMarks {
  const wayMaterial = new LineMaterial({ linewidth: 3, depthTest: false, transparent: true });
  const partMaterial = new LineMaterial({
    linewidth: 1.5,
    depthTest: false,
    transparent: true,
    opacity: 0.7,
    dashed: true,
    dashSize: 0.2,
    gapSize: 0.15,
  });
  const pointMaterial = new PointsMaterial({ size: 9, sizeAttenuation: false, depthTest: false });
  pointMaterial.transparent = true;
  const way = new Line2(new LineGeometry(), wayMaterial);
  const parts = new LineSegments2(new LineSegmentsGeometry(), partMaterial);
  const dots = new Points(new BufferGeometry(), pointMaterial);
  const object = new Group();
  object.add(way, parts, dots);
  for (const [order, part] of [parts, way, dots].entries()) {
    part.frustumCulled = false;
    part.renderOrder = 900 + order;
    part.visible = false;
  }

  return {
    object,
    show(points) {
      dots.visible = points.length > 0;
      way.visible = points.length > 1;
      parts.visible = way.visible;
      if (!dots.visible) return;
      dots.geometry.dispose();
      dots.geometry = new BufferGeometry();
      dots.geometry.setAttribute(
        'position',
        new BufferAttribute(new Float32Array(points.flat()), 3),
      );
      if (!way.visible) return;
      way.geometry.dispose();
      way.geometry = new LineGeometry();
      way.geometry.setPositions(points.flat());
      parts.geometry.dispose();
      parts.geometry = new LineSegmentsGeometry();
      parts.geometry.setPositions(
        points.slice(1).flatMap((to, k) => rightAngle(points[k] ?? to, to)),
      );
      parts.computeLineDistances();
    },
    setColour(colour) {
      for (const material of [wayMaterial, partMaterial, pointMaterial])
        material.color.copy(colour);
    },
    dispose() {
      for (const { geometry } of [way, parts, dots]) geometry.dispose();
      for (const material of [wayMaterial, partMaterial, pointMaterial]) material.dispose();
    },
  };
}

/** Level from the lower point, then straight up to the higher one. */
function rightAngle(from: PointM, to: PointM): number[] {
  const [low, high] = from[2] <= to[2] ? [from, to] : [to, from];
  const corner = [high[0], high[1], low[2]];
  return [...low, ...corner, ...corner, ...high];
}
