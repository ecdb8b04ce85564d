// Outlines on the ground: areas in one colour, exclusion zones in another; drawn through objects there.
import { Color, Group } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { AreaOutline, PlaceM } from '#renderer/logic/scene/areaOutlines.ts';

export interface AreaMarks {
  readonly object: Group;
  /** `groundM`: height of the ground at a place. */
  show(outlines: readonly AreaOutline[], groundM: (placeM: PlaceM) => number): void;
  setColours(colours: Record<AreaOutline['kind'], string>): void;
  dispose: () => void;
}

/** Above the ground, so that the lines are not half in it. */
const liftM = 0.06;

/** Outlines of scatter areas and exclusion zones; empty at first. */
export function createAreaMarks(): AreaMarks {
  const object = new Group();
  const parts = { area: createPart(false), clear: createPart(true) };
  for (const { lines } of Object.values(parts)) object.add(lines);
  return {
    object,
    show(outlines, groundM) {
      for (const kind of ['area', 'clear'] as const) {
        const { lines } = parts[kind];
        const paths = outlines.filter((one) => one.kind === kind).map(({ pathM }) => pathM);
        const points = paths.flatMap((path) => pairs(path, groundM));
        lines.visible = points.length > 0;
        lines.geometry.dispose();
        lines.geometry = new LineSegmentsGeometry();
        if (!lines.visible) continue;
        lines.geometry.setPositions(points);
        lines.computeLineDistances();
      }
    },
    setColours(colours) {
      for (const kind of ['area', 'clear'] as const) {
        parts[kind].material.color.copy(new Color(colours[kind]));
      }
    },
    dispose() {
      for (const { lines, material } of Object.values(parts)) {
        lines.geometry.dispose();
        material.dispose();
      }
    },
  };
}

function createPart(isDashed: boolean): { lines: LineSegments2; material: LineMaterial } {
  const material = new LineMaterial({
    linewidth: 2.5,
    depthTest: false,
    transparent: true,
    opacity: 0.9,
    dashed: isDashed,
    dashSize: 0.7,
    gapSize: 0.4,
  });
  const lines = new LineSegments2(new LineSegmentsGeometry(), material);
  lines.frustumCulled = false;
  lines.visible = false;
  lines.renderOrder = 880;
  return { lines, material };
}

function pairs(path: readonly PlaceM[], groundM: (placeM: PlaceM) => number): number[] {
  const lifted = path.map((place) => [...place, groundM(place) + liftM]);
  return lifted.slice(1).flatMap((to, index) => [...(lifted[index] ?? to), ...to]);
}
