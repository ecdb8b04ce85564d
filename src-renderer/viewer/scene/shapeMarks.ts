// Shapes on the ground as lines that follow it, with dots by which they are dragged; drawn through objects there.
import { Color, Group } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { ShapeTone } from '#renderer/logic/sceneEdit/shapedParts.ts';
import { changedPoints, gapsOf, type ShapeChange } from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { createDots } from '../engine/dots.ts';
import type { SeenShapes, ShapeTarget, ShownShape } from './shapeTargets.ts';

/** A point of a shape, by its key and index. */
export interface ShapePoint {
  key: string;
  index: number;
}

/** A shape as it is drawn. */
interface DrawnShape {
  tone: ShapeTone;
  /** On the ground; empty: it has no line. */
  pathM: readonly PointM[];
  points: readonly DrawnPoint[];
}

interface DrawnPoint {
  positionM: PointM;
  /** gap: where a point can be added. */
  kind: 'point' | 'gap';
  isHeld: boolean;
}

export interface ShapeColours extends Record<ShapeTone, string> {
  /** About the dots. */
  ring: string;
  held: string;
}

interface ShapeMarks {
  readonly object: Group;
  show: (shapes: readonly DrawnShape[]) => void;
  setColours: (colours: ShapeColours) => void;
  dispose: () => void;
}

const tones = ['area', 'clear', 'route'] as const;
const sizesPx = { point: 15, gap: 10, held: 20 };

/** Nothing at first. */
export function createShapeMarks(): ShapeMarks {
  const object = new Group();
  const lines = { area: createLines(false), clear: createLines(true), route: createLines(false) };
  const dots = createDots();
  const held = new Color();
  dots.object.renderOrder = 890;
  object.add(...Object.values(lines).map((part) => part.lines), dots.object);
  let shown: readonly DrawnShape[] = [];
  return {
    object,
    show(shapes) {
      shown = shapes;
      for (const tone of tones) {
        const paths = shapes.filter((one) => one.tone === tone).map(({ pathM }) => pathM);
        showLines(lines[tone].lines, paths.flatMap(pairs));
      }
      showDots();
    },
    setColours(colours) {
      for (const tone of tones) lines[tone].material.color.set(colours[tone]);
      held.set(colours.held);
      dots.setRing(colours.ring);
      showDots();
    },
    dispose() {
      for (const part of Object.values(lines)) {
        part.lines.geometry.dispose();
        part.material.dispose();
      }
      dots.dispose();
    },
  };

  function showDots(): void {
    const all = shown.flatMap(({ tone, points }) =>
      points.map(({ positionM, kind, isHeld }) => ({
        positionM,
        sizePx: isHeld ? sizesPx.held : sizesPx[kind],
        colour: isHeld ? held : lines[tone].material.color,
      })),
    );
    // Why sorted: what is held is not covered by what is beside it.
    dots.show(all.toSorted((one, other) => one.sizePx - other.sizePx));
  }
}

/** `change`: how the shape under the pointer is dragged now. */
export function drawnShape(
  { shape, isActive }: ShownShape,
  { onGround, pathOf }: SeenShapes,
  {
    held,
    under,
    change,
  }: { held: ShapePoint | null; under: ShapeTarget | null; change: ShapeChange | null },
): DrawnShape {
  const isUnder = under?.shape.key === shape.key;
  const isDragged = isUnder && change !== null;
  const now = isDragged ? { ...shape, pointsM: changedPoints(shape, change) } : shape;
  const pathM = pathOf(now);
  if (!isActive) return { tone: shape.tone, pathM, points: [] };
  const isAt = (kind: 'point' | 'gap', index: number): boolean =>
    isUnder && under.kind !== 'line' && (under.kind === kind || isDragged) && under.index === index;
  const gaps = isDragged ? [] : gapsOf(now);
  return {
    tone: shape.tone,
    pathM,
    points: [
      ...gaps.map(({ index, atM }) => ({
        positionM: onGround(atM),
        kind: 'gap' as const,
        isHeld: isAt('gap', index),
      })),
      ...now.pointsM.map((placeM, index) => ({
        positionM: onGround(placeM),
        kind: 'point' as const,
        isHeld: isAt('point', index) || (held?.key === shape.key && held.index === index),
      })),
    ],
  };
}

function createLines(isDashed: boolean): { lines: LineSegments2; material: LineMaterial } {
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

function showLines(lines: LineSegments2, points: number[]): void {
  lines.visible = points.length > 0;
  lines.geometry.dispose();
  lines.geometry = new LineSegmentsGeometry();
  if (!lines.visible) return;
  lines.geometry.setPositions(points);
  lines.computeLineDistances();
}

function pairs(path: readonly PointM[]): number[] {
  return path.slice(1).flatMap((to, index) => [...(path[index] ?? to), ...to]);
}
